import { SQL, type TransactionSQL } from 'bun'
import { type Migration, refuseNewer } from '../migrate.ts'
import { type Address, nobodyWasHere } from './cannot-open.ts'
import { MIGRATIONS } from './migrations.ts'
import { databaseOf, type Query } from './pool.ts'

// Names the lock that the first process takes; the others wait and find nothing left to do.
const LOCK = 8_484_001
const CONNECT_SECONDS = 5

/**
 * Applies what is missing, all of it in one transaction, once however many processes start; returns
 * the names applied now. Throws `conflict` for a database that a newer version has changed: nothing
 * is touched then; with `known`, its address, `not_found` for an empty one, too. An index on a large
 * table may take minutes, so nothing ends it early.
 */
export async function migratePostgres(url: string, known?: Address): Promise<string[]> {
  const sql = new SQL(url, {
    ...databaseOf(url),
    max: 1,
    prepare: false,
    connectionTimeout: CONNECT_SECONDS,
  })
  try {
    const applied = await appliedIn(queryOn(sql))
    if (known && applied.size === 0) throw nobodyWasHere(known)
    // A server that is up to date starts without waiting for anybody.
    if (missingOf(applied).length === 0) return []
    return await sql.begin((tx) => apply(tx))
  } finally {
    await sql.close({ timeout: CONNECT_SECONDS })
  }
}

async function apply(tx: TransactionSQL): Promise<string[]> {
  await tx.unsafe('select pg_advisory_xact_lock($1)', [LOCK])
  // First: a backend that found no such table before it waited believes so until it makes one.
  await tx.unsafe(
    'create table if not exists migrations (name text collate "C" primary key not null, applied_at bigint not null)',
  )
  const missing = missingOf(await namesIn(queryOn(tx)))
  for (const { name, sql } of missing) {
    await tx.unsafe(sql).simple()
    const row = [name, Date.now()]
    await tx.unsafe('insert into migrations (name, applied_at) values ($1, $2)', row)
  }
  return missing.map(({ name }) => name)
}

/** Names of the migrations that the database has; none for an empty one. */
export async function appliedIn(query: Query): Promise<Set<string>> {
  const [found] = await query("select to_regclass('migrations') is not null", [])
  return found?.[0] ? await namesIn(query) : new Set()
}

async function namesIn(query: Query): Promise<Set<string>> {
  const rows = await query('select name from migrations', [])
  return new Set(rows.map(([name]) => String(name)))
}

/** Without the deadline of a pool. */
export function queryOn(sql: Pick<SQL, 'unsafe'>): Query {
  return async (text, params) => await sql.unsafe(text, [...params]).values()
}

/** What the database lacks. Throws `conflict` when a newer version has changed it. */
export function missingOf(applied: ReadonlySet<string>): Migration[] {
  refuseNewer(applied, MIGRATIONS)
  return MIGRATIONS.filter(({ name }) => !applied.has(name))
}
