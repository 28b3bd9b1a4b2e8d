import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Read } from './database.ts'

/**
 * A hot query, built once for each connection instead of at each call, because building its SQL
 * costs more than running it. Values are passed as placeholders.
 */
export function prepared<On extends Read, Q>(build: (on: On) => Q): (on: On) => Q {
  const known = new WeakMap<object, Q>()
  return (on) => {
    const connection = on.connection ?? on
    const found = known.get(connection)
    if (found) return found
    const query = build(on)
    known.set(connection, query)
    return query
  }
}

/** A placeholder for every column of `table`, for a prepared insert. */
export function placeholders<T extends SQLiteTable>(table: T): T['$inferInsert'] {
  const names = Object.keys(getTableColumns(table))
  const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]))
  return values as unknown as T['$inferInsert']
}

/** The values of a prepared insert: null for undefined fields. */
export function nulled(row: object): Record<string, unknown> {
  // A copy whose fields are overwritten takes a fifth of the time of an object that is built up.
  const values: Record<string, unknown> = { ...row }
  for (const name of Object.keys(values)) values[name] ??= null
  return values
}
