import { expect, test } from 'bun:test'
import { rotateCallbackSecret } from '../../../src/ask/callbacks/callback-secret.ts'
import { redeliverCallback } from '../../../src/ask/callbacks/queue-callback.ts'
import { callbackWorld, codeOf, nextAttempt, verified } from '../../support/callback-world.ts'
import { until } from '../../support/until.ts'

const HOUR = 3_600_000

test('while a secret is exchanged, a receiver with either is served; a day later only the new one', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  const old = await world.secret()
  await rotateCallbackSecret({ db, clock }, world.workspaceId)
  const fresh = await world.secret()
  expect(fresh).not.toBe(old)

  await world.answered(world.receiver.url('/during'))
  await world.send()
  const [during] = world.receiver.received
  if (!during) throw new Error('nothing arrived')
  for (const secret of [old, fresh]) verified(secret, during, clock.now())
  expect(String(during.headers['x-service-signature']).split(',')).toHaveLength(3)

  await clock.advance(24 * HOUR)
  await world.answered(world.receiver.url('/after'))
  await world.send()
  const after = world.receiver.received[1]
  if (!after) throw new Error('nothing arrived')
  verified(fresh, after, clock.now())
  expect(() => verified(old, after, clock.now())).toThrow()
})

test('secrets are not rotated away under the receivers: after five in a day there is a stop', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  await world.secret()
  for (let i = 0; i < 4; i++) await rotateCallbackSecret({ db, clock }, world.workspaceId)
  const secret = await world.secret()
  expect(await codeOf(rotateCallbackSecret({ db, clock }, world.workspaceId))).toBe('conflict')
  expect(await world.secret()).toBe(secret)
})

test('sending again keeps the id and the bytes, and begins a new day', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  await world.answered(
    world.receiver.url('/hook', { status: 410 }, { status: 500 }, { status: 204 }),
  )
  await world.send()
  const [gone] = await world.callbacks()
  if (!gone) throw new Error('no callback')
  expect(gone.state).toBe('gone')
  await clock.advance(48 * HOUR)
  const of = { workspaceId: world.workspaceId, id: gone.id }
  await redeliverCallback({ db, clock }, of)
  await world.send()
  await nextAttempt(world)
  const { received } = world.receiver
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([gone.id, gone.id, gone.id])
  expect(await world.callbacks()).toMatchObject([
    { id: gone.id, state: 'delivered', log: [{ status: 410 }, { status: 500 }, { status: 204 }] },
  ])
})

test('what is being sent is not sent again beside it; what is not ours is not found', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  await world.answered(world.receiver.url('/hook'))
  const stuck = world.process('stuck', { fetch: () => new Promise(() => {}) })
  await stuck.look()
  await until(async () => (await world.callbacks())[0]?.claimedBy === 'stuck')
  const id = (await world.callbacks())[0]?.id ?? 'cb_none'
  const ours = { workspaceId: world.workspaceId, id }
  expect(await codeOf(redeliverCallback({ db, clock }, ours))).toBe('conflict')
  const theirs = { ...ours, workspaceId: 'ws_other' as const }
  expect(await codeOf(redeliverCallback({ db, clock }, theirs))).toBe('not_found')
})
