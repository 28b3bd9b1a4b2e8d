import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { linkPath, quickKey } from '../../../src/ask/delivery/model/links.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { ReceiptPayload } from '../../../src/ask/receipts/model/receipt.ts'
import { receiptSentence, verifyReceipt } from '../../../src/ask/receipts/verify-receipt.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { loadSecrets } from '../../../src/platform/db/settings-store.ts'
import {
  makePrivatePem,
  publicPem,
  readPrivatePem,
  signText,
} from '../../../src/platform/signing/ed25519.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

setDefaultTimeout(60_000)

let world: PageWorld
let secret: string
let mara: { id: string; name: string }
/** A phone, a topic and a mailbox of Mara; a topic that belongs to nobody. */
let phone: Subscriber
let topic: Subscriber
let mailbox: Subscriber
let shared: Subscriber

beforeAll(async () => {
  world = await pageWorld()
  secret = (await loadSecrets(world.db, systemClock)).quickAnswerSecret
  const [person] = await listPeople(world.db.read)
  mara = { id: person?.id ?? '', name: person?.name ?? '' }
  const own = { workspaceId: world.workspaceId, personId: mara.id as Subscriber['personId'] }
  const devices = await connect(
    world.db,
    { ...own, kind: 'phone', label: 'Pixel' },
    { ...own, kind: 'phone', transport: 'ntfy', label: 'Topic' },
    { ...own, kind: 'chat', transport: 'email', label: 'mara@example.org' },
    { ...own, personId: undefined, kind: 'phone', transport: 'ntfy', label: 'Shared' },
  )
  ;[phone, topic, mailbox, shared] = devices as [Subscriber, Subscriber, Subscriber, Subscriber]
})
afterAll(() => world[Symbol.asyncDispose]())

const useLink = async (
  questionId: QuestionId,
  purpose: 'page' | 'yes' | 'no',
  device: Subscriber,
  fields: Record<string, string> = {},
) => {
  const path = linkPath(secret, { questionId, subscriberId: device.id, purpose })
  const done = await world.post(path, fields, { cookie: '' })
  return done.status
}

const press = (questionId: QuestionId, device: Subscriber) =>
  fetch(`${world.url}/api/v1/questions/${questionId}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ value: 'yes', surface: 'mobile_background', subscriberId: device.id },
      key: quickKey(secret, questionId, device.id),
    }),
  })

async function decided(id: QuestionId) {
  const receipt = await (await world.get(`/api/v1/receipts/${id}`)).text()
  const verified = await verifyReceipt(receipt)
  if (!verified.ok) throw new Error(verified.why)
  const { payload } = verified
  return { by: payload.decision.by as object, sentence: receiptSentence(payload), payload }
}

async function trail(kind: string, id: string) {
  const page = await (await world.get(`/api/v1/audit?kind=${kind}`)).json()
  const { entries } = page as { entries: Array<Record<string, string>> }
  return entries.find(({ subjectId }) => subjectId === id)
}

test('a button of a notification: the device, and whose it is', async () => {
  const id = await world.ask()
  expect((await press(id, phone)).status).toBe(200)
  const { by, sentence } = await decided(id)
  expect(by).toEqual({ kind: 'device', id: phone.id, label: 'Pixel', person: mara })
  expect(sentence).toContain(`Somebody with the device Pixel (${phone.id}) of ${mara.name}`)
  expect(await trail('question.answered', id)).toMatchObject({
    ...{ personId: mara.id, person: mara.name, deviceId: phone.id, device: 'Pixel' },
    source: 'mobile_background',
  })
})

test('a button that a topic was sent: the same', async () => {
  const id = await world.ask()
  expect(await useLink(id, 'yes', topic)).toBe(200)
  expect((await decided(id)).by).toEqual({
    ...{ kind: 'device', id: topic.id, label: 'Topic', person: mara },
  })
  const entry = { personId: mara.id, deviceId: topic.id, device: 'Topic' }
  expect(await trail('question.answered', id)).toMatchObject(entry)
})

test('a button that a topic of nobody was sent: somebody with the link', async () => {
  const id = await world.ask()
  expect(await useLink(id, 'no', shared)).toBe(200)
  expect((await decided(id)).by).toEqual({ kind: 'link', id: shared.id, label: 'Shared' })
  const entry = await trail('question.answered', id)
  expect(entry).toMatchObject({
    deviceId: shared.id,
    person: 'somebody with the link sent to Shared',
  })
  expect(entry).not.toHaveProperty('personId')
})

test('a link in a mail: the link and where it was sent, not a person', async () => {
  const id = await world.ask()
  expect(await useLink(id, 'page', mailbox, { value: 'yes' })).toBe(200)
  const { by, sentence } = await decided(id)
  expect(by).toEqual({ kind: 'link', id: mailbox.id, label: 'mara@example.org', person: mara })
  expect(sentence).toContain('Somebody with the link that was sent to mara@example.org')
  const entry = await trail('question.answered', id)
  expect(entry).toMatchObject({
    ...{ source: 'answer_link', deviceId: mailbox.id, device: 'mara@example.org' },
    person: 'somebody with the link sent to mara@example.org',
  })
  expect(entry).not.toHaveProperty('personId')
  const page = await (await world.get(`/d/${id}`)).text()
  expect(page).toContain('somebody with the link sent to mara@example.org')
})

test('an agent that was stopped, and an answer that came late, by a link', async () => {
  const stopped = await world.ask()
  expect(await useLink(stopped, 'page', mailbox, { stop: '1' })).toBe(200)
  expect(await trail('question.stopped', stopped)).toMatchObject({ deviceId: mailbox.id })
  const over = await world.ask({}, 11 * 60_000)
  await useLink(over, 'yes', topic)
  expect(await trail('question.answered_late', over)).toMatchObject({
    ...{ deviceId: topic.id, personId: mara.id },
  })
})

test('a person who is signed in is that person', async () => {
  const id = await world.ask()
  await world.post(`/d/${id}/answer`, { value: 'yes' })
  expect((await decided(id)).by).toEqual({ kind: 'person', ...mara })
})

test('what an earlier version did not record is unknown, and never a program', async () => {
  const now = Date.now()
  const answered = { status: 'answered', value: 'yes', endedAt: now } as const
  for (const answerSource of ['mobile_background', 'answer_link', undefined] as const) {
    const id = await world.ask({ ...answered, answerSource })
    const { by, sentence } = await decided(id)
    expect(by).toEqual({ kind: 'unknown' })
    expect(sentence).toContain('who is not recorded')
  }
  const tested = await world.ask({ ...answered, answerSource: 'sandbox', test: true })
  expect((await decided(tested)).by).toEqual({ kind: 'program' })
})

test('the digest of the action covers everything that was shown beside the question', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const digestOf = async (detail: object) => {
    const id = await world.ask({ detail })
    await world.post(`/d/${id}/answer`, { value: 'no' })
    const { payload } = await decided(id)
    expect(payload.version).toBe(2)
    const stored = await findQuestion(world.db.read, world.workspaceId, id)
    expect(stored?.detail).toMatchObject(detail)
    return payload.question.actionSha256
  }
  const action = 'edit app.ts'
  const body = { action, actionBody: '-a\n+b “ß”', context: 'It is red.' }
  expect(await digestOf(body)).toBe(
    sha256('{"action":"edit app.ts","actionBody":"-a\\n+b “ß”","context":"It is red."}'),
  )
  const digests = [
    await digestOf(body),
    await digestOf({ ...body, actionBody: '-a\n+c “ß”' }),
    await digestOf({ ...body, context: 'It is green.' }),
    await digestOf({ action }),
    await digestOf({ context: 'It is red.' }),
    await digestOf({ actionBody: 'It is red.' }),
  ]
  expect(new Set(digests).size).toBe(digests.length)
  expect(await digestOf({})).toBeUndefined()

  const docs = await Bun.file(join(import.meta.dir, '../../../docs/receipts.md')).text()
  const script = /```sh action\n([\s\S]*?)```/.exec(docs)?.[1] ?? ''
  const [digest] = Bun.spawnSync(['sh', '-c', script]).stdout.toString().split(' ')
  const shownFields = { action: 'make deploy', context: 'Build 41 is green.' }
  expect(await digestOf(shownFields)).toBe(digest)
})

/** A receipt as `payload` would have been signed. */
function signed(payload: object): string {
  const key = readPrivatePem(makePrivatePem())
  const text = canonicalize({ ...payload, kid: key.kid }) ?? ''
  const signature = signText(key, text)
  const publicKey = publicPem(key)
  return JSON.stringify({ payload: text, alg: 'Ed25519', kid: key.kid, signature, publicKey })
}

async function somePayload(): Promise<ReceiptPayload> {
  const id = await world.ask({ detail: { action: 'ls' } })
  await world.post(`/d/${id}/answer`, { value: 'yes' })
  return (await decided(id)).payload
}

test('receipts of version 1 still verify, and a program there may have been a link', async () => {
  const payload = { ...(await somePayload()), version: 1 }
  const old = (more: object) => verifyReceipt(signed({ ...payload, ...more }))
  expect(await old({})).toMatchObject({ ok: true })
  const by = { kind: 'program' }
  const program = await old({ decision: { ...payload.decision, by } })
  if (!program.ok) throw new Error(program.why)
  expect(receiptSentence(program.payload)).toContain('or somebody with a notification or a link')
  const device = { kind: 'device', id: 'sub_1', label: 'Pixel' }
  expect(await old({ decision: { ...payload.decision, by: device } })).toMatchObject({ ok: false })
})

test('a receipt of a newer version is not called a changed one', async () => {
  const newer = await verifyReceipt(signed({ ...(await somePayload()), version: 6, more: 'of it' }))
  expect(newer).toMatchObject({ ok: false, why: expect.stringContaining('newer version') })
})

test('a member that was added to a receipt is refused by name', async () => {
  const text = signed(await somePayload())
  expect(await verifyReceipt(text)).toMatchObject({ ok: true })
  expect(await verifyReceipt(JSON.stringify(JSON.parse(text), null, 2))).toMatchObject({ ok: true })
  const receipt = JSON.parse(text)
  expect(
    await verifyReceipt(JSON.stringify({ ...receipt, approvedBy: 'the board' })),
  ).toMatchObject({
    ...{ ok: false, why: expect.stringContaining('approvedBy') },
  })
  // Of two members of one name, readers show one or the other.
  for (const name of ['payload', 'alg']) {
    const twice = text.replace('{', `{"${name}": "\\"a\\": 1",`)
    expect(JSON.parse(twice)).toEqual(receipt)
    expect([name, await verifyReceipt(twice)]).toMatchObject([
      name,
      { ok: false, why: expect.stringContaining('twice') },
    ])
  }
  const payload = JSON.parse(receipt.payload)
  for (const added of [
    { ...payload, more: 1 },
    { ...payload, decision: { ...payload.decision, more: 1 } },
    { ...payload, decision: { ...payload.decision, by: { ...payload.decision.by, more: 1 } } },
  ]) {
    expect(await verifyReceipt(signed(added))).toMatchObject({ ok: false })
  }
})
