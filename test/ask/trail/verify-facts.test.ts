import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { members } from '../../../src/ask/accounts/model/table.ts'
import { addToken } from '../../../src/ask/accounts/model/token-store.ts'
import { insertDeliveries, settleDeliveries } from '../../../src/ask/delivery/model/store.ts'
import type { DeliveryId } from '../../../src/ask/delivery/model/table.ts'
import { insertNotification } from '../../../src/ask/notifications/model/store.ts'
import { consumePermit, issuePermit, recordOutcome } from '../../../src/ask/permits/permits.ts'
import { addDetail } from '../../../src/ask/questions/model/detail-store.ts'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import {
  followQuestion,
  insertLateAnswer,
  insertQuestion,
  moveQuestion,
} from '../../../src/ask/questions/model/store.ts'
import { insertUnsigned } from '../../../src/ask/receipts/model/store.ts'
import { signReceipts } from '../../../src/ask/receipts/sign-receipts.ts'
import { emptyToken } from '../../../src/ask/retention/empty-token.ts'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { sealAudit } from '../../../src/ask/trail/seal-audit.ts'
import type { VerifiedAudit } from '../../../src/ask/trail/verify-audit.ts'
import type { NotificationId } from '../../../src/ask/wire/ids.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { unsent } from '../../../src/platform/db/outbox-store.ts'
import { loadServerKey } from '../../../src/platform/db/server-key.ts'
import { newId } from '../../../src/platform/ids.ts'
import { publicPem } from '../../../src/platform/signing/ed25519.ts'
import { beckon } from '../../support/beckon.ts'
import { aNotification, aQuestion } from '../../support/question.ts'
import {
  check,
  clock,
  DAY,
  db,
  deps,
  eachInAFolder,
  folder,
  MINUTE,
  now,
  passTime,
  sql,
} from './sealed-folder.ts'

setDefaultTimeout(60_000)

const HASH = 'ab'.repeat(32)

eachInAFolder(3)

const ws = { workspaceId: 'ws_1', tokenId: 'key_1' } as const
const seal = () => sealAudit(deps)

async function ask(changes: Partial<Question> = {}): Promise<Question> {
  const times = { createdAt: now, waitEndsAt: now + 45_000, expiresAt: now + 10 * MINUTE }
  const id = newId('q', now)
  const detail = { action: 'rm -rf build', context: 'The build is stale.' }
  const question = { ...aQuestion('x', { ...ws, ...times, detail, ...changes }), id }
  await db.write((tx) => insertQuestion(tx, question))
  passTime(1_000)
  return question
}

async function answered(question: Question, value = 'yes'): Promise<void> {
  const { id: questionId, workspaceId } = question
  const ending = { value, answeredBy: 'p_1', answerSource: 'dashboard' } as const
  await db.write(async (tx) => {
    await moveQuestion(tx, 'answer', workspaceId, questionId, now, ending)
    const noted = { deliveryMode: 'push_first', waitMs: 45_000, decidedAt: now }
    await insertUnsigned(tx, { questionId, workspaceId, ...noted })
  })
  await signReceipts({ db, clock, baseUrl: 'https://beckon.test' })
  passTime(1_000)
}

async function storeDelivery(subjectId: Question['id'] | NotificationId): Promise<DeliveryId> {
  const id = newId('dl', now)
  const row = {
    ...({ id, workspaceId: 'ws_1', subjectId, subscriberId: 'sub_1' } as const),
    kind: 'phone' as const,
    message: { kind: 'question', title: 't', body: 'b', tag: 'q', url: '/', urgency: 'high' },
    ...unsent(now, now + MINUTE),
    shownAt: null,
    openedAt: null,
    seal: null,
    messageRef: null,
  } as const
  const settled = { ids: [id], state: 'accepted' as const, status: 201, error: undefined, at: now }
  await db.write(async (tx) => {
    await insertDeliveries(tx, [row])
    await settleDeliveries(tx, settled)
  })
  return id
}

/** A morning: one question answered and one open, a message each, a late answer, a notification. */
async function morning() {
  const yes = await ask()
  const delivery = await storeDelivery(yes.id)
  await seal()
  await answered(yes)
  const lateAnswer = { id: 'late_1', workspaceId: yes.workspaceId, questionId: yes.id, value: 'no' }
  const by = {
    note: null,
    answerSource: null,
    answeredBy: 'p_2',
    answeredAs: null,
    answeredOn: null,
    at: now,
  }
  await db.write((tx) => insertLateAnswer(tx, { ...lateAnswer, ...by }))
  const open = await ask({ question: 'And now?' })
  const other = await storeDelivery(open.id)
  const notification = newId('n', now)
  await db.write((tx) =>
    insertNotification(tx, { ...aNotification('x', { createdAt: now }), id: notification }),
  )
  await seal()
  passTime(20 * MINUTE)
  return { yes: yes.id, open: open.id, delivery, other, notification, late: 'late_1' }
}

type Morning = Awaited<ReturnType<typeof morning>>

const rowsOf = (report: VerifiedAudit) => (report.ok ? [] : report.findings.map(({ row }) => row))

test('what happened is sealed, and verifies', async () => {
  await morning()
  // Two questions asked, one ended, two messages, a late answer, a notification; and a receipt.
  expect(await check()).toMatchObject({ ok: true, facts: 7, sealed: 1, unsealed: 0 })
  expect(await seal()).toBe(0)
})

const EDITS: Array<[string, (of: Morning) => void, (of: Morning) => string]> = [
  ['the answer', (of) => edit('value', 'no', of.yes), (of) => of.yes],
  ['the status', (of) => edit('status', 'expired', of.yes), (of) => of.yes],
  ['who decided', (of) => edit('answered_by', 'p_9', of.yes), (of) => of.yes],
  ['who decided, taken away', (of) => edit('answered_by', null, of.yes), (of) => of.yes],
  ['where it was decided', (of) => edit('answer_source', 'slack', of.yes), (of) => of.yes],
  ['when it was decided', (of) => edit('ended_at', 1, of.yes), (of) => of.yes],
  ['the note', (of) => edit('note', 'sure', of.yes), (of) => of.yes],
  ['the text of an open question', (of) => edit('question', 'Fine?', of.open), (of) => of.open],
  ['the text of an answered one', (of) => edit('question', 'Fine?', of.yes), (of) => of.yes],
  ['the agent', (of) => edit('token_id', 'key_9', of.yes), (of) => of.yes],
  ['the session', (of) => edit('session_id', 's', of.open), (of) => of.open],
  ['the workspace', (of) => edit('workspace_id', 'ws_9', of.open), (of) => of.open],
  ['when it was asked', (of) => edit('created_at', 1, of.open), (of) => of.open],
  ['the action in the detail', (of) => detail('action', 'ls', of.open), (of) => of.open],
  ['the context in the detail', (of) => detail('context', 'x', of.yes), (of) => of.yes],
  ['a tool in the detail', (of) => detail('toolName', 'Bash', of.yes), (of) => of.yes],
  ['a rule that never was', (of) => detail('byRule', 'r', of.yes), (of) => of.yes],
  [
    'the device of a message',
    (of) => sql("update deliveries set subscriber_id = 'sub_9' where id = ?", of.delivery),
    (of) => of.delivery,
  ],
  [
    'what became of a message',
    (of) => sql("update deliveries set state = 'gone' where id = ?", of.delivery),
    (of) => of.delivery,
  ],
  [
    'what a message said',
    (of) =>
      sql(
        "update deliveries set message = json_set(message, '$.body', 'x') where id = ?",
        of.other,
      ),
    (of) => of.other,
  ],
  [
    'a notification',
    (of) => sql("update notifications set title = 'x' where id = ?", of.notification),
    (of) => of.notification,
  ],
  ['a late answer', () => sql("update late_answers set value = 'yes'"), (of) => of.late],
  ['a late answer removed', () => sql('delete from late_answers'), (of) => of.late],
  [
    'a message removed',
    (of) => sql('delete from deliveries where id = ?', of.other),
    (of) => of.other,
  ],
  [
    'a notification removed',
    (of) => sql('delete from notifications where id = ?', of.notification),
    (of) => of.notification,
  ],
  [
    'an open question removed',
    (of) => sql('delete from questions where id = ?', of.open),
    (of) => of.open,
  ],
  [
    'an answered one removed',
    (of) => sql('delete from questions where id = ?', of.yes),
    (of) => of.yes,
  ],
  ['a question sealed by no link', (of) => edit('asked_seal', null, of.open), (of) => of.open],
  ['a question moved to another link', (of) => edit('asked_seal', 3, of.yes), (of) => of.yes],
  ['a question in a link to come', (of) => edit('asked_seal', 99, of.open), (of) => of.open],
  ['an answer in a link before all', (of) => edit('ended_seal', 0, of.yes), (of) => of.yes],
  [
    'a receipt with another text',
    () => sql('update receipts set payload = replace(payload, \'"yes"\', \'"no"\')'),
    (of) => `receipt of ${of.yes}`,
  ],
  [
    'a receipt signed otherwise',
    () => sql("update receipts set signature = 'AAAA' || substr(signature, 5)"),
    (of) => `receipt of ${of.yes}`,
  ],
  ['a receipt removed', () => sql('delete from receipts'), (of) => `receipt of ${of.yes}`],
]

function edit(column: string, value: string | number | null, id: string): void {
  sql(`update questions set ${column} = ? where id = ?`, value, id)
}

function detail(field: string, value: string, id: string): void {
  sql(`update questions set detail = json_set(detail, '$.${field}', ?) where id = ?`, value, id)
}

test.each(EDITS)('verifying finds %s', async (_, tamper, row) => {
  const ids = await morning()
  expect(await check()).toMatchObject({ ok: true })
  tamper(ids)
  const report = await check()
  expect(report).toMatchObject({
    ok: false,
    row: row(ids),
    why: expect.stringContaining(row(ids).split(' ').at(-1) ?? ''),
  })
  expect(rowsOf(report)).toEqual([row(ids)])
  // What is sealed afterwards does not hide it.
  await ask()
  await seal()
  expect(rowsOf(await check())).toContain(row(ids))
})

test('every row that differs is named', async () => {
  const { yes, open, delivery, notification } = await morning()
  edit('value', 'no', yes)
  edit('question', 'Fine?', open)
  sql('delete from deliveries where id = ?', delivery)
  sql("update notifications set body = 'x' where id = ?", notification)
  expect(new Set(rowsOf(await check()))).toEqual(new Set([yes, open, delivery, notification]))
})

test('questions that swap their answers are both found', async () => {
  const [a, b] = [await ask(), await ask()]
  await answered(a, 'yes')
  await answered(b, 'no')
  await seal()
  const swap = `update questions set value = iif(value = 'yes', 'no', 'yes') where id in (?, ?)`
  sql(swap, a.id, b.id)
  expect(new Set(rowsOf(await check()))).toEqual(new Set([a.id, b.id]))
  sql(swap, a.id, b.id)
  expect(await check()).toMatchObject({ ok: true })
  sql("update questions set id = 'q_tmp' where id = ?", a.id)
  sql('update questions set id = ? where id = ?', a.id, b.id)
  sql("update questions set id = ? where id = 'q_tmp'", b.id)
  expect(new Set(rowsOf(await check()))).toEqual(new Set([a.id, b.id]))
})

test.each<[string, number | null]>([
  ['sealed by no link', null],
  ['in a link', 2],
  ['in a link that is not there', 99],
  ['in a link before all', 0],
])('a question put in with an earlier time is found, %s', async (_, link) => {
  const { yes } = await morning()
  const at = now - 25 * MINUTE
  const id = newId('q', at)
  const values = { id: `'${id}'`, created_at: String(at), key: 'null' }
  const seals = { asked_seal: String(link), ended_seal: String(link) }
  const columns = columnsBut({ ...values, ...seals })
  sql(`insert into questions select ${columns} from questions where id = ?`, yes)
  await seal()
  expect(rowsOf(await check())).toEqual([id])
})

/** The columns of `questions` in their order, some of them with another value. */
function columnsBut(values: Record<string, string>): string {
  using raw = new Database(join(folder.path, 'beckon.db'))
  const rows = raw.query<{ name: string }, []>("select name from pragma_table_info('questions')")
  return rows
    .all()
    .map(({ name }) => values[name] ?? name)
    .join(', ')
}

test('a permit that was used is not made usable again', async () => {
  const member = { workspaceId: 'ws_1', personId: 'p_1', role: 'member', createdAt: now } as const
  await db.write(async (tx) => {
    await addToken(tx, aToken())
    await tx.insert(members).values(member)
  })
  const question = await ask({
    key: `request:${JSON.stringify(['model', 'live', 'key_1', null, null, null, `action:${HASH}`])}`,
  })
  await answered(question)
  const permit = await issuePermit({ db, clock }, ws, question.id, HASH)
  await seal()
  expect(await check()).toMatchObject({ ok: true })
  await consumePermit({ db, clock }, ws, permit.id, HASH)
  await recordOutcome({ db, clock }, ws, permit.id, { outcome: 'succeeded', detail: undefined })
  await seal()
  expect(await check()).toMatchObject({ ok: true })
  const row = `permit of ${question.id}`
  sql("update permits set outcome = 'failed'")
  expect(rowsOf(await check())).toEqual([row])
  sql("update permits set outcome = 'succeeded', consumed_at = null")
  expect(rowsOf(await check())).toEqual([row])
  sql('delete from permits')
  expect(rowsOf(await check())).toEqual([row])
})

test('what goes on about a question is no tampering', async () => {
  const question = await ask()
  await seal()
  await db.write(async (tx) => {
    await followQuestion(tx, question, now, now + DAY)
    await addDetail(tx, question, { phonesHeldUntil: now + 5 })
  })
  expect(await check()).toMatchObject({ ok: true })
  const delivery = await storeDelivery(question.id)
  await answered(question)
  await seal()
  await db.write((tx) => addDetail(tx, question, { collectedAt: now, waitsUntil: now }))
  sql('update deliveries set shown_at = 1, opened_at = 2, message_ref = 3 where id = ?', delivery)
  sql('update questions set key = null, abandoned_at = 3')
  expect(await check()).toMatchObject({ ok: true, facts: 3 })
})

test('what is removed on purpose is not missed by a purge, which may stop half-way', async () => {
  const { yes, open } = await morning()
  await db.write((tx) => moveQuestion(tx, 'expire', 'ws_1', open, now))
  await seal()
  passTime(40 * DAY)
  const later = await ask()
  await storeDelivery(later.id)
  await seal()
  const stopped = new AbortController()
  let writes = 0
  const dying: OpenDb = Object.assign(Object.create(db), {
    write: ((work: never) => {
      if (++writes > 2) stopped.abort()
      return db.write(work)
    }) as OpenDb['write'],
  })
  await purgeOld({ ...deps, db: dying, retentionDays: 30, batch: 1 }, stopped.signal)
  expect(await check()).toMatchObject({ ok: true })
  for (const batch of [1, 100]) {
    await purgeOld({ ...deps, retentionDays: 30, batch })
    expect(await check()).toMatchObject({ ok: true, facts: 2 })
  }
  using raw = new Database(join(folder.path, 'beckon.db'))
  expect(raw.query('select 1 from questions where id in (?, ?)').all(yes, open)).toEqual([])
  // The links that sealed only what is gone are gone, too.
  expect(raw.query('select 1 from audit_seals where seq = 1').all()).toEqual([])
  sql('delete from questions where id = ?', later.id)
  expect(rowsOf(await check())).toEqual([later.id])
})

test('a question that was asked before what is kept, and ended since, stays sealed', async () => {
  const question = await ask({ expiresAt: now + 100 * DAY })
  await seal()
  passTime(40 * DAY)
  await answered(question)
  await seal()
  await purgeOld({ ...deps, retentionDays: 30 })
  expect(await check()).toMatchObject({ ok: true, facts: 1 })
  detail('action', 'ls', question.id)
  expect(rowsOf(await check())).toEqual([question.id])
})

test('what is removed on purpose is not missed by emptying a token', async () => {
  await db.write((tx) => addToken(tx, aToken()))
  const { open } = await morning()
  const person = { id: 'p_1', workspaceId: 'ws_1', role: 'owner' } as never
  expect(await emptyToken({ db, clock }, { id: 'key_1', person })).toBe(2)
  expect(await check()).toMatchObject({ ok: true, facts: 2 })
  await seal()
  sql('delete from questions where id = ?', open)
  expect(rowsOf(await check())).toEqual([open])
})

test('rows of an earlier version are sealed at the first start, the oldest first', async () => {
  for (let i = 0; i < 7; i++) {
    await answered(await ask())
    passTime(10 * MINUTE)
  }
  await seal()
  expect(await check()).toMatchObject({ ok: true, facts: 14 })
})

test('a trail that was sealed by an earlier version still verifies, and goes on', async () => {
  const question = await ask()
  await answered(question)
  sql('update questions set asked_seal = 0, ended_seal = 0')
  await seal()
  sql('update questions set asked_seal = null, ended_seal = null')
  using raw = new Database(join(folder.path, 'beckon.db'))
  const bodies = raw.query<{ body: string }, []>('select body from audit_seals').all()
  expect(bodies.map(({ body }) => body.includes('facts'))).toEqual([false])
  expect(await check()).toMatchObject({ ok: true, sealed: 1, facts: 0, unsealed: 2 })
  await seal()
  expect(await check()).toMatchObject({ ok: true, sealed: 1, facts: 2 })
})

test('two processes seal each question once, while it is answered', async () => {
  await using other = openDataFolder(folder.path)
  for (let round = 0; round < 5; round++) {
    const questions = [await ask(), await ask(), await ask()]
    const there = { ...deps, db: other, holder: 'there' }
    await Promise.all([seal(), sealAudit(there), ...questions.map((one) => answered(one))])
    passTime(3 * MINUTE)
  }
  await seal()
  expect(await check()).toMatchObject({ ok: true, facts: 30, unsealed: 0 })
})

test('beckon audit verify says what is wrong, a line each', async () => {
  const { yes, open, delivery } = await morning()
  const verify = (...more: string[]) => beckon(['audit', 'verify', '--data', folder.path, ...more])
  expect(await verify()).toMatchObject({
    code: 0,
    out: '1 row of the audit trail and 7 records of questions, notifications and deliveries are as they were sealed.\n',
  })
  edit('value', 'no', yes)
  sql('delete from deliveries where id = ?', delivery)
  const { code, err } = await verify()
  expect([code, err.trimEnd().split('\n')]).toEqual([
    1,
    [
      `Question ${yes} is not as it ended: its status, its answer or who gave it was changed.`,
      `The delivery ${delivery} of ${yes} was removed, and not by Beckon.`,
    ],
  ])
  edit('question', 'x', open)
  const json = JSON.parse((await verify('--json')).out)
  expect(json).toMatchObject({ valid: false, row: open })
  expect(json.findings).toHaveLength(3)
})

const copied = async () => (await beckon(['audit', 'export', '--data', folder.path])).out
const verifyCopy = async (text: string) => {
  const file = join(folder.path, 'trail.ndjson')
  await Bun.write(file, text)
  return await beckon(['audit', 'verify', file, `--key=${publicPem(await loadServerKey(deps))}`])
}

test('a copy has who asked and what was sent, without the texts, and is checked', async () => {
  const { yes, delivery } = await morning()
  const text = await copied()
  expect(text).not.toContain('rm -rf')
  const facts = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => JSON.parse(line).fact ?? [])
  expect(facts).toHaveLength(7)
  const answer = { kind: 'question.ended', id: yes, personId: 'p_1', outcome: 'answered' }
  expect(facts).toContainEqual(expect.objectContaining(answer))
  const message = { kind: 'message.ended', id: delivery, subjectId: yes, deviceId: 'sub_1' }
  expect(facts).toContainEqual(expect.objectContaining({ ...message, outcome: 'accepted' }))
  const right = await verifyCopy(text)
  expect(right).toMatchObject({ code: 0, out: expect.stringContaining('7 records') })
  const wrong = await verifyCopy(text.replace('"personId":"p_1"', '"personId":"p_9"'))
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining(`Question ${yes}`) })
  const lines = text.split('\n')
  const without = lines.filter(
    (line) => !line.startsWith(`{"fact":{"kind":"message.ended","id":"${delivery}`),
  )
  expect(without.length).toBe(lines.length - 1)
  const less = await verifyCopy(without.join('\n'))
  expect(less).toMatchObject({ code: 1, err: expect.stringContaining(delivery) })
})

test('a copy that was joined with one from before a purge is right', async () => {
  const { open } = await morning()
  await db.write((tx) => moveQuestion(tx, 'expire', 'ws_1', open, now))
  await seal()
  const older = await copied()
  passTime(40 * DAY)
  await ask()
  await seal()
  await purgeOld({ ...deps, retentionDays: 30, batch: 100 })
  await seal()
  const newer = await copied()
  expect(await verifyCopy(newer)).toMatchObject({
    code: 0,
    out: expect.stringContaining('and 1 record of questions'),
  })
  expect(await verifyCopy(older + newer)).toMatchObject({
    code: 0,
    out: expect.stringContaining('9 records'),
  })
})

function aToken() {
  const base = { id: 'key_1', workspaceId: 'ws_1', name: 'agent', createdBy: 'p_1' } as const
  return { ...base, hash: 'h', tail: 't', test: false, createdAt: now } as const
}
