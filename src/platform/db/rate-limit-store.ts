import { eq, gt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from './database.ts'
import { proposed } from './sql.ts'
import { rateLimits } from './table.ts'

// A bucket that fills later than is possible was written by a wrong clock, and must lock nobody
// out.
const CLOCKS_DIFFER_MS = 60_000

/**
 * Counts one attempt for `key` in a token bucket that all processes share: one conditional upsert
 * decides every race. Resolves to undefined or, if it was one too many, to the instant at which the
 * next one fits; then nothing was counted.
 */
export async function takeFromLimit(
  tx: Tx,
  key: string,
  { burst, perMinute }: { burst: number; perMinute: number },
  now: number,
): Promise<number | undefined> {
  const each = Math.ceil(60_000 / perMinute)
  // An attempt fits if the bucket can be full again by then.
  const fits = now + (burst - 1) * each
  const never = fits + each + CLOCKS_DIFFER_MS
  const isFree = or(lte(rateLimits.fullAt, fits), gt(rateLimits.fullAt, never))
  const rows = await tx
    .insert(rateLimits)
    .values({ key, fullAt: now + each })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { fullAt: oneMore(each, never) },
      ...(isFree && { setWhere: isFree }),
    })
    .returning()
  if (rows.length > 0) return undefined
  const [row] = await tx.select().from(rateLimits).where(eq(rateLimits.key, key))
  return row && row.fullAt > fits ? now + row.fullAt - fits : now + 1
}

/**
 * `each` after now or after the stored instant, whichever is later. `excluded` holds now with
 * `each` already added.
 */
function oneMore(each: number, never: number): SQL<number> {
  const { fullAt } = rateLimits
  const first = proposed(fullAt)
  const next = sql`${fullAt} + ${each}`
  const isLater = sql`${next} > ${first} and ${fullAt} <= ${never}`
  return sql<number>`case when ${isLater} then ${next} else ${first} end`.mapWith(Number)
}

/** Deletes the rows that have no effect any more; resolves to how many. */
export async function forgetFullLimits(tx: Tx, now: number): Promise<number> {
  const rows = await tx
    .delete(rateLimits)
    .where(lte(rateLimits.fullAt, now))
    .returning({ key: rateLimits.key })
  return rows.length
}
