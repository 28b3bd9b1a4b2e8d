import { SQL, type TransactionSQL } from 'bun'
import { currentNames, type Migration, refuseForeign } from '../migrate.ts'
import { type Address, nobodyWasHere } from './cannot-open.ts'
import { MIGRATIONS } from './migrations.ts'
import { databaseOf, type Query } from './pool.ts'

// The name of the lock that the first process takes; the others wait, and then find nothing left to
// do.
const LOCK = 8_484_001
const CONNECT_SECONDS = 5

/**
 * Applies missing migrations, all in one transaction, once however many processes start; returns
 * the names that were applied now. Throws `conflict` for a database that another version has
 * changed, and then changes nothing; with `known`, its address, also `not_found` for an empty one.
 * An index on a large table may take minutes, so there is no deadline.
 */
export async function migratePostgres(url: string, address?: Address): Promise<string[]> {
  const sql = new SQL(url, {
    ...databaseOf(url),
    max: 1,
    prepare: false,
    connectionTimeout: CONNECT_SECONDS,
  })
  try {
    const applied = await appliedIn(queryOn(sql))
    if (address && applied.size === 0) throw nobodyWasHere(address)
    // A server that is up to date starts without waiting for any lock.
    if (missingOf(applied).length === 0) return []
    return await sql.begin((tx) => apply(tx))
  } finally {
    await sql.close({ timeout: CONNECT_SECONDS })
  }
}

async function apply(tx: TransactionSQL): Promise<string[]> {
  await tx.unsafe('select pg_advisory_xact_lock($1)', [LOCK])
  // Must be the first statement: a backend that found no such table before it waited only notices
  // it when it creates one.
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

/** The names of the migrations that the database has; none for an empty one. */
export async function appliedIn(query: Query): Promise<Set<string>> {
  const [row] = await query("select to_regclass('migrations') is not null", [])
  return row?.[0] ? await namesIn(query) : new Set()
}

async function namesIn(query: Query): Promise<Set<string>> {
  const rows = await query('select name from migrations', [])
  return currentNames(rows.map(([name]) => String(name)))
}

/** Without the deadline of a pool. */
export function queryOn(sql: Pick<SQL, 'unsafe'>): Query {
  return async (text, params) => await sql.unsafe(text, [...params]).values()
}

/** The migrations that the database lacks. Throws `conflict` if another version has changed it. */
export function missingOf(applied: ReadonlySet<string>): Migration[] {
  refuseForeign(applied, MIGRATIONS)
  return MIGRATIONS.filter(({ name }) => !applied.has(name))
}
