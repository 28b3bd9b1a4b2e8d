import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { createSender } from '../../../src/ask/delivery/fan-out.ts'
import type { DeliveryReceipt } from '../../../src/ask/delivery/model/channel.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { settle } from '../../support/fake-clock.ts'
import type { FlowWorld } from '../../support/flow-world.ts'
import { ASK, heldPhones } from '../../support/held-phones.ts'
import { retryDeliveries } from '../../support/retry-deliveries.ts'

const MINUTE = 60_000

const inMs = (world: FlowWorld, ms: number) => new Date(world.clock.now() + ms).toISOString()

test('a held phone rings presenceMs after the last proof of presence', async () => {
  await using house = await heldPhones({ phone: 'phone', laptop: 'browser' })
  const { world, rang, pass } = house
  await house.prove()
  await pass(40_000)
  const askedAt = world.clock.now()
  await house.ask({ wait: false, waitEndsAt: inMs(world, 5 * MINUTE), toolName: 'Bash' })
  await pass(19_000)
  expect(rang.map(([label]) => label)).toEqual(['laptop'])
  await pass(2_000)
  expect(rang.map(([label]) => label)).toEqual(['laptop', 'phone'])
  expect(rang[1]?.[1]).toBeGreaterThanOrEqual(askedAt + 20_000)
  await pass(MINUTE)
  expect(rang).toHaveLength(2)
})

test('a proof that comes meanwhile keeps it silent for longer, never beyond a minute after the ask', async () => {
  await using house = await heldPhones({ phone: 'phone' })
  const { world, rang, pass } = house
  await house.prove()
  await pass(50_000)
  const askedAt = world.clock.now()
  await house.ask({ wait: false, waitEndsAt: inMs(world, 5 * MINUTE), toolName: 'Bash' })
  await pass(5_000)
  await house.prove()
  await pass(25_000)
  expect(rang).toEqual([])
  await house.prove()
  await pass(31_000)
  expect(rang).toHaveLength(1)
  expect(rang[0]?.[1]).toBeGreaterThan(askedAt + 50_000)
  expect(rang[0]?.[1]).toBeLessThanOrEqual(askedAt + MINUTE)
})

test('a proof on another machine, or one that a test token sends, holds nothing', async () => {
  await using house = await heldPhones({ phone: 'phone' })
  const { world, pass } = house
  const { deps, call } = world
  await house.prove('m2')
  const report = { client: 'claude', event: 'heartbeat', sessionId: 's1', machineId: 'm1' } as const
  await reportHook(deps, { ...report, interactive: true }, call({ test: true }))
  expect((await house.ask({ wait: false })).suppressed).toBeUndefined()
  await pass(1_000)
  expect(world.deliveries).toHaveLength(1)
})

test('what a hook reports of its person moves the ring as well', async () => {
  await using house = await heldPhones({ phone: 'phone' })
  const { world, rang, pass } = house
  const { deps, call, clock } = world
  await house.prove()
  await pass(50_000)
  const askedAt = clock.now()
  await house.ask({ wait: false, waitEndsAt: inMs(world, 5 * MINUTE), toolName: 'Bash' })
  await pass(5_000)
  const report = { client: 'claude', event: 'heartbeat', sessionId: 's1', machineId: 'm1' } as const
  await reportHook(deps, { ...report, interactive: true }, call())
  await pass(45_000)
  expect(rang).toEqual([])
  await pass(10_000)
  expect(rang[0]?.[1]).toBeLessThanOrEqual(askedAt + MINUTE)
})

test('with a phone alone it rings in the first half of the wait, and the result counts it', async () => {
  await using house = await heldPhones({ phone: 'phone' })
  const { world, rang, pass } = house
  await house.prove()
  const askedAt = world.clock.now()
  const asking = house.ask({ requestId: 'call_1' })
  await pass(45_000)
  const result = await asking
  expect(rang[0]?.[1]).toBeGreaterThan(askedAt)
  expect(rang[0]?.[1]).toBeLessThanOrEqual(askedAt + 22_500)
  expect(result).toMatchObject({ timedOut: true, delivery: { web: 0, mobile: 1 } })
  expect(result.delivery?.pending).toBeUndefined()
  expect(result.suppressed).toBeUndefined()
})

test('suppressed is said while the push is held, and not by a retry after it rang', async () => {
  await using house = await heldPhones({ phone: 'phone', laptop: 'browser' })
  const { pass, world } = house
  await house.prove()
  const held = { suppressed: true, delivery: { web: 1, mobile: 0, pending: true } }
  const ask = { wait: false, requestId: 'call_1' }
  const first = await house.ask(ask)
  expect(first).toMatchObject({ suppressed: true, delivery: { pending: true } })
  await settle()
  expect(await house.ask(ask)).toMatchObject({ ...held, correlationId: first.correlationId })
  await pass(23_000)
  const later = await house.ask(ask)
  expect(later).toMatchObject({
    correlationId: first.correlationId,
    delivery: { web: 1, mobile: 1 },
  })
  expect(later).not.toHaveProperty('suppressed')
  const { deps, call } = world
  const { correlationId } = first
  const waited = waitForAnswer(deps, { correlationId, timeoutMs: 1_000 }, call())
  await pass(1_000)
  expect(await waited).not.toHaveProperty('suppressed')
})

test('answered before it rings, the phone is never told', async () => {
  await using house = await heldPhones({ phone: 'phone', laptop: 'browser' })
  const { world, pass } = house
  const { deps, call } = world
  await house.prove()
  const asking = house.ask()
  await pass(5_000)
  const [{ message } = { message: undefined }] = world.deliveries
  const questionId = message?.tag as QuestionId
  const { workspaceId } = call().caller
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  const result = await asking
  expect(result).toMatchObject({ value: 'yes', delivery: { web: 1, mobile: 0 } })
  expect(result.delivery?.pending).toBeUndefined()
  await pass(2 * MINUTE)
  expect(world.deliveries.filter(({ to }) => to.label === 'phone')).toEqual([])
})

test('two processes that look at the same moment ring once', async () => {
  await using house = await heldPhones({})
  const { world } = house
  const { db, clock, deps } = world
  await world.device('phone', { kind: 'phone' })
  const sentBy: string[] = []
  const postOf = (holder: string) =>
    createSender({
      db,
      clock,
      holder,
      log: silentLog,
      channels: [
        {
          transport: 'webpush',
          async send(): Promise<DeliveryReceipt> {
            sentBy.push(holder)
            return { outcome: 'accepted', status: 201 }
          },
        },
      ],
    })
  await using one = postOf('one')
  await using two = postOf('two')
  await house.prove()
  // Its own process is gone before the phone rings.
  await using gone = postOf('gone')
  await askUser({ ...deps, sender: gone }, { ...ASK, wait: false }, world.call())
  await using others = new AsyncDisposableStack()
  for (const sender of [one, two]) {
    const look = async () => void (await retryDeliveries({ db, clock, sender }))
    for (let at = 1; at <= 30; at++) others.defer(clock.after(at * 1_000, () => void look()))
  }
  await clock.advance(30_000)
  await settle()
  expect(sentBy.length + world.deliveries.length).toBe(1)
})

test('a phone that refuses when it rings at last leaves nobody to wait for', async () => {
  await using house = await heldPhones({ phone: 'phone' })
  const { world, pass } = house
  world.receipts.set('phone', async () => ({ outcome: 'gone', status: 410, reason: 'Gone.' }))
  await house.prove()
  const asking = house.ask()
  await pass(45_000)
  expect(await asking).toMatchObject({
    noDevices: true,
    delivery: { web: 0, mobile: 0 },
    handoffAction: 'cancel_then_ask_in_current_client',
  })
})

test('the grace keeps its meaning beside presence: both have to be over', async () => {
  await using house = await heldPhones({ phone: 'phone' })
  const { world, rang, pass } = house
  const { deps, call, clock } = world
  await setPolicy(deps, call().caller.workspaceId, { graceMs: 40_000 })
  await house.prove()
  const askedAt = clock.now()
  const held = await house.ask({ wait: false })
  expect(held.suppressed).toBe(true)
  await pass(39_500)
  expect(rang).toEqual([])
  await pass(1_500)
  expect(rang[0]?.[1]).toBeGreaterThanOrEqual(askedAt + 40_000)
})

test('in notify_only a delayed phone is notified later', async () => {
  await using house = await heldPhones({ phone: 'phone' })
  const { world, rang, pass } = house
  const { deps, call } = world
  await setPolicy(deps, call().caller.workspaceId, { deliveryMode: 'notify_only' })
  await house.prove()
  const result = await house.ask()
  expect(result).toMatchObject({ status: 'notified', delivery: { mobile: 0, pending: true } })
  expect(result).not.toHaveProperty('noDevices')
  await pass(23_000)
  expect(rang).toHaveLength(1)
})
