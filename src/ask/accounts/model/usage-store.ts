import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { placeholders, prepared } from '../../../platform/db/prepared.ts'
import { laterOf, proposed } from '../../../platform/db/sql.ts'
import type { TokenId, WorkspaceId } from './ids.ts'
import { tokenUsage } from './table.ts'

export type TokenUsage = typeof tokenUsage.$inferSelect

/** The amount that a call of an agent adds to the counts of its token. */
export type Added = {
  tokenId: TokenId
  workspaceId: WorkspaceId
  openQuestions: number
  bytes: number
  /** Bytes that are written but not kept, such as those of a session. */
  beside?: number
  at: number
  /** How many bytes an hour stop counting as recent. */
  bytesAnHour: number
}

const HOUR_MS = 3_600_000
const { recentBytes, recentAt, openQuestions, keptBytes } = getTableColumns(tokenUsage)
// After an hour nothing counts any more; without this bound the product would be too large.
const passed = sql`(case
  when ${proposed(recentAt)} - ${recentAt} > ${HOUR_MS} then ${HOUR_MS}
  when ${proposed(recentAt)} > ${recentAt} then ${proposed(recentAt)} - ${recentAt}
  else 0 end)`
// Whole numbers, so that every database computes the same.
const leaked = sql`(${passed} * ${sql.placeholder('bytesAnHour')} / ${HOUR_MS})`
const stillRecent = sql`(case when ${recentBytes} > ${leaked} then ${recentBytes} - ${leaked} else 0 end)`
const plus = (column: AnySQLiteColumn, was: SQL) =>
  sql`${was} + ${proposed(column)}`.mapWith(Number)

const addOne = prepared((tx: Tx) =>
  tx
    .insert(tokenUsage)
    .values(placeholders(tokenUsage))
    .onConflictDoUpdate({
      target: tokenUsage.tokenId,
      set: {
        openQuestions: plus(openQuestions, sql`${openQuestions}`),
        keptBytes: plus(keptBytes, sql`${keptBytes}`),
        recentBytes: plus(recentBytes, stillRecent),
        recentAt: laterOf(recentAt),
      },
    })
    .returning()
    .prepare(),
)

/** Counts what a call adds, in the call's transaction; resolves to the new counts. */
export async function addUsage(tx: Tx, added: Added): Promise<TokenUsage> {
  const { tokenId, workspaceId, openQuestions, bytes, beside = 0, at, bytesAnHour } = added
  const [row] = await addOne(tx).execute({
    tokenId,
    workspaceId,
    openQuestions,
    keptBytes: bytes,
    recentBytes: bytes + beside,
    recentAt: at,
    bytesAnHour,
  })
  if (!row) throw new Error('the usage of a token was neither inserted nor updated')
  return row
}

/**
 * The amount that an end or a deletion takes off: open questions, bytes. Bytes that were written
 * recently stay counted.
 */
export type Freed = { openQuestions?: number; bytes?: number }

const freeOne = prepared((tx: Tx) =>
  tx
    .update(tokenUsage)
    .set({ openQuestions: less(openQuestions, 'open'), keptBytes: less(keptBytes, 'bytes') })
    .where(eq(tokenUsage.tokenId, sql.placeholder('tokenId')))
    .prepare(),
)

function less(column: AnySQLiteColumn, name: string): SQL {
  const by = sql.placeholder(name)
  return sql`case when ${column} > ${by} then ${column} - ${by} else 0 end`
}

export async function freeUsage(tx: Tx, tokenId: TokenId, freed: Freed): Promise<void> {
  const { openQuestions: open = 0, bytes = 0 } = freed
  await freeOne(tx).execute({ tokenId, open, bytes })
}

/** The counts of these tokens; a token that never wrote anything has none. */
export async function readUsage(
  read: Read,
  ids: readonly TokenId[],
): Promise<Map<TokenId, TokenUsage>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .select()
    .from(tokenUsage)
    .where(inArray(tokenUsage.tokenId, [...ids]))
  return new Map(rows.map((row) => [row.tokenId, row]))
}

/** The counts of all tokens of every workspace that ever wrote something. */
export async function listUsage(read: Read): Promise<TokenUsage[]> {
  return read.select().from(tokenUsage)
}

/**
 * Corrects what a token keeps; what it wrote recently stays as counted. False if something was
 * counted since `was` was read, so that what is there may be right.
 */
export async function correctUsage(
  tx: Tx,
  was: Pick<TokenUsage, 'tokenId' | 'openQuestions' | 'keptBytes'>,
  is: { openQuestions: number; keptBytes: number },
): Promise<boolean> {
  const corrected = await tx
    .update(tokenUsage)
    .set(is)
    .where(
      and(
        eq(tokenUsage.tokenId, was.tokenId),
        eq(openQuestions, was.openQuestions),
        eq(keptBytes, was.keptBytes),
      ),
    )
    .returning({ tokenId: tokenUsage.tokenId })
  return corrected.length > 0
}
