import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { insertNotification } from '../../src/ask/notifications/model/store.ts'
import { insertQuestion } from '../../src/ask/questions/model/store.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { newId } from '../../src/platform/ids.ts'
import { aNotification, aQuestion } from '../support/question.ts'
import { until } from '../support/until.ts'
import { leaseOf, passForLease, watchLeases } from './lease-watch.ts'
import { type ServersWorld, serversWorld } from './servers-world.ts'

const LEASE = 'purge'
const LEASE_MS = 2 * 60_000
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
// Longer ago than is kept, and not so long that charts leave it out.
const OLD = 95 * DAY
const MANY = 3

/** Puts so many questions and notifications there that ended long ago, and as many of now. */
async function fill({ url, sql }: ServersWorld): Promise<void> {
  await using db = await openPostgres({ url, listenUrl: undefined, pool: 1, listens: false })
  await db.write(async (tx) => {
    const workspaceId = await homeWorkspace(tx, newId('ws', 1), 1)
    for (const age of [OLD, DAY]) {
      for (let n = 0; n < MANY; n++) {
        const createdAt = Date.now() - age + n
        const ended = { status: 'expired', endedAt: createdAt + MINUTE } as const
        const question = aQuestion('', { workspaceId, createdAt, ...ended })
        await insertQuestion(tx, { ...question, id: newId('q', createdAt) })
        const notification = aNotification('', { workspaceId, createdAt })
        await insertNotification(tx, { ...notification, id: newId('n', createdAt) })
      }
    }
  })
  // As if sealed already: the job that seals would stand in the way first.
  await sql`update questions set asked_seal = 0, ended_seal = 0`
  await sql`update notifications set seal = 0`
}

test('of several servers one deletes what is old; after kill -9 the next goes on where it was', async () => {
  await using world = await serversWorld()
  const { sql } = world
  await fill(world)
  const watch = await watchLeases(sql)
  const counts = async () => {
    const [row] = await sql`select (select count(*)::int from questions) as questions,
      (select count(*)::int from notifications) as notifications,
      (select coalesce(sum(unanswered), 0)::int from question_tallies where repo_key = '') as counted`
    return row
  }
  // The first server comes as far as the notifications, waits there, and is killed.
  const waiting = () => sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
    and application_name = 'beckon' and query like '%delete from "notifications"%'`
  await using other = new SQL(world.url, { max: 1 })
  const inWay = await other.reserve()
  await inWay`begin`
  await inWay`select 1 from notifications for update`
  const first = await world.server()
  await until(async () => (await waiting()).length > 0)
  await first.end('SIGKILL')
  await inWay`rollback`
  inWay.release()
  await until(async () => (await waiting()).length === 0)
  const half = { questions: MANY, notifications: 2 * MANY, counted: 2 * MANY }
  expect(await counts()).toEqual(half)
  const own = await leaseOf(sql, LEASE)
  expect(own?.until).toBeLessThanOrEqual(Date.now() + LEASE_MS)

  // Two more begin with the same, and leave it to the one that has the lease.
  await Promise.all([world.server(), world.server()])
  await until(async () => (await watch.triedBy(LEASE)).length === 3)
  expect(await leaseOf(sql, LEASE)).toEqual(own)
  expect(await counts()).toEqual(half)

  // Begun anew when that is over.
  await passForLease(sql, LEASE, LEASE_MS)
  await world.server()
  await until(async () => (await leaseOf(sql, LEASE)) === undefined)
  expect(await watch.heldBy(LEASE)).toHaveLength(2)
  // Each old one is gone, was counted once, and the young ones are still there.
  expect(await counts()).toEqual({ questions: MANY, notifications: MANY, counted: 2 * MANY })
}, 120_000)
