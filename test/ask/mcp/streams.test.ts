import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { eventText } from '../../support/event-text.ts'
import { settle } from '../../support/fake-clock.ts'
import {
  type McpWorld,
  mcpWorld,
  modernHeaders,
  modernMeta,
  rpc,
  TOKEN,
  toolCall,
} from '../../support/mcp-world.ts'
import { rawPost } from '../../support/raw-post.ts'
import { readInbox } from '../../support/read-inbox.ts'

const EVENTS = { accept: 'application/json, text/event-stream' }
const ASK = { question: 'Deploy?' }

async function worldWithDevice(): Promise<McpWorld> {
  const here = await mcpWorld()
  await here.world.device('laptop')
  return here
}

/** Opens a call that waits, and returns once it sits in the waiting room. */
async function held(here: McpWorld, body: unknown, headers: Record<string, string> = EVENTS) {
  const before = here.world.deps.waiters.count()
  const response = await here.sender(body, headers)
  const events = eventText(response)
  await until(() => here.world.deps.waiters.count() > before)
  return { response, events }
}

async function until(fits: () => boolean) {
  while (!fits()) await settle()
}

async function answer({ world }: McpWorld, value: string) {
  const { workspaceId } = world.call().caller
  const [question] = await readInbox(world.deps, workspaceId)
  if (!question) throw new Error('nothing is open')
  await answerQuestion(world.deps, { workspaceId, questionId: question.id, value })
}

test('a call that waits begins as a stream at once, and ends with its result', async () => {
  await using here = await worldWithDevice()
  const { response, events } = await held(here, toolCall('ask_user', ASK))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await events.until((text) => text !== '')).toBe(': \n\n')
  await answer(here, 'yes')
  await events.rest()
  expect(events.messages()).toMatchObject([
    { id: 1, result: { structuredContent: { answered: true, value: 'yes' } } },
  ])
  expect(here.mcp.open()).toBe(0)
})

test('the modern era streams the same result, complete and signed by the server', async () => {
  await using here = await worldWithDevice()
  const body = rpc('tools/call', { name: 'ask_user', arguments: ASK, _meta: modernMeta() }, 'a')
  const headers = { ...EVENTS, ...modernHeaders('tools/call', 'ask_user') }
  const { events } = await held(here, body, headers)
  await answer(here, 'no')
  await events.rest()
  const info = { 'io.modelcontextprotocol/serverInfo': { name: 'beckon' } }
  expect(events.messages()).toMatchObject([
    {
      id: 'a',
      result: { resultType: 'complete', _meta: info, structuredContent: { value: 'no' } },
    },
  ])
})

test('without a progress token there is a comment every 15 seconds, and nothing else', async () => {
  await using here = await worldWithDevice()
  const { events } = await held(here, toolCall('ask_user', { ...ASK, timeoutMs: 40_000 }))
  for (const count of [2, 3]) {
    await here.world.clock.advance(15_000)
    await events.until((text) => text === ': \n\n'.repeat(count))
  }
  await here.world.clock.advance(10_000)
  await events.rest()
  expect(events.messages()).toMatchObject([{ result: { structuredContent: { timedOut: true } } }])
})

test('a stream that began between two ticks is never silent for longer than 15 seconds', async () => {
  await using here = await worldWithDevice()
  await held(here, toolCall('ask_user', ASK))
  await here.world.clock.advance(500)
  const { events } = await held(here, toolCall('ask_user', { ...ASK, question: 'Publish?' }))
  await here.world.clock.advance(15_000)
  await events.until((text) => text === ': \n\n'.repeat(2))
})

test('with a progress token progress rises strictly, with its total and what is left', async () => {
  await using here = await worldWithDevice()
  const body = toolCall('ask_user', { ...ASK, timeoutMs: 30_000 }, { progressToken: 'p' })
  const { events } = await held(here, body)
  for (const seconds of [0, 10, 20]) {
    if (seconds > 0) await here.world.clock.advance(10_000)
    await events.until((text) => text.includes(`"progress":${seconds},`))
  }
  await here.world.clock.advance(10_000)
  await events.rest()
  const progress = events.messages().slice(0, -1)
  expect(progress.map(({ params }) => params)).toEqual(
    [0, 10, 20].map((progress) => ({
      progressToken: 'p',
      progress,
      total: 30,
      message: expect.stringMatching(new RegExp(`, ${30 - progress} s left \\(q_\\w+\\)$`)),
      _meta: { 'beckon/correlationId': expect.stringMatching(/^q_/) },
    })),
  )
})

test('a client that takes no stream gets the same as one JSON body', async () => {
  await using here = await worldWithDevice()
  const reply = here.reply(toolCall('ask_user', ASK, { progressToken: 1 }))
  await until(() => here.world.deps.waiters.count() === 1)
  await answer(here, 'yes')
  const { headers, json } = await reply
  expect(headers.get('content-type')).toBe('application/json')
  expect(json).toMatchObject({ result: { structuredContent: { value: 'yes' } } })
})

test('what does not wait is one JSON body, although the client takes a stream', async () => {
  await using here = await worldWithDevice()
  const body = toolCall('ask_user', { ...ASK, wait: false }, { progressToken: 1 })
  const response = await here.sender(body, EVENTS)
  expect(response.headers.get('content-type')).toBe('application/json')
})

test.each(['application/json', EVENTS.accept])(
  'a hang-up frees the waiter and leaves the question open (Accept: %s)',
  async (accept) => {
    await using here = await worldWithDevice()
    const gone = new AbortController()
    const request = fetch(here.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept,
        authorization: 'Bearer bk_right',
      },
      body: JSON.stringify(toolCall('ask_user', ASK)),
      signal: gone.signal,
    }).then((response) => response.text())
    const ended = request.catch((error: Error) => error.name)
    await until(() => here.world.deps.waiters.count() === 1)
    gone.abort()
    expect(await ended).toBe('AbortError')
    await until(() => here.world.deps.waiters.count() === 0 && here.mcp.open() === 0)
    const open = await readInbox(here.world.deps, here.world.call().caller.workspaceId)
    expect(open).toHaveLength(1)
  },
)

test('a cancelled notification changes nothing', async () => {
  await using here = await worldWithDevice()
  const { events } = await held(here, toolCall('ask_user', ASK))
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  expect((await here.sender(cancelled)).status).toBe(202)
  expect(here.world.deps.waiters.count()).toBe(1)
  await answer(here, 'yes')
  await events.rest()
  expect(events.messages()).toHaveLength(1)
})

const BUG = {
  wait_for_answer: () => Promise.reject(new Error('secret detail')),
  cancel_question: () => {
    throw new Error('secret detail')
  },
}

test.each([
  ['wait_for_answer', EVENTS, {}],
  ['wait_for_answer', {}, {}],
  ['cancel_question', {}, {}],
  ['wait_for_answer', EVENTS, modernMeta()],
  ['cancel_question', {}, modernMeta()],
])('a bug in %s ends the reply with -32603 and no detail', async (name, headers, meta) => {
  await using here = await mcpWorld(BUG)
  const modern = Object.keys(meta).length > 0 ? modernHeaders('tools/call', name) : {}
  const body = toolCall(name, { correlationId: 'q_1' }, meta)
  const { json, text } = await here.reply(body, { ...headers, ...modern })
  expect(json).toMatchObject({ id: 1, error: { code: -32603, data: { code: 'internal' } } })
  expect(text).not.toContain('secret')
  expect(here.logged.join()).toContain('a tool failed')
  expect(here.mcp.open()).toBe(0)
})

/** Opens `count` calls that wait, half as streams, each on a connection of its own. */
async function holdMany(here: McpWorld, count: number) {
  const calls = Array.from({ length: count }, (_, i) =>
    rawPost(here.url, toolCall('ask_user', { question: `Question ${i}?` }), {
      authorization: `Bearer ${TOKEN}`,
      accept: i % 2 ? EVENTS.accept : 'application/json',
    }),
  )
  await until(() => here.world.deps.waiters.count() === count)
  return calls
}

test('on closing, each of 1,000 waiting calls ends with a message that says how to go on', async () => {
  await using here = await worldWithDevice()
  const { waiters: waiting } = here.world.deps
  const calls = await holdMany(here, 1_000)
  waiting.close()
  await here.mcp.close()
  for (const { response } of calls) {
    const text = await response
    expect(text).toContain('"timedOut":true')
    expect(text).toContain('"nextAction":"wait_for_answer"')
  }
  expect(here.mcp.open()).toBe(0)
  expect(waiting.count()).toBe(0)
}, 60_000)

test('when 300 callers hang up, all their waiters are free again', async () => {
  await using here = await worldWithDevice()
  const calls = await holdMany(here, 300)
  for (const { hangUp } of calls) hangUp()
  await until(() => here.world.deps.waiters.count() === 0 && here.mcp.open() === 0)
  expect(here.world.clock.pending()).toBeLessThan(5)
}, 60_000)

test.each(['application/json', EVENTS.accept])(
  'a call that does not end by itself is told after the grace (Accept: %s)',
  async (accept) => {
    await using here = await mcpWorld({ wait_for_answer: () => new Promise(() => {}) })
    const reply = here.reply(toolCall('wait_for_answer', { correlationId: 'q_1' }), { accept })
    await until(() => here.mcp.open() === 1)
    const closed = here.mcp.close(500)
    await here.world.clock.advance(500)
    await closed
    expect((await reply).json).toMatchObject({ id: 1, error: { code: -32603 } })
  },
)
