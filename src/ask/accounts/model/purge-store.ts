import { inArray, lt } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import { session, verification } from './auth-tables.ts'

/**
 * Deletes what expired before `now`, at most `limit` of each: sign-ins, challenges of passkeys,
 * invitations. Returns how many.
 */
export async function purgeSignIns(tx: Tx, now: number, limit: number): Promise<number> {
  const before = new Date(now)
  const waited = await tx
    .select({ id: verification.id })
    .from(verification)
    .where(lt(verification.expiresAt, before))
    .limit(limit)
  const ended = await tx
    .select({ id: session.id })
    .from(session)
    .where(lt(session.expiresAt, before))
    .limit(limit)
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
  if (waited.length > 0) {
    await tx.delete(verification).where(inArray(verification.id, idsOf(waited)))
  }
  if (ended.length > 0) await tx.delete(session).where(inArray(session.id, idsOf(ended)))
  return waited.length + ended.length
}
