import { expect, test } from 'bun:test'
import { deviceKey } from '../../../src/ask/delivery/model/links.ts'
import { readReceipts } from '../../../src/ask/delivery/read-receipts.ts'
import { reportSeen } from '../../../src/ask/devices/device-reports.ts'
import { findSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import type { SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import { connect, workspaceId } from '../../support/devices.ts'
import {
  anOutgoingMessage,
  type PostOffice,
  postOffice,
  questionId,
  quickAnswerSecret,
} from '../../support/post-office.ts'

/** Two devices that were sent a question, and one that was not. */
async function sendToTwo(office: PostOffice) {
  const { db, clock, push } = office
  const [one, two] = await connect(
    db,
    { ...push.subscribe('one'), label: 'Pixel' },
    { ...push.subscribe('two'), label: 'Desk' },
  )
  await (await office.mail(anOutgoingMessage(clock))).sending.firstOutcomes(1_000)
  const [other] = await connect(db, { ...push.subscribe('other'), label: 'Other' })
  const deps = { ...office, quickAnswerSecret }
  return {
    one: one?.id as SubscriberId,
    two: two?.id as SubscriberId,
    other: other?.id as SubscriberId,
    say(id: SubscriberId, what: 'shown' | 'opened', about: object = {}) {
      const key = deviceKey(quickAnswerSecret, id)
      return reportSeen(deps, id, what, { key, id: questionId, kind: 'question', ...about })
    },
    device: (id: SubscriberId) => findSubscriber(db.read, workspaceId, id),
    async receipts() {
      const all = await readReceipts(office, workspaceId, questionId)
      const receipts = all.map(({ label, shownAt, openedAt }) => ({ label, shownAt, openedAt }))
      return receipts.sort(
        (a, b) => (a.label === 'Pixel' ? -1 : 1) - (b.label === 'Pixel' ? -1 : 1),
      )
    },
  }
}

const NOTHING = { shownAt: undefined, openedAt: undefined }

test('what a device showed and opened is kept for that device and that message', async () => {
  await using office = await postOffice()
  const { say, one, receipts, device } = await sendToTwo(office)
  const shownAt = office.clock.now()
  await say(one, 'shown')
  await office.clock.advance(60_000)
  await say(one, 'opened')
  const openedAt = office.clock.now()
  expect(await receipts()).toEqual([
    { label: 'Pixel', shownAt, openedAt },
    { label: 'Desk', ...NOTHING },
  ])
  expect(await device(one)).toMatchObject({ lastShownAt: shownAt, lastOpenedAt: openedAt })
})

test('a report that is repeated changes nothing, however late it comes', async () => {
  await using office = await postOffice()
  const { say, one, receipts, device } = await sendToTwo(office)
  const shownAt = office.clock.now()
  await Promise.all([say(one, 'shown'), say(one, 'shown')])
  await office.clock.advance(40 * 24 * 3_600_000)
  await say(one, 'shown')
  expect((await receipts())[0]).toEqual({ label: 'Pixel', shownAt, openedAt: undefined })
  expect((await device(one))?.lastShownAt).toBe(shownAt)
})

test('a forged report changes nothing of other devices, other messages, or what never was', async () => {
  await using office = await postOffice()
  const { say, one, two, other, receipts, device } = await sendToTwo(office)
  const key = deviceKey(quickAnswerSecret, two)
  await expect(say(one, 'opened', { key })).rejects.toMatchObject({ code: 'forbidden' })
  await say(other, 'opened')
  for (const about of [{ kind: 'outcome' }, { id: 'q_none' }, { id: "' or 1=1 --" }, { id: '' }]) {
    await say(one, 'opened', about)
  }
  // As a worker from before there were these reports says it.
  await say(one, 'shown', { id: undefined, kind: undefined })
  expect(await receipts()).toEqual([
    { label: 'Pixel', ...NOTHING },
    { label: 'Desk', ...NOTHING },
  ])
  expect((await device(one))?.lastShownAt).toBe(office.clock.now())
  expect(await device(two)).toMatchObject({ lastShownAt: undefined, lastOpenedAt: undefined })
})
