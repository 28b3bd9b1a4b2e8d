import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { members } from '../../../src/ask/accounts/model/table.ts'
import { addToken } from '../../../src/ask/accounts/model/token-store.ts'
import { audit, auditSeals } from '../../../src/ask/audit/model/table.ts'
import { insertDeliveries, settleDeliveries } from '../../../src/ask/delivery/model/store.ts'
import { deliveries } from '../../../src/ask/delivery/model/table.ts'
import { insertNotification } from '../../../src/ask/notifications/model/store.ts'
import { notifications } from '../../../src/ask/notifications/model/table.ts'
import { permits } from '../../../src/ask/permits/model/table.ts'
import { consumePermit, issuePermit, recordOutcome } from '../../../src/ask/permits/permits.ts'
import {
  insertLateAnswer,
  insertQuestion,
  moveQuestion,
} from '../../../src/ask/questions/model/store.ts'
import { lateAnswers, questions } from '../../../src/ask/questions/model/table.ts'
import { insertUnsigned } from '../../../src/ask/receipts/model/store.ts'
import { receipts } from '../../../src/ask/receipts/model/table.ts'
import { signReceipts } from '../../../src/ask/receipts/sign-receipts.ts'
import { saveSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import { sealAudit } from '../../../src/ask/trail/seal-audit.ts'
import { DATABASE_FILE } from '../../../src/platform/db/find-database.ts'
import { unsent } from '../../../src/platform/db/outbox-store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice } from '../../support/devices.ts'
import { aNotification, aQuestion } from '../../support/question.ts'
import {
  check,
  clock,
  db,
  deps,
  eachInAFolder,
  folder,
  MINUTE,
  now,
  passTime,
} from './sealed-folder.ts'

setDefaultTimeout(60_000)

eachInAFolder(50)

const ws = { workspaceId: 'ws_1', tokenId: 'key_1' } as const
const HASH = 'ab'.repeat(32)

const PROGRESS = 'It says how far something has got, which goes on after it was sealed.'
const SENDING = 'It says when and by whom it is tried again.'
const FORGOTTEN = 'It is forgotten when it may be used again.'
const COUNTED = 'It is counted for the limit of its token.'

/** Columns of sealed tables that are not sealed, each with its reason. */
const NOT_SEALED = new Map<SQLiteTable, Record<string, string>>([
  [
    questions,
    {
      ...{ key: FORGOTTEN, abandoned_at: PROGRESS, answer_held_until: PROGRESS },
      ...{ watched: 'It says what rules would have done, and decides nothing.', bytes: COUNTED },
    },
  ],
  [notifications, { key: FORGOTTEN, result: 'It is what the caller was told.', bytes: COUNTED }],
  [
    deliveries,
    {
      ...{ next_at: SENDING, expires_at: SENDING, claimed_by: SENDING, claimed_until: SENDING },
      ...{ shown_at: PROGRESS, opened_at: PROGRESS, message_ref: 'It is where a chat shows it.' },
    },
  ],
])

/** A question answered yes, with everything that may hang on it. `far`: how far its permit got. */
async function history(far: 'issued' | 'used' | 'over') {
  const id = newId('q', now)
  const times = { createdAt: now, waitEndsAt: now + 45_000, expiresAt: now + 10 * MINUTE }
  const detail = { action: 'make deploy', actionHash: HASH }
  const question = { ...aQuestion('x', { ...ws, ...times, detail }), id }
  const delivery = newId('dl', now)
  const message = { kind: 'question', title: 't', body: 'b', tag: 'q', url: '/', urgency: 'high' }
  await db.write(async (tx) => {
    await addToken(tx, {
      ...{ id: 'key_1', workspaceId: 'ws_1', name: 'agent', createdBy: 'p_1' },
      ...{ hash: 'h', tail: 't', test: false, createdAt: now },
    })
    const member = { workspaceId: 'ws_1', personId: 'p_1', role: 'member' } as const
    await tx
      .insert(members)
      .values({ ...member, createdAt: now })
      .onConflictDoNothing()
    await saveSubscriber(tx, aDevice({ id: 'sub_1', workspaceId: 'ws_1' }))
    await insertQuestion(tx, question)
    await insertNotification(tx, { ...aNotification('x', { createdAt: now }), id: newId('n', now) })
    await insertDeliveries(tx, [
      {
        ...({ id: delivery, workspaceId: 'ws_1', subjectId: id, subscriberId: 'sub_1' } as const),
        ...({ kind: 'phone', message, ...unsent(now, now + MINUTE) } as const),
        ...{ shownAt: null, openedAt: null, seal: null, messageRef: null },
      } as never,
    ])
    await settleDeliveries(tx, {
      ...{ ids: [delivery], state: 'accepted', status: 201, error: undefined, at: now },
    } as never)
  })
  passTime(1_000)
  const at = now
  const answeredOn = { kind: 'device', id: 'sub_1', label: 'Phone' } as const
  await db.write(async (tx) => {
    const answer = {
      value: 'yes',
      answeredBy: 'p_1',
      answerSource: 'mobile_app',
      answeredOn,
    } as const
    await moveQuestion(tx, 'answer', ws.workspaceId, id, at, answer)
    const noted = { deliveryMode: 'push_first', waitMs: 45_000, decidedAt: at }
    await insertUnsigned(tx, { questionId: id, workspaceId: 'ws_1', ...noted })
    await insertLateAnswer(tx, {
      ...{ id: 'late_1', workspaceId: 'ws_1', questionId: id, value: 'no', note: null },
      ...{ answerSource: null, answeredBy: null, answeredAs: null, answeredOn, at },
    })
  })
  await signReceipts({ db, clock, baseUrl: 'https://beckon.test' })
  passTime(1_000)
  const permit = await issuePermit({ db, clock }, ws, id, HASH)
  passTime(1_000)
  if (far !== 'issued') await consumePermit({ db, clock }, ws, permit.id, HASH)
  passTime(1_000)
  const outcome = { outcome: 'succeeded', detail: 'all green' } as const
  if (far === 'over') await recordOutcome({ db, clock }, ws, permit.id, outcome)
  await sealAudit(deps)
  passTime(20 * MINUTE)
}

/** The columns of a table whose change `check` does not report. */
async function unreported(table: SQLiteTable): Promise<string[]> {
  const { name, columns } = getTableConfig(table)
  using raw = new Database(join(folder.path, DATABASE_FILE))
  const silent: string[] = []
  for (const column of columns) {
    const read = raw.query<{ id: number; value: string | number | null }, []>(
      `select rowid as id, "${column.name}" as value from "${name}" limit 1`,
    )
    const row = read.get()
    if (!row) throw new Error(`${name} has no row`)
    const other = changed(row.value)
    raw.query(`update "${name}" set "${column.name}" = ? where rowid = ?`).run(other, row.id)
    if ((await check()).ok) silent.push(column.name)
    // By its value: a number that is the primary key is the rowid as well.
    raw
      .query(`update "${name}" set "${column.name}" = ? where "${column.name}" = ?`)
      .run(row.value, other)
  }
  expect(await check()).toMatchObject({ ok: true })
  return silent
}

function changed(value: string | number | null): string | number {
  if (value === null) return 1
  if (typeof value === 'number') return value + 1
  if (value === '{}') return '{"tags":["x"]}'
  if (value === '[]') return '[{"label":"x"}]'
  // JSON stays JSON.
  return /^[[{]/.test(value)
    ? value.replace(/[a-z]/, (one) => (one === 'x' ? 'y' : 'x'))
    : `${value}x`
}

test.each([
  ['issued', permits],
  ['used', permits],
  ['over', permits],
  ['over', receipts],
] as const)('no column can be changed unreported: %s', async (far, table) => {
  await history(far)
  expect(await unreported(table)).toEqual([])
})

test.each([questions, lateAnswers, notifications, deliveries, audit, auditSeals])(
  'what is not sealed of a table has its reason, %#',
  async (table) => {
    await history('over')
    expect(await unreported(table)).toEqual(Object.keys(NOT_SEALED.get(table) ?? {}))
  },
)
