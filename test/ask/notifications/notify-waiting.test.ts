import { expect, test } from 'bun:test'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import type { HookReport } from '../../../src/ask/wire/hook-fields.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const ASK = {
  question: 'Run this command?',
  action: 'npm publish',
  toolName: 'bash',
  toolTarget: 'npm publish',
  requestId: 'prompt-1',
}
const WAITING = {
  client: 'copilot',
  event: 'waiting',
  sessionId: 's1',
  machineId: 'm1',
  agentName: 'Copilot CLI - shop',
  ask: ASK,
} as const

const tell = (world: FlowWorld, more: Partial<HookReport> = {}, caller = {}) =>
  reportHook(world.deps, { ...WAITING, ...more }, world.call(caller))

test('the phone hears that a client waits at its terminal, with nothing to answer there', async () => {
  await using world = await flowWorld()
  await world.device('phone', { kind: 'phone' })
  const reply = await tell(world)
  expect(reply).toEqual({ contract: null, etag: expect.any(String) })
  expect(world.deliveries).toHaveLength(1)
  const message = world.deliveries[0]?.message
  expect(message).toMatchObject({
    kind: 'notification',
    title: 'npm publish',
    urgency: 'high',
  })
  expect(message?.body).toStartWith('Copilot CLI - shop waits at the terminal')
  expect(message).not.toHaveProperty('question')
  expect(message).not.toHaveProperty('quiet')
  const { workspaceId } = world.call().caller
  expect(await readInbox(world.deps, workspaceId)).toEqual([])
})

test('the next prompt of the session rings again, and one that two hooks report rings once', async () => {
  await using world = await flowWorld()
  await world.device('phone', { kind: 'phone' })
  await Promise.all([tell(world), tell(world)])
  await tell(world)
  expect(world.deliveries).toHaveLength(1)
  await world.clock.advance(20_000)
  await tell(world, { ask: { ...ASK, requestId: 'prompt-2' } })
  expect(world.deliveries).toHaveLength(2)
  expect(world.deliveries[1]?.message.tag).not.toBe(world.deliveries[0]?.message.tag)
  expect(world.deliveries[1]?.message).not.toHaveProperty('quiet')
})

const now = (world: FlowWorld) => new Date(world.clock.now()).toISOString().slice(11, 16)
const SILENT: Array<[what: string, set: (world: FlowWorld) => Promise<unknown>, caller?: object]> =
  [
    ['where nothing is to be sent', (world) => policy(world, { deliveryMode: 'terminal_only' })],
    [
      'in quiet hours',
      (world) => policy(world, { quietHours: { from: now(world), to: '00:00', zone: 'UTC' } }),
    ],
    ['with a token for tests', async () => undefined, { test: true }],
  ]
const policy = (world: FlowWorld, changes: Parameters<typeof setPolicy>[2]) =>
  setPolicy(world.deps, world.call().caller.workspaceId, changes)

for (const [what, set, caller] of SILENT) {
  test(`${what} nobody is told, and the activity has it`, async () => {
    await using world = await flowWorld()
    await world.device('phone', { kind: 'phone' })
    await set(world)
    await tell(world, {}, caller)
    expect(world.deliveries).toEqual([])
    const { workspaceId } = world.call().caller
    const { items } = await readActivity(world.deps, { workspaceId }, {})
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ question: { detail: { atTerminal: true } } })
    expect(items[0]).not.toMatchObject({ question: { status: 'pending' } })
  })
}

test('push_only and a rule that allows change nothing about it: it can only be answered there', async () => {
  await using world = await flowWorld()
  await world.device('phone', { kind: 'phone' })
  await policy(world, { deliveryMode: 'push_only' })
  await tell(world)
  expect(world.deliveries).toMatchObject([{ message: { kind: 'notification' } }])
})

test('a report without what is asked is refused by field', async () => {
  await using world = await flowWorld()
  expect(tell(world, { ask: undefined as never })).rejects.toThrow('ask')
})
