import { expect, test } from 'bun:test'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import type { SendNotificationInput } from '../../../src/ask/wire/notification-fields.ts'
import { connect } from '../../support/devices.ts'
import {
  arrived,
  callAt,
  flowsOf,
  LATER,
  NOTE,
  notificationsIn,
  SESSION,
  sentTo,
  tell,
} from '../../support/office-flows.ts'
import { connectEach, postOffice } from '../../support/post-office.ts'
import { retryDeliveries } from '../../support/retry-deliveries.ts'

test('messages of one session take each other’s place on a device, with a count', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  for (const title of ['one', 'two', 'three']) await tell(office, { title })
  const notifications = notificationsIn(office)
  expect(new Set(notifications.map(({ tag }) => tag)).size).toBe(1)
  expect(notifications.map(({ body }) => String(body).split('\n')[1])).toEqual([
    'Claude Code - shop',
    'and 1 more from Claude Code - shop',
    'and 2 more from Claude Code - shop',
  ])
  expect(notifications.map(({ silent }) => silent ?? false)).toEqual([false, true, true])
  const topics = office.push.delivered.map(({ headers }) => headers.topic)
  expect(topics).toEqual(notifications.map(({ tag }) => String(tag)))
  for (const topic of topics) expect(topic).toMatch(/^[\w-]{1,32}$/)
})

test('an ntfy topic is told the same with one sequence, and updates without a sound', async () => {
  await using office = await postOffice()
  const endpoint = `${office.ntfy.origin}/topic`
  await connect(office.db, { kind: 'phone', transport: 'ntfy', keys: undefined, endpoint })
  await tell(office)
  await tell(office)
  const [first, second] = office.ntfy.published
  expect(first?.sequence_id).toMatch(/^n_[\w-]+$/)
  expect(first?.priority).toBe(3)
  expect(second).toMatchObject({
    priority: 2,
    sequence_id: first?.sequence_id,
    message: 'On to the next.\nand 1 more from Claude Code - shop',
  })
})

test('in a chat every message stays, uncounted, and each is retried', async () => {
  await using office = await postOffice()
  const device = office.push.subscribe('chat', LATER, { status: 201 })
  await connect(office.db, { kind: 'chat', ...device })
  for (const title of ['one', 'two']) await tell(office, { title })
  await office.clock.advance(60_000)
  expect(await retryDeliveries(flowsOf(office))).toBe(1)
  await arrived(office, 3)
  const notifications = notificationsIn(office)
  expect(notifications.map(({ title }) => title)).toEqual(['one', 'two', 'one'])
  expect(notifications.some(({ body }) => String(body).includes('more from'))).toBe(false)
})

test('errors, questions and messages of other types or sessions stay side by side', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  const askQuestion = { question: 'Go on?' }
  const each: Array<Partial<SendNotificationInput>> = [
    {},
    { context: { type: 'error' } },
    { context: { type: 'error' } },
    { context: { type: 'task_complete' } },
    { context: { type: 'info', askQuestion } },
    { context: { type: 'info', askQuestion } },
    { sessionId: 's2' },
  ]
  for (const more of each) await tell(office, more)
  for (const question of ['May I?', 'And this?']) {
    await askUser(flowsOf(office), { ...SESSION, question, wait: false }, callAt(office))
    await office.clock.advance(1_000)
  }
  await arrived(office, 9)
  const notifications = notificationsIn(office)
  expect(new Set(notifications.map(({ tag }) => tag)).size).toBe(9)
  expect(new Set(office.push.delivered.map(({ headers }) => headers.topic)).size).toBe(9)
  expect(notifications.some(({ silent }) => silent)).toBe(false)
})

test('a notification that something is done rings although it replaces another', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  const done = { context: { type: 'task_complete' } } as const
  await tell(office, done)
  await tell(office, done)
  const [first, second] = notificationsIn(office)
  expect(second?.tag).toBe(first?.tag)
  expect(second).not.toHaveProperty('silent')
})

test('messages sent at the same moment are counted one after another', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  const flows = flowsOf(office)
  const send = () => sendNotification(flows, { ...NOTE, ...SESSION }, callAt(office))
  await Promise.all([send(), send(), send(), send()])
  const counts = notificationsIn(office).map(
    ({ body }) => /and (\d)/.exec(String(body))?.[1] ?? '0',
  )
  expect(counts.sort()).toEqual(['0', '1', '2', '3'])
})

test('an older message that waits for a retry does not come back over a newer one', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [LATER, { status: 201 }], browser: [] })
  await tell(office, { title: 'one' })
  await tell(office, { title: 'two' })
  expect(sentTo(office, 'phone').map(({ payload }) => payload.notification.title)).toEqual([
    'one',
    'two',
  ])
  await office.clock.advance(60_000)
  expect(await retryDeliveries({ ...flowsOf(office) })).toBe(0)
  expect(sentTo(office, 'phone')).toHaveLength(2)
})

test('an older message is still retried for a device that the newer one was not for', async () => {
  await using office = await postOffice()
  const [, topic] = await connectEach(office, { browser: [], phone: [LATER, { status: 201 }] })
  const other = { title: 'two', subscriberIds: [topic?.id ?? ''] }
  await tell(office, { title: 'one' })
  await tell(office, other)
  await office.clock.advance(60_000)
  expect(await retryDeliveries(flowsOf(office))).toBe(1)
  await arrived(office, 4)
  expect(sentTo(office, 'phone').map(({ payload }) => payload.notification.title)).toEqual([
    'one',
    'two',
    'one',
  ])
})
