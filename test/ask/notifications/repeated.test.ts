import { expect, test } from 'bun:test'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import type { SendNotificationInput } from '../../../src/ask/wire/notification-fields.ts'
import { flowWorld } from '../../support/flow-world.ts'

const NOTE = { title: 'Build finished', body: 'All 214 tests pass.' }
const ASKING: SendNotificationInput = {
  ...NOTE,
  context: { type: 'info', askQuestion: { question: 'Deploy?' } },
}
const HOUR = 60 * 60_000

test.each([
  ['a message', NOTE],
  ['a message with a question', ASKING],
])('%s that is sent again under its id is sent once, with the same result', async (_, note) => {
  await using world = await flowWorld()
  await world.device('laptop')
  await world.device('phone', { kind: 'phone' })
  const call = { ...world.call(), id: 'a' }
  const first = await sendNotification(world.deps, note, call)
  expect(await sendNotification(world.deps, note, call)).toEqual(first)
  expect(world.deliveries).toHaveLength(2)
  await sendNotification(world.deps, note, { ...call, id: 'b' })
  await sendNotification(world.deps, note, world.call())
  await sendNotification(world.deps, note, world.call())
  expect(world.deliveries).toHaveLength(8)
})

test('many at once under one id are one message', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const call = { ...world.call(), id: 'a' }
  const results = await Promise.all(
    Array.from({ length: 20 }, () => sendNotification(world.deps, ASKING, call)),
  )
  expect(world.deliveries).toHaveLength(1)
  expect(new Set(results.map((result) => result.linkedCorrelationId)).size).toBe(1)
})

test('a retry that overtakes its first call is told what is known', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const answer = Promise.withResolvers<{ outcome: 'accepted'; status: number }>()
  world.receipts.set('laptop', () => answer.promise)
  const call = { ...world.call(), id: 'a' }
  const first = sendNotification(world.deps, NOTE, call)
  while (world.deliveries.length === 0) await Bun.sleep(1)
  const second = await sendNotification(world.deps, NOTE, call)
  expect(second).toMatchObject({ sent: 0, hint: 'Some devices have not reported yet.' })
  answer.resolve({ outcome: 'accepted', status: 201 })
  expect(await first).toMatchObject({ sent: 1 })
  expect(await sendNotification(world.deps, NOTE, call)).toMatchObject({ sent: 1 })
  expect(world.deliveries).toHaveLength(1)
})

test('another message under an id that was used is not sent, and says so', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const call = { ...world.call(), id: 'a' }
  await sendNotification(world.deps, ASKING, call)
  const result = await sendNotification(world.deps, { ...ASKING, body: 'It failed.' }, call)
  expect(result).toMatchObject({
    sent: 0,
    hint: expect.stringMatching(/different: body.*another id/),
  })
  expect(result.linkedCorrelationId).toBeUndefined()
  expect(world.deliveries).toHaveLength(1)
})

test('another token, session or test call, and the next hour, have ids of their own', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const call = { ...world.call(), id: 'a' }
  await sendNotification(world.deps, NOTE, call)
  expect(await sendNotification(world.deps, { ...NOTE, sessionId: 'S' }, call)).toMatchObject({
    sent: 1,
  })
  const other = { ...call.caller, tokenId: 'tok_other' as typeof call.caller.tokenId }
  expect(await sendNotification(world.deps, NOTE, { ...call, caller: other })).toMatchObject({
    sent: 1,
  })
  const tested = { ...NOTE, env: 'test' as const }
  expect(await sendNotification(world.deps, tested, call)).toMatchObject({ env: 'test' })
  const late = { ...call.caller, arrivedAt: call.caller.arrivedAt + HOUR }
  expect(await sendNotification(world.deps, NOTE, { ...call, caller: late })).toMatchObject({
    sent: 1,
  })
  expect(world.deliveries).toHaveLength(4)
})
