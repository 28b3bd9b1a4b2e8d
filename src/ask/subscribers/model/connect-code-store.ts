import { and, eq, gt, lte, or } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import { connectCodes } from './table.ts'

/** A one-time code with which a person connects a chat. */
export type ConnectCode = typeof connectCodes.$inferSelect

/** Keeps a code in place of an earlier one of the same person, and forgets those that have expired. */
export async function putConnectCode(tx: Tx, code: ConnectCode, now: number): Promise<void> {
  const { personId, transport } = code
  await tx.lock(`connect ${transport} ${personId}`)
  const earlier = and(eq(connectCodes.personId, personId), eq(connectCodes.transport, transport))
  await tx.delete(connectCodes).where(or(earlier, lte(connectCodes.expiresAt, now)))
  await tx.insert(connectCodes).values(code)
}

/** Uses a code up; undefined for one that does not exist, was used, or has expired. */
export async function takeConnectCode(
  tx: Tx,
  { hash, transport, now }: { hash: string; transport: string; now: number },
): Promise<ConnectCode | undefined> {
  const [code] = await tx
    .delete(connectCodes)
    .where(
      and(
        eq(connectCodes.hash, hash),
        eq(connectCodes.transport, transport),
        gt(connectCodes.expiresAt, now),
      ),
    )
    .returning()
  return code
}

/** Ends the codes of a person, in every channel and workspace. */
export async function dropConnectCodes(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(connectCodes).where(eq(connectCodes.personId, personId))
}

/** Returns true if a connect code of this channel is open. */
export async function awaitsConnectCode(
  read: Read,
  { transport, now }: { transport: string; now: number },
): Promise<boolean> {
  const rows = await read
    .select({ hash: connectCodes.hash })
    .from(connectCodes)
    .where(and(eq(connectCodes.transport, transport), gt(connectCodes.expiresAt, now)))
    .limit(1)
  return rows.length > 0
}
