import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Read } from './database.ts'

/**
 * A hot query, built once for each connection instead of at each call, because building its SQL
 * costs more than running it. Values are passed as placeholders.
 */
export function prepared<On extends Read, Q>(build: (on: On) => Q): (on: On) => Q {
  const queries = new WeakMap<object, Q>()
  return (on) => {
    const connection = on.connection ?? on
    const existing = queries.get(connection)
    if (existing) return existing
    const query = build(on)
    queries.set(connection, query)
    return query
  }
}

type Executable = { execute(values: Record<string, unknown>): unknown }

/**
 * As `prepared`, for a query over a list of values. There is one query for each power of two: the
 * last value is repeated, so the query must not care how often a value is in its list. The list
 * holds at least one.
 */
export function preparedFor<On extends Read, Q extends Executable>(
  build: (on: On, list: Placeholder[]) => Q,
): (on: On, list: readonly string[], more?: Record<string, unknown>) => ReturnType<Q['execute']> {
  const bySize = new Map<number, (on: On) => Q>()
  return (on, list, more = {}) => {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, list.length)))
    const values: Record<string, unknown> = { ...more }
    for (let at = 0; at < size; at++) values[`_${at}`] = list[Math.min(at, list.length - 1)]
    const query = bySize.getOrInsertComputed(size, () => prepared((on) => build(on, places(size))))
    return query(on).execute(values) as ReturnType<Q['execute']>
  }
}

function places(size: number): Placeholder[] {
  return Array.from({ length: size }, (_, at) => sql.placeholder(`_${at}`))
}

/** A placeholder for every column of `table`, for a prepared insert. */
export function placeholders<T extends SQLiteTable>(table: T): T['$inferInsert'] {
  const names = Object.keys(getTableColumns(table))
  const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]))
  return values as unknown as T['$inferInsert']
}

/** A placeholder for each of these columns, for a prepared update. */
export function placeholdersOf<K extends string>(names: readonly K[]): Record<K, SQL> {
  const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]))
  return values as unknown as Record<K, SQL>
}

/** The values of a prepared insert: null for undefined fields. */
export function nulled(row: object): Record<string, unknown> {
  // A copy whose fields are overwritten takes a fifth of the time of an object that is built up.
  const values: Record<string, unknown> = { ...row }
  for (const name of Object.keys(values)) values[name] ??= null
  return values
}
