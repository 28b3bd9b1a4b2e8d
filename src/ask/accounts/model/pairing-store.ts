import { and, asc, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PairingId, PersonId } from './ids.ts'
import type { PairingCode } from './pairing.ts'
import { pairingCodes } from './table.ts'

type NewCode = Omit<PairingCode, 'usedAt' | 'device' | 'signInId' | 'cancelledAt'>

export async function addPairingCode(tx: Tx, code: NewCode): Promise<void> {
  await tx.insert(pairingCodes).values(code)
}

export async function findPairingCode(read: Read, hash: string): Promise<PairingCode | undefined> {
  const [code] = await read.select().from(pairingCodes).where(eq(pairingCodes.hash, hash))
  return code
}

/** The codes of a pairing that this person began, the scanned one first. */
export async function listPairingCodes(
  read: Read,
  personId: PersonId,
  pairingId: PairingId,
): Promise<PairingCode[]> {
  return await read
    .select()
    .from(pairingCodes)
    .where(and(eq(pairingCodes.pairingId, pairingId), eq(pairingCodes.personId, personId)))
    .orderBy(desc(pairingCodes.step), asc(pairingCodes.hash))
}

/** Uses up a code that is valid at `now`; if several try, one succeeds. */
export async function takePairingCode(
  tx: Tx,
  hash: string,
  use: { now: number; device: string },
): Promise<PairingCode | undefined> {
  const [row] = await tx
    .update(pairingCodes)
    .set({ usedAt: use.now, device: use.device })
    .where(
      and(
        eq(pairingCodes.hash, hash),
        isNull(pairingCodes.usedAt),
        isNull(pairingCodes.cancelledAt),
        gt(pairingCodes.expiresAt, use.now),
      ),
    )
    .returning()
  return row
}

/** Stores which sign-in a code led to; false when the pairing was cancelled meanwhile. */
export async function keepPairedSignIn(tx: Tx, hash: string, signInId: string): Promise<boolean> {
  const rows = await tx
    .update(pairingCodes)
    .set({ signInId })
    .where(and(eq(pairingCodes.hash, hash), isNull(pairingCodes.cancelledAt)))
    .returning()
  return rows.length > 0
}

/** Ends every code of a pairing; returns those that it ended. */
export async function cancelPairingCodes(
  tx: Tx,
  personId: PersonId,
  of: { pairingId: PairingId; now: number },
): Promise<PairingCode[]> {
  return await tx
    .update(pairingCodes)
    .set({ cancelledAt: of.now })
    .where(
      and(
        eq(pairingCodes.pairingId, of.pairingId),
        eq(pairingCodes.personId, personId),
        isNull(pairingCodes.cancelledAt),
      ),
    )
    .returning()
}

/** Ends the codes of a person that wait to be used. */
export async function endWaitingCodes(tx: Tx, personId: PersonId, now: number): Promise<void> {
  await tx
    .update(pairingCodes)
    .set({ cancelledAt: now })
    .where(
      and(
        eq(pairingCodes.personId, personId),
        isNull(pairingCodes.usedAt),
        isNull(pairingCodes.cancelledAt),
        gt(pairingCodes.expiresAt, now),
      ),
    )
}

/** Deletes codes that expired before `before`. */
export async function dropOldPairingCodes(tx: Tx, before: number): Promise<void> {
  await tx.delete(pairingCodes).where(lt(pairingCodes.expiresAt, before))
}
