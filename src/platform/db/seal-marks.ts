import { and, asc, count, gt, gte, inArray, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Read, Tx } from './database.ts'

/**
 * Where a table stores which link of the audit trail seals a row, or one of the two moments of a
 * row.
 */
export type SealColumns = {
  id: AnySQLiteColumn
  /** The number of the link; null until then. */
  seal: AnySQLiteColumn
  /** When it happened. */
  at: AnySQLiteColumn
  /** True once the event has happened. Left out if it has happened as soon as the row exists. */
  ready?: SQL
}

/** A row, and the link that seals it. */
export type Marked<Row> = { row: Row; seal: number | null }

/**
 * Finds the sealed and unsealed rows of one table, for the job that seals them and for the check.
 */
export type SealMarks<Row> = {
  /** Rows to be sealed, the oldest ids first. */
  listUnsealed(read: Read, limit: number): Promise<Row[]>
  countUnsealed(read: Read): Promise<number>
  mark(tx: Tx, ids: readonly string[], seal: number): Promise<void>
  find(read: Read, ids: readonly string[]): Promise<Map<string, Marked<Row>>>
  /** How many rows name one of these links as their seal. */
  countWithin(read: Read, links: Links): Promise<number>
  /** Lists their ids in order, after `after`. */
  listWithin(read: Read, links: Links, after: string, limit: number): Promise<string[]>
  /** A row that names a later link as its seal or, if it is of `since` or later, an earlier one. */
  findOutside(read: Read, links: Links, since: number): Promise<SealOutOfRange | undefined>
}

/** From the first to the last link, both included. */
export type Links = { first: number; last: number }

export type SealOutOfRange = { id: string; seal: number }

// Ids go to the database in batches, below every database's limit on parameters.
const IDS_PIECE = 500

export function sealMarks<T extends SQLiteTable>(
  table: T,
  { id, seal, at, ready }: SealColumns,
): SealMarks<T['$inferSelect']> {
  type Row = T['$inferSelect']
  const from = table as SQLiteTable
  const unsealed = and(isNull(seal), ready)
  const columns = { id, seal }
  return {
    async listUnsealed(read, limit) {
      const rows = await read.select().from(from).where(unsealed).orderBy(asc(id)).limit(limit)
      return rows as Row[]
    },
    async countUnsealed(read) {
      const [row] = await read.select({ rows: count() }).from(from).where(unsealed)
      return Number(row?.rows ?? 0)
    },
    async mark(tx, ids, link) {
      const [name] = Object.entries(table).find(([, column]) => column === seal) ?? []
      for (const piece of pieces(ids)) {
        await tx
          .update(from)
          .set({ [String(name)]: link })
          .where(inArray(id, piece))
      }
    },
    async find(read, ids) {
      const marks = new Map<string, Marked<Row>>()
      for (const piece of pieces(ids)) {
        const rows = await read
          .select({ row: table, ...columns })
          .from(from)
          .where(inArray(id, piece))
        for (const one of rows) {
          marks.set(one.id as string, { row: one.row as Row, seal: one.seal as number | null })
        }
      }
      return marks
    },
    async countWithin(read, { first, last }) {
      const [row] = await read
        .select({ rows: count() })
        .from(from)
        .where(and(gte(seal, first), lte(seal, last)))
      return Number(row?.rows ?? 0)
    },
    async listWithin(read, { first, last }, after, limit) {
      const rows = await read
        .select(columns)
        .from(from)
        .where(and(gte(seal, first), lte(seal, last), gt(id, after)))
        .orderBy(asc(id))
        .limit(limit)
      return rows.map((row) => row.id as string)
    },
    async findOutside(read, { first, last }, since) {
      const [row] = await read
        .select(columns)
        .from(from)
        .where(or(gt(seal, last), and(lt(seal, first), gte(at, since))))
        .orderBy(asc(id))
        .limit(1)
      return row as SealOutOfRange | undefined
    },
  }
}

function* pieces(ids: readonly string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += IDS_PIECE) yield ids.slice(at, at + IDS_PIECE)
}
