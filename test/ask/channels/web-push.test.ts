import { expect, test } from 'bun:test'
import { vapidSubject } from '../../../src/ask/channels/web-push/channel.ts'
import { verifyDeviceKey, verifyQuickKey } from '../../../src/ask/delivery/model/links.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import { readRetryAfter } from '../../../src/platform/outgoing/reply.ts'
import { aDevice } from '../../support/devices.ts'
import {
  aMessage,
  type PostOffice,
  postOffice,
  questionId,
  quickAnswerSecret,
  vapid,
} from '../../support/post-office.ts'
import { readVapid } from '../../support/push-server.ts'

const never = new AbortController().signal

async function push(office: PostOffice, message = aMessage(), device?: Subscriber) {
  const to = device ?? aDevice(office.push.subscribe(`device-${office.push.delivered.length}`))
  const delivery = { message, subjectId: questionId, expiresAt: office.clock.now() + 600_000 }
  const receipt = await office.channel.send(delivery, to, never)
  const delivered = office.push.delivered.at(-1)
  if (!delivered) throw new Error(`nothing arrived: ${JSON.stringify(receipt)}`)
  return { ...delivered, receipt, device: to }
}

test('a push is declarative, encrypted for the device, and says how urgent and how long', async () => {
  await using office = await postOffice()
  const { headers, payload, device } = await push(office)
  expect(headers).toMatchObject({
    ttl: '600',
    urgency: 'high',
    topic: questionId,
    'content-encoding': 'aes128gcm',
  })
  expect(payload).toMatchObject({
    web_push: 8030,
    mutable: true,
    notification: {
      title: 'Claude Code asks',
      body: 'May I run the migration?',
      tag: questionId,
      navigate: `https://beckon.example.com/d/${questionId}#push=question.${questionId}`,
    },
  })
  const { data } = payload.notification
  expect(data).toMatchObject({ kind: 'question', id: questionId, subscriberId: device.id })
  const { answerKey, deviceKey } = data as { answerKey: string; deviceKey: string }
  expect(verifyQuickKey(quickAnswerSecret, questionId, device.id, answerKey)).toBe(true)
  expect(verifyQuickKey(quickAnswerSecret, 'q_other', device.id, answerKey)).toBe(false)
  expect(verifyQuickKey(quickAnswerSecret, questionId, 'sub_other', answerKey)).toBe(false)
  expect(verifyQuickKey(quickAnswerSecret, questionId, device.id, '')).toBe(false)
  expect(verifyDeviceKey(quickAnswerSecret, device.id, deviceKey)).toBe(true)
  expect(verifyDeviceKey(quickAnswerSecret, device.id, answerKey)).toBe(false)
})

test('only a question that may be answered with one tap carries a key for it', async () => {
  await using office = await postOffice()
  const slow = { correlationId: questionId, type: 'confirm', quick: false } as const
  const questionPush = await push(office, aMessage({ question: slow }))
  expect(questionPush.payload.notification.data).not.toHaveProperty('answerKey')
  const { question, ...plain } = aMessage({ kind: 'notification' })
  expect(question).toBeDefined()
  const notificationPush = await push(office, plain)
  expect(notificationPush.payload.notification.data).not.toHaveProperty('answerKey')
})

test('an outcome replaces without a sound', async () => {
  await using office = await postOffice()
  const { payload } = await push(office, aMessage({ kind: 'outcome', title: 'Answered: yes' }))
  expect(payload.notification).toMatchObject({ silent: true, tag: questionId })
})

test('one signature serves a push service for hours, and says whom to ask', async () => {
  await using office = await postOffice()
  const first = await push(office)
  await office.clock.advance(10 * 3_600_000)
  const second = await push(office)
  await office.clock.advance(2 * 3_600_000)
  const third = await push(office)
  expect(second.headers.authorization).toBe(first.headers.authorization as string)
  expect(third.headers.authorization).not.toBe(first.headers.authorization as string)
  const { claims, key } = await readVapid(third.headers.authorization as string)
  expect(claims).toEqual({
    aud: office.push.origin,
    sub: 'https://beckon.example.com',
    exp: office.clock.now() / 1000 + 43_200,
  })
  expect(key).toBe(vapid.publicKey)
})

test('what is too large loses its pictures, then the end of its body, never half a character', async () => {
  await using office = await postOffice()
  const body = '👩‍👩‍👧 '.repeat(600)
  const long = await push(office, aMessage({ body, iconUrl: `/i?${'x'.repeat(300)}` }))
  const text = long.payload.notification.body as string
  expect(long.bytes).toBeLessThan(3_200)
  expect(long.payload.notification).not.toHaveProperty('icon')
  expect(text.endsWith('…')).toBe(true)
  expect(text.isWellFormed()).toBe(true)
  expect(body.startsWith(text.slice(0, -1))).toBe(true)
  expect(Buffer.byteLength(text)).toBeGreaterThan(1_500)

  const small = await push(office, aMessage({ body: 'short', iconUrl: '/icon.png' }))
  expect(small.payload.notification).toMatchObject({ icon: 'https://beckon.example.com/icon.png' })
})

test('a service that finds it too large gets a smaller one, once', async () => {
  await using office = await postOffice()
  const device = aDevice(office.push.subscribe('small', { status: 413 }, { status: 201 }))
  const { receipt } = await push(office, aMessage({ body: 'w'.repeat(2_500) }), device)
  expect(receipt).toEqual({ outcome: 'accepted', status: 201 })
  expect(office.push.delivered.map((one) => one.bytes < 1_400)).toEqual([false, true])
})

test('a tap opens web addresses only', async () => {
  await using office = await postOffice()
  const cases = [
    ['/d/q_1', 'https://beckon.example.com/d/q_1'],
    // Another site, without a page that names it.
    ['https://ci.example/run/5', 'https://beckon.example.com'],
    ['javascript:alert(1)', 'https://beckon.example.com'],
    ['data:text/html,x', 'https://beckon.example.com'],
    [`https://x.example/${'y'.repeat(5_000)}`, 'https://beckon.example.com'],
  ]
  for (const [url = '', opened] of cases) {
    const { payload } = await push(office, aMessage({ url }))
    expect(String(payload.notification.navigate).split('#push=')[0]).toBe(opened)
  }
})

test('a device with broken keys is refused in words, and nothing is sent', async () => {
  await using office = await postOffice()
  const good = office.push.subscribe('broken')
  const broken = [
    undefined,
    { p256dh: '', auth: '' },
    { p256dh: 'AAAA', auth: good.keys.auth },
    { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: good.keys.auth },
    { p256dh: good.keys.p256dh, auth: 'AA' },
  ]
  for (const keys of broken) {
    const delivery = { message: aMessage(), subjectId: questionId, expiresAt: 1e15 }
    const receipt = await office.channel.send(delivery, aDevice({ ...good, keys }), never)
    expect(receipt).toMatchObject({ outcome: 'refused', status: 0 })
  }
  expect(office.push.delivered).toEqual([])
})

test('an endpoint in a private network that nobody allowed is refused', async () => {
  await using office = await postOffice()
  const device = aDevice({ ...office.push.subscribe('x'), endpoint: 'https://10.0.0.1/push' })
  const delivery = { message: aMessage(), subjectId: questionId, expiresAt: 1e15 }
  const receipt = await office.channel.send(delivery, device, never)
  expect(receipt).toMatchObject({ outcome: 'refused', status: 0 })
})

test('without a contact that can be reached, Apple is not asked and the alarm says what to set', async () => {
  await using office = await postOffice({ baseUrl: 'http://localhost:8484' })
  const endpoint = 'https://web.push.apple.com/Q'
  const device = aDevice({ ...office.push.subscribe('x'), endpoint })
  const delivery = { message: aMessage(), subjectId: questionId, expiresAt: 1e15 }
  const receipt = await office.channel.send(delivery, device, never)
  expect(receipt).toMatchObject({ outcome: 'refused' })
  expect(receipt.outcome === 'refused' && receipt.alarm).toContain('BECKON_VAPID_SUBJECT')
})

test('the subject is what was configured, the public address, or a mailto that says where', () => {
  const cases = [
    [undefined, 'https://beckon.example.com', 'https://beckon.example.com', true],
    ['mailto:me@example.com', 'http://localhost:8484', 'mailto:me@example.com', true],
    [undefined, 'http://localhost:8484', 'mailto:beckon@localhost', false],
    [undefined, 'https://localhost:8484', 'mailto:beckon@localhost', false],
    [undefined, 'https://box.local', 'mailto:beckon@box.local', false],
    [undefined, 'https://box.invalid', 'mailto:beckon@box.invalid', false],
    [undefined, 'https://box', 'mailto:beckon@box', false],
    [undefined, 'http://beckon.example.com', 'mailto:beckon@beckon.example.com', false],
    [undefined, 'https://box.tail1234.ts.net', 'https://box.tail1234.ts.net', true],
  ] as const
  for (const [configured, baseUrl, subject, reachable] of cases) {
    expect(vapidSubject(configured, baseUrl)).toEqual({ subject, reachable })
  }
})

test('Retry-After is seconds or a date, at least a second away', () => {
  const now = Date.UTC(2026, 0, 31, 12)
  expect(readRetryAfter('120', now)).toBe(120_000)
  expect(readRetryAfter('0', now)).toBe(1_000)
  expect(readRetryAfter('Sat, 31 Jan 2026 12:00:30 GMT', now)).toBe(30_000)
  expect(readRetryAfter('Sat, 31 Jan 2026 11:00:00 GMT', now)).toBe(1_000)
  expect(readRetryAfter('soon', now)).toBeUndefined()
  expect(readRetryAfter(null, now)).toBeUndefined()
})
