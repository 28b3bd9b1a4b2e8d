import { expect, test } from 'bun:test'
import { CLAIM_MS } from '../../../src/platform/db/outbox.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { callbackReceiver } from '../../support/callback-receiver.ts'
import { callbackWorld } from '../../support/callback-world.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { until } from '../../support/until.ts'

test('a receiver that hangs holds up no other, however much waits for it', async () => {
  await using world = await callbackWorld()
  await using stuck = await callbackReceiver()
  for (let i = 0; i < 30; i++) await world.answered(stuck.url('/stuck', 'hang'))
  const patient = world.process('patient', {
    fetch: createGuardedFetch({
      allowPrivateHosts: ['127.0.0.1'],
    }).fetch,
  })
  await patient.look()
  await until(() => stuck.received.length === 8)
  await world.answered(world.receiver.url('/quick'))
  await patient.look()
  await until(() => world.receiver.received.length === 1)
  // It was received before it is known here.
  await until(async () => (await world.callbacks()).some(({ state }) => state === 'delivered'))
  expect(stuck.mostOpen()).toBe(8)

  const closed = patient[Symbol.asyncDispose]()
  await until(() => world.flows.clock.pending() > 0)
  await world.flows.clock.advance(2_000)
  await closed
  const free = (await world.callbacks()).filter((row) => row.state === 'waiting')
  expect(free).toHaveLength(30)
  expect(free.every((row) => row.claimedBy === null && row.attempts === 0)).toBe(true)
})

test('what a process took and never finished is sent by another once its claim is over', async () => {
  await using world = await callbackWorld()
  const { clock } = world.flows
  await world.answered(world.receiver.url('/hook'))
  // A clock of its own that nobody winds: a dead process renews nothing.
  const dead = { clock: fakeClock(clock.now()), fetch: () => new Promise<never>(() => {}) }
  await world.process('dies', dead).look()
  await world.send()
  expect(await world.callbacks()).toMatchObject([{ state: 'waiting', claimedBy: 'dies' }])
  expect(world.receiver.received).toEqual([])

  await clock.advance(CLAIM_MS)
  await world.send()
  const [callback] = await world.callbacks()
  expect(callback).toMatchObject({ state: 'delivered', attempts: 1 })
  expect(world.receiver.received[0]?.headers['webhook-id']).toBe(String(callback?.id))
})

test('a living process keeps what it has in hand, however long it takes', async () => {
  await using world = await callbackWorld()
  await world.answered(world.receiver.url('/hook'))
  const slow = world.process('slow', { fetch: () => new Promise<never>(() => {}) })
  await slow.look()
  for (let i = 0; i < 6; i++) await world.flows.clock.advance(10_000)
  await world.send()
  expect(await world.callbacks()).toMatchObject([{ claimedBy: 'slow', attempts: 0 }])
})

test('an answer whose process ended between the commit and the request is sent by the next start', async () => {
  await using world = await callbackWorld()
  await world.answered(world.receiver.url('/hook'))
  expect(await world.callbacks()).toMatchObject([{ state: 'waiting', claimedBy: null }])
  const next = world.process('after the restart')
  await world.send(next)
  expect(world.receiver.received).toHaveLength(1)
  await next[Symbol.asyncDispose]()
})

test('two processes send each callback once', async () => {
  await using world = await callbackWorld()
  for (let i = 0; i < 20; i++) await world.answered(world.receiver.url(`/hook-${i}`))
  const other = world.process('other')
  await Promise.all([world.send(), world.send(other)])
  await world.send()
  expect(world.receiver.received).toHaveLength(20)
  await other[Symbol.asyncDispose]()
})
