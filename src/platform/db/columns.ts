import { blob, customType, integer, text as sqliteText } from 'drizzle-orm/sqlite-core'

/**
 * The only kinds of column a table may have, so that the same tables run on SQLite and PostgreSQL.
 * Names are written out in snake_case.
 */

/** Text, also for ids, enumerations and tokens. */
export const text = <T extends string = string>(name: string) => sqliteText(name).$type<T>()

/** A whole number. */
export const count = (name: string) => integer(name)

/** Yes or no, stored as 1 or 0. */
export const flag = customType<{ data: boolean; driverData: number }>({
  dataType: () => 'integer',
  fromDriver: (value) => Number(value) === 1,
  toDriver: (value) => (value ? 1 : 0),
})

/** A moment in milliseconds since 1970 (UTC). */
export const instant = (name: string) => integer(name)

/** A moment as better-auth wants it: a `Date` in code, milliseconds in the database. */
export const date = customType<{ data: Date; driverData: number }>({
  dataType: () => 'integer',
  fromDriver: (value) => new Date(Number(value)),
  toDriver: (value) => value.getTime(),
})

/** A JSON value stored as text; no query reads its fields. */
export const json = <T>(name: string) =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    fromDriver: (value) => JSON.parse(value as string) as T,
    // A prepared query passes nulls as well.
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
  })(name)

/** Raw bytes. */
export const bytes = (name: string) => blob(name, { mode: 'buffer' })

type NullsToUndefined<T> = {
  [K in keyof T]: null extends T[K] ? Exclude<T[K], null> | undefined : T[K]
}

/**
 * Turns each null of a row that was just read into undefined, which is what the code outside of stores
 * has for "not known". Changes the row itself: rows are read in thousands.
 */
export function nullsToUndefined<T extends object>(row: T): NullsToUndefined<T> {
  const fields = row as Record<string, unknown>
  for (const name in fields) if (fields[name] === null) fields[name] = undefined
  return row as NullsToUndefined<T>
}

// The bytes of a row besides its texts: ids, numbers, its index entries.
const AROUND = 200

/** About how many bytes a row takes with these texts and JSON values. */
export function rowBytes(...written: unknown[]): number {
  let bytes = AROUND
  for (const value of written) {
    if (value === undefined || value === null) continue
    bytes += Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return bytes
}
