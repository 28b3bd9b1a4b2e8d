import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import { questions } from './table.ts'

/**
 * Records for open questions for which a call would still wait that none does any more.
 */
export async function markCutOff(tx: Tx, now: number): Promise<void> {
  const { id, origin, detail, status, expiresAt, createdAt, waitEndsAt, abandonedAt } = questions
  const rows = await tx
    .select({ id, origin, detail, waitEndsAt })
    .from(questions)
    .where(and(eq(status, 'pending'), gt(expiresAt, now), lt(createdAt, now), isNull(abandonedAt)))
  const waited = rows.filter(({ origin, detail, waitEndsAt }) => {
    // The agent of a followed question goes on polling for the outcome.
    if (detail.followedAt !== undefined) return false
    const waitEnd = detail.notWaited || origin === 'notification' ? 0 : waitEndsAt
    return Math.max(waitEnd, detail.waitsUntil ?? 0) > now
  })
  for (let at = 0; at < waited.length; at += AT_ONCE) {
    const ids = waited.slice(at, at + AT_ONCE).map((row) => row.id)
    await tx.update(questions).set({ abandonedAt: now }).where(inArray(id, ids))
  }
}

// SQLite and PostgreSQL limit the values of one statement.
const AT_ONCE = 500
