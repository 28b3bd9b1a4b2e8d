import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { changePolicy } from '../../../src/ask/policy/model/store.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { eventText } from '../../support/event-text.ts'
import { settle } from '../../support/fake-clock.ts'
import {
  type McpWorld,
  mcpWorld,
  modernHeaders,
  modernMeta,
  rpc,
  toolCall,
} from '../../support/mcp-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const TASKS = 'io.modelcontextprotocol/tasks'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const FOLLOWS = modernMeta({ [CAPABILITIES]: { extensions: { [TASKS]: {} } } })
const EVENTS = { accept: 'application/json, text/event-stream' }
const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function worldWithDevice(): Promise<McpWorld> {
  const here = await mcpWorld()
  await here.world.device('laptop')
  return here
}

async function until(fits: () => boolean) {
  while (!fits()) await settle()
}

function ask(meta = FOLLOWS, more = {}) {
  const args = { question: 'Deploy?', ...more }
  return rpc('tools/call', { name: 'ask_user', arguments: args, _meta: meta })
}

/** Asks, waits in vain, and resolves to the one result of the call. */
async function askInVain(
  here: McpWorld,
  body = ask(),
  headers = modernHeaders('tools/call', 'ask_user'),
) {
  const { waiters } = here.world.deps
  const before = waiters.count()
  const events = eventText(await here.sender(body, { ...EVENTS, ...headers }))
  await until(() => waiters.count() > before)
  await here.world.clock.advance(45_000)
  await events.rest()
  const [message] = events.messages() as Array<{ result: Record<string, unknown> }>
  if (!message) throw new Error('the call ended without a message')
  return message.result
}

function aboutTask(here: McpWorld, method: string, taskId: unknown, meta = FOLLOWS) {
  const name = typeof taskId === 'string' ? taskId : undefined
  return here.reply(rpc(method, { taskId, _meta: meta }), modernHeaders(method, name))
}

/** Does `meanwhile` while a `tasks/get` is held, and resolves to its task. */
async function heldGet(here: McpWorld, taskId: string, meanwhile: () => Promise<unknown>) {
  const { waiters } = here.world.deps
  const before = waiters.count()
  const reply = aboutTask(here, 'tasks/get', taskId)
  await until(() => waiters.count() > before)
  await meanwhile()
  const { json } = await reply
  return json.result as Record<string, unknown>
}

const question = (here: McpWorld, id: string) =>
  findQuestion(here.world.db.read, here.world.call().caller.workspaceId, id as QuestionId)

const answer = (here: McpWorld, id: string, value = 'yes') => {
  const { workspaceId } = here.world.call().caller
  const of = { workspaceId, questionId: id as QuestionId, value, source: 'inbox' } as const
  return answerQuestion(here.world.deps, of)
}

test('a call whose caller follows tasks is held first, and goes on as a task whose question lives for hours', async () => {
  await using here = await worldWithDevice()
  const result = await askInVain(here)
  const { taskId } = result
  expect(result).toMatchObject({
    resultType: 'task',
    status: 'working',
    statusMessage: 'Waiting for an answer, open until 20:00 UTC',
    createdAt: '2026-01-31T12:00:00.000Z',
    ttlMs: 32 * HOUR,
    pollIntervalMs: 1_000,
  })
  expect(result).not.toHaveProperty('content')
  const meta = result._meta as Record<string, { modelImmediateResponse: string }>
  expect(meta['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: 'beckon' })
  expect(meta['com.anthropic/agent-task']?.modelImmediateResponse).toContain(String(taskId))
  const stored = await question(here, String(taskId))
  expect((stored?.expiresAt ?? 0) - (stored?.createdAt ?? 0)).toBe(8 * HOUR)
  await here.world.clock.advance(7 * HOUR)
  await expireQuestions(here.world.deps)
  expect((await question(here, String(taskId)))?.status).toBe('pending')
})

test('a call whose caller follows tasks gets the answer in the call while the call waits, as everybody does', async () => {
  await using here = await worldWithDevice()
  const { waiters } = here.world.deps
  const headers = { ...EVENTS, ...modernHeaders('tools/call', 'ask_user') }
  const events = eventText(await here.sender(ask(), headers))
  await until(() => waiters.count() > 0)
  const { workspaceId } = here.world.call().caller
  const [open] = await readInbox(here.world.deps, workspaceId)
  await answer(here, open?.id ?? '')
  await events.rest()
  expect(events.messages()).toMatchObject([
    { result: { resultType: 'complete', structuredContent: { value: 'yes' } } },
  ])
})

test.each([
  ['the request does not declare it', ask(modernMeta()), {}],
  ['the era has no tasks', toolCall('ask_user', { question: 'Deploy?' }), undefined],
])('every other caller sees ten minutes and no task: %s', async (_, body, modern) => {
  await using here = await worldWithDevice()
  const headers = modern ? modernHeaders('tools/call', 'ask_user') : {}
  const { structuredContent: result, resultType } = await askInVain(here, body, headers)
  expect(resultType ?? 'complete').toBe('complete')
  expect(result).toMatchObject({ timedOut: true, nextAction: 'wait_for_answer' })
  const { correlationId } = result as { correlationId: string }
  const stored = await question(here, correlationId)
  expect((stored?.expiresAt ?? 0) - (stored?.createdAt ?? 0)).toBe(10 * MINUTE)
  expect((await aboutTask(here, 'tasks/get', correlationId)).json).toMatchObject({
    error: { code: -32602, message: 'Task not found.' },
  })
})

test.each([
  ['it does not wait', { wait: false }],
  ['nobody can be told', {}],
])('a call whose caller follows tasks returns at once as ever when %s', async (_, more) => {
  await using here = await mcpWorld()
  if ('wait' in more) await here.world.device('laptop')
  const headers = modernHeaders('tools/call', 'ask_user')
  const { json } = await here.reply(ask(FOLLOWS, more), headers)
  expect(json).toMatchObject({ result: { resultType: 'complete', structuredContent: {} } })
})

test('timeoutMs bounds how long the call is held, and the policy how long the question lives', async () => {
  await using here = await worldWithDevice()
  const { workspaceId } = here.world.call().caller
  await here.world.db.write(async (tx) => {
    await changePolicy(tx, workspaceId, { longLifeMs: HOUR }, here.world.clock.now())
    tx.emit('policy', workspaceId)
  })
  const { waiters } = here.world.deps
  const headers = { ...EVENTS, ...modernHeaders('tools/call', 'ask_user') }
  const events = eventText(await here.sender(ask(FOLLOWS, { timeoutMs: 2_000 }), headers))
  await until(() => waiters.count() > 0)
  await here.world.clock.advance(2_000)
  await events.rest()
  expect(events.messages()).toMatchObject([
    { result: { resultType: 'task', statusMessage: expect.stringContaining('13:00 UTC') } },
  ])
})

test('the same call again is the same task, and asks nobody twice', async () => {
  await using here = await worldWithDevice()
  const askWithId = (id: string) =>
    ask({ ...FOLLOWS, 'claudecode/toolUseId': id } as typeof FOLLOWS)
  const first = await askInVain(here, askWithId('toolu_1'))
  const again = await askInVain(here, askWithId('toolu_1'))
  expect(again.taskId).toBe(first.taskId)
  expect(here.world.deliveries.filter(({ message }) => !message.again)).toHaveLength(1)
})

test('a push that nobody has seen is sent again for the longer life, without a sound or a count', async () => {
  await using here = await worldWithDevice()
  const { taskId } = await askInVain(here)
  await settle()
  const [first, again, ...more] = here.world.deliveries.map(({ message }) => message)
  expect(more).toEqual([])
  expect(first).not.toHaveProperty('quiet')
  expect(again).toEqual({ ...first, quiet: true, again: true } as typeof first & object)
  const result = await heldGet(here, String(taskId), () => answer(here, String(taskId)))
  expect(result).toMatchObject({
    result: { structuredContent: { delivery: { web: 1, mobile: 0 } } },
  })
})

test('the server that closes makes a task of what it holds, and asks for a long pause', async () => {
  await using here = await worldWithDevice()
  const { waiters } = here.world.deps
  const headers = { ...EVENTS, ...modernHeaders('tools/call', 'ask_user') }
  const events = eventText(await here.sender(ask(), headers))
  await until(() => waiters.count() > 0)
  waiters.close()
  await events.rest()
  expect(events.messages()).toMatchObject([
    { result: { resultType: 'task', status: 'working', pollIntervalMs: 30_000 } },
  ])
})

test('tasks/get is held until the answer, and then has the result of the call', async () => {
  await using here = await worldWithDevice()
  const taskId = String((await askInVain(here)).taskId)
  const task = await heldGet(here, taskId, () => answer(here, taskId))
  expect(task).toMatchObject({
    resultType: 'complete',
    taskId,
    status: 'completed',
    result: {
      structuredContent: {
        correlationId: taskId,
        question: 'Deploy?',
        status: 'answered',
        answered: true,
        value: 'yes',
        answerSource: 'inbox',
        hint: '"Somebody" decided this at 2026-01-31 12:00 UTC: act on value. It answers what you asked.',
      },
    },
  })
  const { content } = task.result as { content: Array<{ text: string }> }
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(
    (task.result as Record<string, unknown>).structuredContent,
  )
  const later = await aboutTask(here, 'tasks/get', taskId)
  expect(later.json.result).toEqual(task)
})

test('tasks/get says after 25 seconds that it still waits', async () => {
  await using here = await worldWithDevice()
  const taskId = String((await askInVain(here)).taskId)
  const task = await heldGet(here, taskId, () => here.world.clock.advance(25_000))
  expect(task).toMatchObject({ status: 'working', pollIntervalMs: 1_000 })
  expect(task).not.toHaveProperty('result')
  expect(here.world.deps.waiters.count()).toBe(0)
})

test('tasks/get says when the server closes that the next one is to be asked in 30 seconds', async () => {
  await using here = await worldWithDevice()
  const taskId = String((await askInVain(here)).taskId)
  const task = await heldGet(here, taskId, async () => here.world.deps.waiters.close())
  expect(task).toMatchObject({ status: 'working', pollIntervalMs: 30_000 })
})

test('a question that nobody answers is completed, never failed, and no answer is no no', async () => {
  await using here = await worldWithDevice()
  const taskId = String((await askInVain(here)).taskId)
  await here.world.clock.advance(8 * HOUR)
  const { json } = await aboutTask(here, 'tasks/get', taskId)
  expect(json).toMatchObject({
    result: {
      status: 'completed',
      result: {
        structuredContent: {
          status: 'expired',
          answered: false,
          hint: 'Nobody answered within 8 hours, neither yes nor no: do not do it. Ask here, or go on with what does not need it.',
        },
      },
    },
  })
})

test('one that the model withdrew is completed, one whose task was cancelled is cancelled', async () => {
  await using here = await worldWithDevice()
  const withdrawn = String((await askInVain(here)).taskId)
  await cancelQuestion(here.world.deps, { correlationId: withdrawn }, here.world.call())
  expect((await aboutTask(here, 'tasks/get', withdrawn)).json).toMatchObject({
    result: { status: 'completed', result: { structuredContent: { status: 'cancelled' } } },
  })
  const dropped = String((await askInVain(here, ask(FOLLOWS, { question: 'Really?' }))).taskId)
  for (const _ of ['once', 'twice']) {
    const { status, json } = await aboutTask(here, 'tasks/cancel', dropped)
    expect([status, json.result]).toMatchObject([200, { resultType: 'complete' }])
  }
  expect((await aboutTask(here, 'tasks/get', dropped)).json).toMatchObject({
    result: { status: 'cancelled', statusMessage: 'The agent no longer waits for it.' },
  })
})

test('an answer that came before the cancel stays', async () => {
  await using here = await worldWithDevice()
  const taskId = String((await askInVain(here)).taskId)
  await answer(here, taskId, 'no')
  await aboutTask(here, 'tasks/cancel', taskId)
  expect((await aboutTask(here, 'tasks/get', taskId)).json).toMatchObject({
    result: { status: 'completed', result: { structuredContent: { value: 'no' } } },
  })
})

test('tasks/get costs the agent none of its calls', async () => {
  await using here = await worldWithDevice()
  const taskId = String((await askInVain(here)).taskId)
  await answer(here, taskId)
  for (let n = 0; n < 400; n++) {
    const { status } = await aboutTask(here, 'tasks/get', taskId)
    if (status !== 200) throw new Error(`the poll ${n} got ${status}`)
  }
})

test('a call without the capability on the request is no task', async () => {
  await using here = await mcpWorld()
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const { status, json } = await aboutTask(here, method, 'q_1', modernMeta())
    expect([status, json.error]).toMatchObject([
      400,
      { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } },
    ])
  }
})

test.each([
  ['of no question', 'q_1'],
  ['empty', ''],
  ['long', 'x'.repeat(10_000)],
  ['a condition', "' OR 1=1"],
  ['a path', '../../etc/passwd'],
])('an id that never was: %s', async (_, taskId) => {
  await using here = await mcpWorld()
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const { status, json } = await aboutTask(here, method, taskId)
    expect([status, json.error]).toEqual([200, { code: -32602, message: 'Task not found.' }])
  }
})

test.each([undefined, 5, null, ['q_1'], {}])('an id that is no text: %p', async (taskId) => {
  await using here = await mcpWorld()
  const { json } = await aboutTask(here, 'tasks/get', taskId)
  expect(json.error).toEqual({ code: -32602, message: 'Task not found.' })
})

test.each(['tasks/list', 'tasks/result', 'subscriptions/listen'])(
  'what is not a task here: %s',
  async (method) => {
    await using here = await mcpWorld()
    const { status, json } = await aboutTask(here, method, 'q_1')
    expect([status, json.error]).toMatchObject([404, { code: -32601 }])
  },
)

test('server/discover announces the extension, the old era nothing of it', async () => {
  await using here = await mcpWorld()
  const body = rpc('server/discover', { _meta: modernMeta() })
  const { json } = await here.reply(body, modernHeaders('server/discover'))
  expect(json.result).toMatchObject({ capabilities: { tools: {}, extensions: { [TASKS]: {} } } })
  const old = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  }
  const { text } = await here.reply(rpc('initialize', old))
  expect(text).not.toContain('tasks')
})
