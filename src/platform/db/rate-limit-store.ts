import { eq, gt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from './database.ts'
import { rateLimits } from './rate-limit-table.ts'

// A bucket that fills later than any could was written by a clock that was wrong: nobody is locked
// out by it.
const CLOCKS_DIFFER_MS = 60_000

/**
 * Counts one attempt for `key` in a token bucket that every process shares: one conditional upsert
 * decides every race. Resolves to undefined, or, when it was one too many, to the instant at which
 * the next one fits; then nothing was counted.
 */
export async function takeFromLimit(
  tx: Tx,
  key: string,
  { burst, perMinute }: { burst: number; perMinute: number },
  now: number,
): Promise<number | undefined> {
  const each = Math.ceil(60_000 / perMinute)
  // An attempt fits while the bucket will be full again by then.
  const fits = now + (burst - 1) * each
  const never = fits + each + CLOCKS_DIFFER_MS
  const isFree = or(lte(rateLimits.fullAt, fits), gt(rateLimits.fullAt, never))
  const taken = await tx
    .insert(rateLimits)
    .values({ key, fullAt: now + each })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: { fullAt: oneMore(each, never) },
      ...(isFree && { setWhere: isFree }),
    })
    .returning()
  if (taken.length > 0) return undefined
  const [row] = await tx.select().from(rateLimits).where(eq(rateLimits.key, key))
  return row && row.fullAt > fits ? now + row.fullAt - fits : now + 1
}

/** `each` after the later of now (which `excluded` holds, with `each` added) and what is stored. */
function oneMore(each: number, never: number): SQL<number> {
  const { fullAt } = rateLimits
  const first = sql`excluded.${sql.identifier(fullAt.name)}`
  const next = sql`${fullAt} + ${each}`
  const isLater = sql`${next} > ${first} and ${fullAt} <= ${never}`
  return sql<number>`case when ${isLater} then ${next} else ${first} end`.mapWith(Number)
}

/** Deletes the rows that say nothing any more; resolves to how many. */
export async function forgetFullLimits(tx: Tx, now: number): Promise<number> {
  const gone = await tx
    .delete(rateLimits)
    .where(lte(rateLimits.fullAt, now))
    .returning({ key: rateLimits.key })
  return gone.length
}
