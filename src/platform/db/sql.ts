import {
  and,
  type Column,
  eq,
  gte,
  isNull,
  lt,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { firstIdAt } from '../ids.ts'

/** Rows of a range of time, newest first. */
export type TimeRange = {
  /** At or after this instant. */
  from: number
  /** Before this instant; with an `id`, also rows at this instant with a lower id. */
  before: { at: number; id: string | undefined }
  limit: number
}

/** The condition on a row's instant and id. */
function within(at: SQLWrapper, id: AnySQLiteColumn, range: TimeRange) {
  const { from, before } = range
  const earlier = lt(at, before.at)
  const last = before.id === undefined ? undefined : and(eq(at, before.at), lt(id, before.id))
  return and(gte(at, from), last ? or(earlier, last) : earlier)
}

type Row = { workspaceId: AnySQLiteColumn; at: AnySQLiteColumn; id: AnySQLiteColumn }

/**
 * The rows of a workspace in a range of time. With `few`, which finds them by an index of its own,
 * the index of times is not used: SQLite would prefer it, and read the whole range.
 */
export function inTrail(
  row: Row,
  workspaceId: string,
  range: TimeRange,
  few?: SQL,
): SQL | undefined {
  const { at, id } = row
  if (!few) return and(eq(row.workspaceId, workspaceId), within(at, id, range))
  return and(few, sql`${row.workspaceId} || '' = ${workspaceId}`, within(sql`${at} + 0`, id, range))
}

/** As `within` for rows whose id was made at their instant, so that the index of ids is enough. */
export function createdWithin(
  id: AnySQLiteColumn,
  prefix: string,
  range: TimeRange,
): SQL | undefined {
  const { from, before } = range
  return and(gte(id, firstIdAt(prefix, from)), lt(id, before.id ?? firstIdAt(prefix, before.at)))
}

/** The agents' name for their session; `machineId` is empty if its calls named no machine. */
export type SessionName = { machineId: string; sessionId: string }

/** The rows of one session, by columns that every row made by an agent has. */
export function inSession(of: { machineId: Column; sessionId: Column }, session: SessionName) {
  const { machineId, sessionId } = session
  const machine =
    machineId === '' ? or(isNull(of.machineId), eq(of.machineId, '')) : eq(of.machineId, machineId)
  return and(eq(of.sessionId, sessionId), machine)
}

/** In an upsert: the later of the instant in `column` and the one to be inserted. */
export function laterOf(column: AnySQLiteColumn): SQL<number> {
  const later = proposed(column)
  return sql<number>`case when ${later} > ${column} then ${later} else ${column} end`.mapWith(
    Number,
  )
}

/** In an upsert: the value that was to be inserted. */
export function proposed(column: Column): SQL {
  return sql`excluded.${sql.identifier(column.name)}`
}
