import { expect, test } from 'bun:test'
import { listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { connect, workspaceId } from '../../support/devices.ts'
import { settle } from '../../support/fake-clock.ts'
import { flowWorld } from '../../support/flow-world.ts'
import {
  anOutgoingMessage,
  connectEach,
  postOffice,
  questionId,
} from '../../support/post-office.ts'
import { pushServer } from '../../support/push-server.ts'
import { until } from '../../support/until.ts'

const HANGING = 80
const OTHERS = 200

test('while one push service hangs, two hundred deliveries to others and to ntfy go out', async () => {
  await using office = await postOffice()
  await using other = await pushServer()
  const { db, clock, push, ntfy } = office
  const many = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${name}-${i}`)
  const hangs = many('phone', HANGING).map((label) => [label, ['hang' as const]])
  await connectEach(office, Object.fromEntries(hangs))
  await connectEach(
    office,
    Object.fromEntries(many('browser', OTHERS - 20).map((l) => [l, []])),
    other,
  )
  await connect(
    db,
    ...many('topic', 20).map((label) => ({
      label,
      kind: 'phone' as const,
      transport: 'ntfy' as const,
      keys: undefined,
      endpoint: `${ntfy.origin}/${label}`,
    })),
  )

  const { sending } = await office.mail(anOutgoingMessage(clock))
  await until(() => other.delivered.length + ntfy.published.length === OTHERS)
  await until(() => sending.counts().web + sending.counts().mobile === OTHERS)
  // The clock stood still: nobody has given up on the one that hangs.
  expect(sending.counts()).toMatchObject({ web: OTHERS - 20, mobile: 20, pending: true })
  expect([push.mostOpen(), push.open()]).toEqual([64, 64])
  expect(other.mostOpen()).toBeLessThanOrEqual(64)
  await until(async () => {
    const rows = await listDeliveries(db.read, workspaceId, questionId)
    return rows.filter(({ state }) => state === 'accepted').length === OTHERS
  })

  const closed = office.sender[Symbol.asyncDispose]()
  await clock.advance(2_000)
  await closed
  const rows = await listDeliveries(db.read, workspaceId, questionId)
  const left = rows.filter(({ state }) => state === 'waiting')
  expect(left).toHaveLength(HANGING)
  // What the server's own end cut is nobody's fault: no attempt, no word about the device.
  expect(
    left.every(({ attempts, lastError, claimedBy }) => !attempts && !lastError && !claimedBy),
  ).toBe(true)
})

test('a call says after 2 seconds what is still open, whatever a push service does', async () => {
  await using world = await flowWorld()
  const { deps, clock } = world
  await world.device('quick')
  await world.device('stuck', { kind: 'phone' })
  const never = Promise.withResolvers<never>()
  world.receipts.set('stuck', () => never.promise)
  let outcome: unknown
  const call = sendNotification(deps, { title: 'Built', body: 'All green' }, world.call()).then(
    (result) => (outcome = result),
  )
  await until(() => world.deliveries.length === 2)
  await settle()
  await clock.advance(1_999)
  const early = outcome
  await clock.advance(1)
  const result = await call
  never.reject(new Error('the end of the test'))
  expect(early).toBeUndefined()
  expect(result).toMatchObject({
    sent: 1,
    delivery: { web: { recipients: 1 }, mobile: { recipients: 0 } },
    hint: expect.stringContaining('have not reported yet'),
  })
})

test('what is still on its way is not taken up again when its claim ran out before it was renewed', async () => {
  await using office = await postOffice()
  await connectEach(office, { hangs: ['hang', { status: 201 }] })
  await office.mail(anOutgoingMessage(office.clock))
  await office.push.until(1)
  await office.db.orm.run('update deliveries set claimed_until = 0')
  expect(await office.sender.takeDue(10)).toEqual([])
  // It is this process's again.
  const [row] = await listDeliveries(office.db.read, workspaceId, questionId)
  expect(row?.claimedUntil).toBeGreaterThan(office.clock.now())
  const closed = office.sender[Symbol.asyncDispose]()
  await office.clock.advance(2_000)
  await closed
})
