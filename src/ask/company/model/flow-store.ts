import { and, count, eq, gt, lte } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { SignInFlow } from './flow.ts'
import { logoutIds, signInFlows } from './table.ts'

/** Keeps a sign-in that has begun, and forgets those that are over. */
export async function addFlow(tx: Tx, flow: SignInFlow): Promise<void> {
  await tx.delete(signInFlows).where(lte(signInFlows.expiresAt, flow.createdAt))
  await tx.insert(signInFlows).values(flow)
}

/** How many wait at `now`. */
export async function countFlows(read: Read, now: number): Promise<number> {
  const [row] = await read
    .select({ flows: count() })
    .from(signInFlows)
    .where(gt(signInFlows.expiresAt, now))
  return row?.flows ?? 0
}

type Key = Pick<SignInFlow, 'hash' | 'browserHash' | 'provider'>

/** The sign-in with this state, of this browser; it stays. */
export async function findFlow(
  read: Read,
  key: Omit<Key, 'provider'>,
  now: number,
): Promise<SignInFlow | undefined> {
  const [row] = await read
    .select()
    .from(signInFlows)
    .where(
      and(
        eq(signInFlows.hash, key.hash),
        eq(signInFlows.browserHash, key.browserHash),
        gt(signInFlows.expiresAt, now),
      ),
    )
  return row
}

/** Uses a sign-in up: of two who try, one succeeds. */
export async function takeFlow(tx: Tx, key: Key, now: number): Promise<SignInFlow | undefined> {
  const [row] = await tx
    .delete(signInFlows)
    .where(
      and(
        eq(signInFlows.hash, key.hash),
        eq(signInFlows.browserHash, key.browserHash),
        eq(signInFlows.provider, key.provider),
        gt(signInFlows.expiresAt, now),
      ),
    )
    .returning()
  return row
}

/** Ends what a person has begun, or would have to confirm. */
export async function dropFlowsOf(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(signInFlows).where(eq(signInFlows.personId, personId))
}

/** Records a logout token; false if it came before. */
export async function takeLogoutId(
  tx: Tx,
  id: { provider: string; hash: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  await tx.delete(logoutIds).where(lte(logoutIds.expiresAt, now))
  const added = await tx.insert(logoutIds).values(id).onConflictDoNothing().returning()
  return added.length > 0
}
