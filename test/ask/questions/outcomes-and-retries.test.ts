import { expect, test } from 'bun:test'
import { listDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { questionMessage } from '../../../src/ask/delivery/question-message.ts'
import { endQuestion } from '../../../src/ask/questions/end-question.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import type { SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import { workspaceId } from '../../support/devices.ts'
import { onEnded } from '../../support/on-ended.ts'
import {
  aMessage,
  anOutgoingMessage,
  connectEach,
  type PostOffice,
  postOffice,
  questionId,
} from '../../support/post-office.ts'
import { aQuestion } from '../../support/question.ts'
import { retryDeliveries } from '../../support/retry-deliveries.ts'
import { until } from '../../support/until.ts'

const NEVER_MS = 1e9

async function ask(office: PostOffice, more: Partial<Question> = {}) {
  const createdAt = office.clock.now()
  const changes = {
    workspaceId,
    id: questionId,
    createdAt,
    expiresAt: createdAt + 600_000,
    ...more,
  }
  const question = aQuestion(questionId, changes)
  await office.db.write((tx) => insertQuestion(tx, question))
  const { sending } = await office.mail(questionMessage(question))
  await sending.firstOutcomes(NEVER_MS)
  await until(async () => (await rowsOf(office)).every((row) => row.attempts > 0))
  return { question, sending }
}

const rowsOf = (office: PostOffice) => listDeliveries(office.db.read, workspaceId, questionId)

async function answer(
  { db, clock, sender }: Pick<PostOffice, 'db' | 'clock' | 'sender'>,
  { value = 'yes', endedOn }: { value?: string; endedOn?: SubscriberId } = {},
) {
  const ending = { value }
  const of = { workspaceId, id: questionId, ending, ...(endedOn && { endedOn }) }
  const ended = await endQuestion({ db, clock, onEnded: onEnded(sender) }, 'answer', of)
  if (!ended) throw new Error('the question could not be answered')
}

const LATER = { status: 429, headers: { 'retry-after': '30' } }

test('what a push service asked to try later is sent when it is due, and the count rises', async () => {
  await using office = await postOffice()
  const { clock } = office
  await connectEach(office, { phone: [LATER, { status: 201 }] })
  const { sending } = await ask(office)
  expect(sending.counts()).toMatchObject({ mobile: 0, pending: true })
  await clock.advance(29_000)
  expect(await retryDeliveries(office)).toBe(0)
  await clock.advance(1_000)
  expect(await retryDeliveries(office)).toBe(1)
  await until(() => sending.counts().mobile === 1)
  expect(sending.counts().pending).toBe(false)
  expect(office.push.delivered[1]?.headers.ttl).toBe('570')
})

test('a device is not asked again once the question has ended', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [LATER, { status: 201 }] })
  const { sending } = await ask(office)
  await answer(office)
  await office.clock.advance(30_000)
  expect(await retryDeliveries(office)).toBe(0)
  expect(sending.counts()).toMatchObject({ mobile: 0, pending: false })
  await until(async () => (await rowsOf(office))[0]?.state === 'lapsed')
  expect(office.push.delivered).toHaveLength(1)
})

test('what waits longer than the message is worth lapses at once', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [{ status: 503, headers: { 'retry-after': '3600' } }] })
  const { sending } = await ask(office)
  expect(sending.counts()).toMatchObject({ mobile: 0, pending: false })
  expect(await rowsOf(office)).toMatchObject([
    { state: 'lapsed', lastError: expect.stringContaining('503') },
  ])
})

test('a message left behind by a process that died is delivered by the next one, once', async () => {
  await using office = await postOffice()
  const { db, clock } = office
  await connectEach(office, { phone: [] })
  const outgoing = anOutgoingMessage(clock, { message: aMessage({ kind: 'notification' }) })
  const dead = office.openSender('a process that died')
  const rows = await dead.address(db.read, outgoing)
  await db.write((tx) => dead.store(tx, rows))

  expect(await retryDeliveries(office)).toBe(0)
  await clock.advance(31_000)
  expect(await retryDeliveries(office)).toBe(1)
  await until(async () => (await rowsOf(office))[0]?.state === 'accepted')
  await clock.advance(60_000)
  expect(await retryDeliveries(office)).toBe(0)
  expect(office.push.delivered).toHaveLength(1)
})

test('the end of a question replaces it on every device that has it, and on no other', async () => {
  await using office = await postOffice()
  const devices = await connectEach(office, {
    'phone one': [],
    'browser two': [],
    'browser refused': [{ status: 400 }],
    'phone later': [LATER],
    'phone answering': [],
  })
  await ask(office)
  office.push.delivered.length = 0
  const answering = devices.find((device) => device.label === 'phone answering')
  await answer(office, answering && { endedOn: answering.id })
  await office.push.until(2)
  await until(async () => (await rowsOf(office)).every((row) => row.state !== 'waiting'))
  expect(office.push.delivered.map((one) => one.name).sort()).toEqual(['browser-two', 'phone-one'])
  for (const { payload, headers } of office.push.delivered) {
    expect(payload.notification).toMatchObject({
      title: 'Answered: yes',
      tag: questionId,
      silent: true,
      data: { kind: 'outcome' },
    })
    expect(headers).toMatchObject({ topic: questionId, urgency: 'normal' })
  }
  const rows = (await rowsOf(office)).filter((row) => row.message.kind === 'question')
  const labels = new Map(devices.map(({ id, label }) => [id, label]))
  const ends = rows.map((row) => `${labels.get(row.subscriberId)} ${row.state}`)
  expect(ends.sort()).toEqual([
    'browser refused refused',
    'browser two accepted',
    'phone answering accepted',
    'phone later lapsed',
    'phone one accepted',
  ])
})

test('a process that dies with the answer leaves the outcome to the next one', async () => {
  await using office = await postOffice()
  const { db, clock } = office
  await connectEach(office, { phone: [] })
  await ask(office)
  const dead = office.openSender('a process that died')
  const sender = { ...dead, send: () => dead.send([]) }
  await answer({ db, clock, sender })
  await clock.advance(31_000)
  expect(await retryDeliveries(office)).toBe(1)
  await office.push.until(2)
  expect(office.push.delivered[1]?.payload.notification).toMatchObject({
    title: 'Answered: yes',
    tag: questionId,
  })
})

test('a typed answer never appears on the other devices', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [] })
  await ask(office, { type: 'input' })
  await answer(office, { value: 'my secret plan' })
  await office.push.until(2)
  expect(JSON.stringify(office.push.delivered[1]?.payload)).not.toContain('secret plan')
})

test('the end of a question that reached nobody is announced to nobody', async () => {
  await using office = await postOffice()
  await connectEach(office, { phone: [{ status: 400 }] })
  await ask(office)
  await answer(office)
  expect(await rowsOf(office)).toHaveLength(1)
})
