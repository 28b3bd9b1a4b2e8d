import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { stopAgent } from '../../../src/ask/answering/stop-agent.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { keepTallying } from '../../../src/ask/asking/tally-questions.ts'
import { insertCallback } from '../../../src/ask/callbacks/model/store.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { insertQuestion } from '../../../src/ask/questions/model/store.ts'
import { keepPurging, type PurgeDeps, purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { takeLease } from '../../../src/platform/db/lease-store.ts'
import { unsent } from '../../../src/platform/db/outbox-store.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { leases } from '../../../src/platform/db/table.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { aQuestion } from '../../support/question.ts'
import { trusting } from '../../support/trusting.ts'

// A lot of rows on a busy machine.
setDefaultTimeout(60_000)

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const RETENTION = 30

type Row = Record<string, unknown> & { id: string }
type Dump = Record<string, Row[]>

function dump(path: string): Dump {
  using db = new Database(path, { readonly: true })
  const tables = ['questions', 'notifications', 'deliveries', 'late_answers', 'audit']
  return Object.fromEntries(
    tables.map((name) => {
      const rows = db.query(`select * from ${name} order by id`).all() as Row[]
      // What a purge says of itself is tried beside the clock.
      return [name, rows.filter(({ kind }) => kind !== 'history.removed')]
    }),
  )
}

const rowsOf = (dumped: Dump, table: string) => dumped[table] ?? []

/** What a purge must leave, said once more in plain words over whole tables. */
function left(all: Dump, now: number): Dump {
  const oldest = now - RETENTION * DAY
  const busy = new Set(
    rowsOf(all, 'deliveries')
      .filter((row) => row.state === 'waiting')
      .map((row) => row.subject_id),
  )
  const questions = rowsOf(all, 'questions').filter((row) => {
    const ended = Number(row.ended_at ?? row.created_at)
    return row.status === 'pending' || busy.has(row.id) || ended >= oldest
  })
  const questionIds = new Set<unknown>(questions.map(({ id }) => id))
  const notifications = rowsOf(all, 'notifications').filter(
    (row) =>
      Number(row.created_at) >= oldest || busy.has(row.id) || questionIds.has(row.question_id),
  )
  const subjects = new Set<unknown>([...questions, ...notifications].map(({ id }) => id))
  return {
    questions,
    notifications,
    deliveries: rowsOf(all, 'deliveries').filter((row) => subjects.has(row.subject_id)),
    late_answers: rowsOf(all, 'late_answers').filter((row) => subjects.has(row.question_id)),
    audit: rowsOf(all, 'audit').filter((row) => Number(row.at) >= oldest),
  }
}

/** Forty days of everything that can become of a call, the same each time. */
async function traffic(world: FlowWorld, days = 40): Promise<void> {
  const { deps, clock, db } = world
  await world.device('Laptop')
  await world.device('Phone', { kind: 'phone' })
  const { workspaceId } = world.call().caller
  for (let n = 0; n < days * 4; n++) {
    const stuck = n % 13 === 0
    if (stuck)
      world.receipts.set('Phone', async () => ({ outcome: 'later', status: 503, reason: 'busy' }))
    const embedded = {
      title: 't',
      body: 'b',
      context: { type: 'info' as const, askQuestion: { question: 'Embedded?' } },
    }
    const id =
      n % 4 === 0
        ? (await sendNotification(deps, n % 8 ? { title: 't', body: 'b' } : embedded, world.call()))
            .linkedCorrelationId
        : (await askUser(deps, { question: `Question ${n}?`, wait: false }, world.call()))
            .correlationId
    if (stuck) world.receipts.delete('Phone')
    await clock.advance(MINUTE)
    const questionId = id as QuestionId | undefined
    const of = { workspaceId, questionId: questionId as QuestionId }
    if (questionId && n % 7 === 1) await answerQuestion(deps, { ...of, value: 'yes' })
    if (questionId && n % 7 === 2) await stopAgent(deps, of)
    if (questionId && n % 7 === 3)
      await cancelQuestion(deps, { correlationId: questionId }, world.call())
    await clock.advance(10 * MINUTE)
    await expireQuestions(deps)
    if (questionId && n % 7 === 4) await answerQuestion(deps, { ...of, value: 'no' })
    if (n % 11 === 0) await createToken({ db, clock }, { workspaceId, name: `Token ${n}` })
    await clock.advance(DAY / 4 - 11 * MINUTE)
  }
  // Open although it is old: the clock was set forward, and nobody has swept yet.
  const at = clock.now() - 35 * DAY
  const open = aQuestion('open', { workspaceId, createdAt: at, expiresAt: clock.now() + MINUTE })
  await db.write((tx) => insertQuestion(tx, { ...open, id: newId('q', at) }))
}

const purgeDeps = ({ db, clock }: FlowWorld, holder = 'here'): PurgeDeps => ({
  db,
  clock,
  holder,
  retentionDays: RETENTION,
  batch: 7,
})

// spec: QS-ERR-2
test('forty days of traffic: the purge leaves exactly what it must, and says missing of the rest', async () => {
  await using world = await flowWorld()
  await traffic(world)
  const before = dump(world.db.place)
  const expected = left(before, world.clock.now())
  for (const [table, rows] of Object.entries(expected)) {
    expect([table, rows.length > 0]).toEqual([table, true])
    expect([table, rows.length < rowsOf(before, table).length]).toEqual([table, true])
  }
  await purgeOld(purgeDeps(world))
  expect(dump(world.db.place)).toEqual(expected)
  expect(await purgeOld(purgeDeps(world))).toBe(0)
  expect(dump(world.db.place)).toEqual(expected)

  const ids = new Set(rowsOf(expected, 'questions').map(({ id }) => id))
  const gone = rowsOf(before, 'questions').find(({ id }) => !ids.has(id))
  const input = { correlationId: String(gone?.id) }
  expect(await waitForAnswer(world.deps, input, world.call())).toMatchObject({ status: 'missing' })
  expect(await cancelQuestion(world.deps, input, world.call())).toMatchObject({ status: 'missing' })
})

test('cut off after any batch, nothing is half gone, and the next run ends the work', async () => {
  await using world = await flowWorld()
  await traffic(world, 36)
  const expected = left(dump(world.db.place), world.clock.now())
  for (let writes = 1; writes < 9; writes++) {
    let done = 0
    const dying: PurgeDeps = {
      ...purgeDeps(world),
      db: {
        ...world.db,
        async write(work) {
          const halfway = done++ === writes
          return world.db.write(async (tx) => {
            const value = await work(tx)
            if (halfway) throw new Error('the process ends here')
            return value
          })
        },
      },
    }
    await purgeOld(dying).catch((error) => expect(error.message).toBe('the process ends here'))
    const now = dump(world.db.place)
    const ids = new Set<unknown>(
      [...rowsOf(now, 'questions'), ...rowsOf(now, 'notifications')].map(({ id }) => id),
    )
    expect(rowsOf(now, 'deliveries').filter((row) => !ids.has(row.subject_id))).toEqual([])
    expect(rowsOf(now, 'late_answers').filter((row) => !ids.has(row.question_id))).toEqual([])
  }
  await purgeOld(purgeDeps(world))
  expect(dump(world.db.place)).toEqual(expected)
})

test('one process purges: another leaves it alone until the lease is over', async () => {
  await using world = await flowWorld()
  await traffic(world, 32)
  const stopped = new AbortController()
  const first = purgeDeps(world, 'first')
  const db = {
    ...world.db,
    write: (async (work) => {
      stopped.abort()
      return world.db.write(work)
    }) as typeof world.db.write,
  }
  await purgeOld({ ...first, db }, stopped.signal)
  const after = dump(world.db.place)
  expect(await purgeOld(purgeDeps(world, 'second'))).toBe(0)
  expect(dump(world.db.place)).toEqual(after)
  await world.clock.advance(3 * MINUTE)
  expect(await purgeOld(purgeDeps(world, 'second'))).toBeGreaterThan(0)
})

test('what another process has not counted for the charts yet stays until it is counted', async () => {
  await using world = await flowWorld()
  await traffic(world, 32)
  const { db, clock } = world
  const before = rowsOf(dump(db.place), 'questions').length
  const counting = { name: 'tally', holder: 'other', now: clock.now(), until: clock.now() + MINUTE }
  await db.write((tx) => homeWorkspace(tx, world.call().caller.workspaceId, 0))
  await db.write((tx) => takeLease(tx, counting))
  await purgeOld(purgeDeps(world))
  expect(rowsOf(dump(db.place), 'questions')).toHaveLength(before)
  await clock.advance(MINUTE)
  await purgeOld(purgeDeps(world))
  expect(rowsOf(dump(db.place), 'questions').length).toBeLessThan(before)
})

test('a server that stops in the middle gives its leases back', async () => {
  await using world = await flowWorld()
  await traffic(world, 32)
  const deps = purgeDeps(world)
  const report = (error: unknown) => expect(error).toBeUndefined()
  const started = Promise.withResolvers<void>()
  const write: typeof world.db.write = async (work) => {
    const done = await world.db.write(work)
    started.resolve()
    return done
  }
  const jobs = [keepPurging, keepTallying].map((keep) =>
    keep({ ...deps, agreedTime: trusting(deps.clock), db: { ...world.db, write } }, report),
  )
  await started.promise
  for (const job of jobs) await job[Symbol.asyncDispose]()
  expect(await world.db.read.select().from(leases)).toEqual([])
})

test('the server purges by itself, every hour, and what it asks of others is kept', async () => {
  await using world = await flowWorld()
  const { clock, db } = world
  const { workspaceId } = world.call().caller
  const at = clock.now() - RETENTION * DAY
  const ask = async (created: number) => {
    const times = { createdAt: created, expiresAt: created + 10 * MINUTE }
    const question = aQuestion('x', { workspaceId, status: 'answered', ...times })
    const id = newId('q', created)
    await db.write((tx) => insertQuestion(tx, { ...question, id, endedAt: created + MINUTE }))
    return id
  }
  const [, young, owed] = [await ask(at - DAY), await ask(at + 30 * MINUTE), await ask(at - DAY)]
  const origin = 'https://a.example'
  const callback = { workspaceId, questionId: owed, url: origin, origin, body: '{}', test: false }
  const row = { id: newId('cb', at), ...unsent(at - DAY, at + 300 * DAY) }
  await db.write((tx) => insertCallback(tx, { ...callback, ...row }))
  const failures: unknown[] = []
  await using _ = keepPurging({ ...purgeDeps(world), agreedTime: trusting(clock) }, (error) =>
    failures.push(error),
  )
  const left = () => rowsOf(dump(db.place), 'questions').map(({ id }) => id)
  await clock.advance(1_000)
  expect(left()).toEqual([owed, young])
  await clock.advance(61 * MINUTE)
  expect(left()).toEqual([owed])
  expect(failures).toEqual([])
})

test('a database opened anew goes on where the last one stopped', async () => {
  await using world = await flowWorld()
  await traffic(world, 33)
  const expected = left(dump(world.db.place), world.clock.now())
  await purgeOld(purgeDeps(world), AbortSignal.abort())
  await using again = openSqlite(world.db.place)
  await purgeOld({ ...purgeDeps(world), db: again })
  expect(dump(world.db.place)).toEqual(expected)
})
