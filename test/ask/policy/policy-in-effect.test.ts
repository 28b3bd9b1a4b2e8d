import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import {
  addRule,
  changeRule,
  removeRule,
  setPolicy,
} from '../../../src/ask/policy/change-policy.ts'
import type { PolicyChanges } from '../../../src/ask/policy/model/policy.ts'
import { reportPresence } from '../../../src/ask/presence/read-sessions.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { retryDeliveries } from '../../support/retry-deliveries.ts'

const ASK = { question: 'Deploy now?', agentName: 'Claude Code - shop' } satisfies AskUserInput
const APPROVAL = {
  ...ASK,
  sessionId: 's1',
  machineId: 'm1',
  toolName: 'Bash',
  toolTarget: 'git push',
} satisfies AskUserInput

async function withPolicy(world: FlowWorld, changes: PolicyChanges) {
  await setPolicy(world.deps, world.call().caller.workspaceId, changes)
}

// spec: QS-AUTH-4
test('push_only gives no other way of asking: it waits, and stops when nobody ever answers', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  await withPolicy(world, { deliveryMode: 'push_only', waitMs: 10_000 })
  const asking = askUser(deps, ASK, call())
  await settle()
  await clock.advance(10_000)
  const first = await asking
  expect(first).toMatchObject({
    deliveryMode: 'push_only',
    policyTimeoutMs: 10_000,
    timedOut: true,
    nextAction: 'wait_for_answer',
  })
  expect(first.handoffAction).toBeUndefined()
  const { correlationId } = first
  await clock.advance(10 * 60_000)
  expect(await waitForAnswer(deps, { correlationId }, call())).toMatchObject({
    status: 'expired',
    handoffAction: 'stop',
  })
})

test('push_only without a device stops instead of asking elsewhere', async () => {
  await using world = await flowWorld()
  await withPolicy(world, { deliveryMode: 'push_only' })
  expect(await askUser(world.deps, ASK, world.call())).toMatchObject({
    noDevices: true,
    handoffAction: 'stop',
  })
})

test('notify_only tells and returns: the call never waits, and nothing can be answered', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  await withPolicy(world, { deliveryMode: 'notify_only' })
  const result = await askUser(deps, ASK, call())
  expect(result).toMatchObject({
    status: 'notified',
    mode: 'notify_only',
    deliveryMode: 'notify_only',
    answered: false,
    nextAction: 'ask_in_current_client',
  })
  expect(world.deliveries).toMatchObject([{ message: { kind: 'notification' } }])
  expect(world.deliveries[0]?.message.question).toBeUndefined()
  const { correlationId } = result
  expect(await waitForAnswer(deps, { correlationId }, call())).toMatchObject({
    status: 'notified',
    nextAction: 'ask_in_current_client',
    hint: 'The person was told, but answers in the current client: ask here.',
  })
  const { workspaceId } = call().caller
  const questionId = correlationId as QuestionId
  const late = await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  expect(late.won).toBe(false)
})

test('notify_only that tells nobody says so', async () => {
  await using world = await flowWorld()
  await withPolicy(world, { deliveryMode: 'notify_only' })
  const result = await askUser(world.deps, ASK, world.call())
  expect(result).toMatchObject({ status: 'notified', mode: 'notify_only', noDevices: true })
  expect(result.warning).toContain('must connect one')
})

test('terminal_only sends nothing and returns', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  await withPolicy(world, { deliveryMode: 'terminal_only' })
  expect(await askUser(world.deps, ASK, world.call())).toMatchObject({
    status: 'terminal',
    mode: 'terminal_only',
    nextAction: 'ask_in_current_client',
    delivery: { web: 0, mobile: 0 },
  })
  expect(world.deliveries).toEqual([])
})

test('a rule changes mode and wait for the calls it matches, and is gone when removed', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const { workspaceId } = call().caller
  const rule = await addRule(deps, workspaceId, {
    match: { toolName: 'Bash' },
    set: { deliveryMode: 'terminal_only' },
  })
  expect((await askUser(deps, APPROVAL, call())).mode).toBe('terminal_only')
  await changeRule(deps, workspaceId, rule.id, { set: { deliveryMode: 'notify_only' } })
  expect((await askUser(deps, APPROVAL, call())).mode).toBe('notify_only')
  expect((await askUser(deps, { ...ASK, wait: false }, call())).deliveryMode).toBe('push_first')
  await removeRule(deps, workspaceId, rule.id)
  expect((await askUser(deps, { ...APPROVAL, wait: false }, call())).deliveryMode).toBe(
    'push_first',
  )
})

test('wrong rules and policies are refused by field', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  const { workspaceId } = call().caller
  await expect(addRule(deps, workspaceId, { set: { waitMs: 5_000 } })).rejects.toThrow('match')
  await expect(addRule(deps, workspaceId, { match: { toolName: 'Bash' } })).rejects.toThrow('set')
  const quietHours = { from: '22:00', to: '07:00', zone: 'Mars/Olympus' }
  await expect(setPolicy(deps, workspaceId, { quietHours })).rejects.toThrow('quietHours.zone')
})

test('the grace gives browsers a head start: an early answer spares the phone', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  await world.device('phone', { kind: 'phone' })
  await withPolicy(world, { graceMs: 5_000 })
  const retry = { ...deps, sender: deps.sender as never, holder: 'here' }
  const waiting = askUser(deps, ASK, call())
  await settle()
  expect(world.deliveries.map(({ to }) => to.label)).toEqual(['laptop'])
  await clock.advance(4_999)
  await retryDeliveries(retry)
  expect(world.deliveries).toHaveLength(1)
  await clock.advance(1)
  await retryDeliveries(retry)
  await settle()
  expect(world.deliveries.map(({ to }) => to.label)).toEqual(['laptop', 'phone'])
  const [open] = await readInbox(deps, call().caller.workspaceId)
  if (!open) throw new Error('nothing is open')
  const { workspaceId, id: questionId } = open
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  await waiting

  const early = askUser(deps, { ...ASK, question: 'And now?' }, call())
  await settle()
  const [next] = await readInbox(deps, workspaceId)
  if (!next) throw new Error('nothing is open')
  await answerQuestion(deps, { workspaceId, questionId: next.id, value: 'yes' })
  expect(await early).toMatchObject({ value: 'yes', delivery: { web: 1, mobile: 0 } })
  await clock.advance(6_000)
  await retryDeliveries(retry)
  await settle()
  const asking = world.deliveries.filter(
    ({ message }) => message.tag === next.id && message.kind === 'question',
  )
  expect(asking.map(({ to }) => to.label)).toEqual(['laptop'])
})

test('an active terminal holds the phone alone, unless no local surface is there', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  await world.device('phone', { kind: 'phone' })
  const { workspaceId } = call().caller
  await reportPresence(deps, workspaceId, { machineId: 'm1' })
  const held = await askUser(deps, { ...APPROVAL, wait: false }, call())
  expect(held).toMatchObject({ suppressed: true })
  await settle()
  expect(world.deliveries.map(({ to }) => to.label)).toEqual(['laptop'])

  await askUser(deps, { ...APPROVAL, wait: false, localSurfaceAvailable: false }, call())
  await settle()
  expect(world.deliveries).toHaveLength(3)
  await clock.advance(60_000)
  const later = await askUser(deps, { ...APPROVAL, requestId: 'later', wait: false }, call())
  expect(later.suppressed).toBeUndefined()
  await settle()
  expect(world.deliveries).toHaveLength(5)
})

test('with a phone alone and an active terminal the call still waits: somebody is there', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('phone', { kind: 'phone' })
  const { workspaceId } = call().caller
  await reportPresence(deps, workspaceId, { machineId: 'm1' })
  const asking = askUser(deps, APPROVAL, call())
  await settle()
  const [open] = await readInbox(deps, workspaceId)
  if (!open) throw new Error('nothing is open')
  await answerQuestion(deps, { workspaceId, questionId: open.id, value: 'no' })
  expect(await asking).toMatchObject({ value: 'no' })
})
