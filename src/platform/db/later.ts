import { type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'

/** In an upsert: the later of the instant in `column` and the one to be inserted. */
export function laterOf(column: AnySQLiteColumn): SQL<number> {
  const said = sql`excluded.${sql.identifier(column.name)}`
  return sql<number>`case when ${said} > ${column} then ${said} else ${column} end`.mapWith(Number)
}
