import { expect, test } from 'bun:test'
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
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
import { readInbox } from '../../support/read-inbox.ts'

const EVENTS = { accept: 'application/json, text/event-stream' }
const HOLDS = { ...EVENTS, 'x-beckon-hold': '600' }
const MINUTE = 60_000

async function holdingWorld(holdMs = 10 * MINUTE): Promise<McpWorld> {
  const here = await mcpWorld()
  await here.world.device('laptop')
  await setPolicy(here.world.deps, here.world.call().caller.workspaceId, { holdMs })
  return here
}

async function until(fits: () => boolean) {
  while (!fits()) await settle()
}

/** A call that is held now; `lasts` moves the clock until it ends and says how long it was held. */
async function held(here: McpWorld, body: object, headers: Record<string, string> = HOLDS) {
  const { clock, deps } = here.world
  const before = deps.waiters.count()
  const startedAt = clock.now()
  const response = await here.sender(body, headers)
  const events = eventText(response)
  await until(() => deps.waiters.count() > before)
  return {
    events,
    async lasts() {
      while (deps.waiters.count() > before) {
        await clock.advance(1_000)
        await settle()
      }
      await events.rest()
      const last = events.messages().at(-1) as { result: { structuredContent: object } }
      return { ms: clock.now() - startedAt, result: last.result.structuredContent }
    },
  }
}

async function open({ world }: McpWorld) {
  const [question] = await readInbox(world.deps, world.call().caller.workspaceId)
  if (!question) throw new Error('nothing is open')
  return question
}

const ASK = toolCall('ask_user', { question: 'Deploy?' })
const SCOPE = toolCall('propose_scope', { sessionId: 's-1', doneWhen: 'Done.' })

test.each([
  ['ask_user', ASK],
  ['propose_scope', SCOPE],
])(
  'a client that waits longer, with holdMs on: %s is held until its question ends',
  async (_, body) => {
    await using here = await holdingWorld()
    const call = await held(here, body)
    expect(await call.lasts()).toMatchObject({ ms: 10 * MINUTE, result: { status: 'expired' } })
  },
)

test('a call that took a moment to be recorded is held until the same end', async () => {
  await using here = await holdingWorld()
  const { clock, deps } = here.world
  const call = here.world.call()
  const caller = { ...call.caller, arrivedAt: clock.now() - 40 }
  const asking = askUser(deps, { question: 'Deploy?' }, { ...call, caller, clientWaitsMs: 600_000 })
  await until(() => deps.waiters.count() > 0)
  await clock.advance(10 * MINUTE)
  expect(await asking).toMatchObject({ status: 'expired' })
})

test('wait_for_answer is held as long, and an answer ends it at once', async () => {
  await using here = await holdingWorld()
  await here.reply(toolCall('ask_user', { question: 'Deploy?', wait: false }))
  const { id } = await open(here)
  const call = await held(here, toolCall('wait_for_answer', { correlationId: id }))
  await here.world.clock.advance(8 * MINUTE)
  const { workspaceId } = here.world.call().caller
  await answerQuestion(here.world.deps, { workspaceId, questionId: id, value: 'yes' })
  expect((await call.lasts()).result).toMatchObject({ status: 'answered', value: 'yes' })
})

test('the stream never falls silent for as long as a proxy allows', async () => {
  await using here = await holdingWorld()
  const call = await held(here, toolCall('ask_user', { question: 'Deploy?' }, { progressToken: 7 }))
  await call.lasts()
  const progress = call.events.messages().flatMap((message) => {
    const { method, params } = message as { method?: string; params?: { progress: number } }
    return method === 'notifications/progress' && params ? [params.progress] : []
  })
  const gaps = progress.slice(1).map((at, i) => at - (progress[i] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(15)
  expect(progress.at(-1)).toBeGreaterThan(580)
})

test.each([
  ['holdMs', 120_000, '600'],
  ['the client', 10 * MINUTE, '120'],
])(
  'a client that waits longer, with holdMs on is held no longer than %s says',
  async (_, holdMs, waits) => {
    await using here = await holdingWorld(holdMs)
    const call = await held(here, ASK, { ...HOLDS, 'x-beckon-hold': waits })
    const { ms, result } = await call.lasts()
    expect(ms).toBe(120_000)
    expect(result).toMatchObject({
      status: 'pending',
      timedOut: true,
      nextAction: 'wait_for_answer',
    })
  },
)

test('the official client has the answer after five minutes in the same call', async () => {
  await using here = await holdingWorld()
  const client = new ModernClient({ name: 'holds', version: '1' })
  const headers = { Authorization: `Bearer ${TOKEN}`, 'X-Beckon-Hold': '600' }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(here.url), { requestInit: { headers } }),
  )
  const calling = client.callTool({ name: 'ask_user', arguments: { question: 'Deploy?' } })
  await until(() => here.world.deps.waiters.count() > 0)
  await here.world.clock.advance(5 * MINUTE)
  const { id: questionId } = await open(here)
  const { workspaceId } = here.world.call().caller
  await answerQuestion(here.world.deps, { workspaceId, questionId, value: 'no' })
  expect(await calling).toMatchObject({ structuredContent: { value: 'no' } })
  await client.close()
})

test('a repeated call waits until the same instant', async () => {
  await using here = await holdingWorld()
  const body = toolCall('ask_user', { question: 'Deploy?', requestId: 'r1' })
  const first = await held(here, body)
  await here.world.clock.advance(4 * MINUTE)
  await first.events.cancel()
  await until(() => here.world.deps.waiters.count() === 0)
  const again = await held(here, body)
  expect(await again.lasts()).toMatchObject({ ms: 6 * MINUTE, result: { status: 'expired' } })
})

test('a server that stops sends it home, a client that leaves frees the wait', async () => {
  await using here = await holdingWorld()
  const gone = await held(here, toolCall('ask_user', { question: 'One?' }))
  await gone.events.cancel()
  await until(() => here.world.deps.waiters.count() === 0)
  const stays = await held(here, toolCall('ask_user', { question: 'Two?' }))
  await here.world.clock.advance(2 * MINUTE)
  here.world.deps.waiters.close()
  const { result } = await stays.lasts()
  expect(result).toMatchObject({ status: 'pending', timedOut: true, nextAction: 'wait_for_answer' })
  expect(result).not.toHaveProperty('handoffAction')
})

const usual = { ms: 45_000, result: { status: 'pending', timedOut: true } }

test('everybody else sees exactly what they saw with holdMs off', async () => {
  await using here = await holdingWorld(0)
  expect(await (await held(here, ASK)).lasts()).toMatchObject(usual)
})

test.each([
  ['a client that says nothing', EVENTS],
  ['one that says nonsense', { ...EVENTS, 'x-beckon-hold': 'ages' }],
  ['one that waits no longer', { ...EVENTS, 'x-beckon-hold': '30' }],
  ['one that takes no stream', { accept: 'application/json', 'x-beckon-hold': '600' }],
])('everybody else sees exactly what they saw: %s', async (_, headers) => {
  await using here = await holdingWorld()
  const { clock, deps } = here.world
  const reply = here.reply(ASK, headers)
  await until(() => deps.waiters.count() > 0)
  await clock.advance(44_000)
  expect(deps.waiters.count()).toBe(1)
  await clock.advance(1_000)
  expect((await reply).json).toMatchObject({ result: { structuredContent: usual.result } })
})

test('a call that says how long it waits', async () => {
  await using here = await holdingWorld()
  const body = toolCall('ask_user', { question: 'Deploy?', timeoutMs: 55_000 })
  expect(await (await held(here, body)).lasts()).toMatchObject({ ...usual, ms: 55_000 })
})

test('one that follows tasks', async () => {
  await using here = await holdingWorld()
  const extensions = { 'io.modelcontextprotocol/tasks': {} }
  const _meta = modernMeta({ 'io.modelcontextprotocol/clientCapabilities': { extensions } })
  const args = { question: 'Deploy?' }
  const body = rpc('tools/call', { name: 'ask_user', arguments: args, _meta })
  const headers = { ...HOLDS, ...modernHeaders('tools/call', 'ask_user') }
  expect((await (await held(here, body, headers)).lasts()).ms).toBe(45_000)
})

test.each([
  ['a wait of its own', { waitMs: 5_000 }, 5_000],
  ['what happens without an answer', { onTimeout: 'deny' }, 45_000],
] as const)('a call whose rule says %s', async (_, set, ms) => {
  await using here = await holdingWorld()
  const { workspaceId } = here.world.call().caller
  await addRule(here.world.deps, workspaceId, { match: { agentName: 'Robot' }, set })
  const body = toolCall('ask_user', { question: 'Deploy?', agentName: 'Robot' })
  expect((await (await held(here, body)).lasts()).ms).toBe(ms)
})
