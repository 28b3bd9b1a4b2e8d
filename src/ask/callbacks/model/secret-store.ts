import { and, desc, eq, gt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../../platform/ids.ts'
import { type CallbackSecret, FOREVER } from './secret.ts'
import { callbackSecrets } from './table.ts'

/** The secrets that sign at `now`: the current one first, then those that still overlap. */
export async function liveSecrets(
  read: Read,
  workspaceId: WorkspaceId,
  now: number,
): Promise<CallbackSecret[]> {
  return read
    .select()
    .from(callbackSecrets)
    .where(and(eq(callbackSecrets.workspaceId, workspaceId), gt(callbackSecrets.endsAt, now)))
    .orderBy(desc(callbackSecrets.endsAt), desc(callbackSecrets.id))
}

/** Stores `made` unless the workspace has a secret already. */
export async function keepFirstSecret(tx: Tx, made: CallbackSecret): Promise<void> {
  await tx.lock(`callback-secret:${made.workspaceId}`)
  const [current] = await tx
    .select()
    .from(callbackSecrets)
    .where(currentOf(made.workspaceId))
    .limit(1)
  if (!current) await tx.insert(callbackSecrets).values(made)
}

/** Makes `made` the current secret; the previous one signs until `overlapEndsAt`. */
export async function replaceSecret(
  tx: Tx,
  made: CallbackSecret,
  overlapEndsAt: number,
): Promise<void> {
  await tx.lock(`callback-secret:${made.workspaceId}`)
  await tx.update(callbackSecrets).set({ endsAt: overlapEndsAt }).where(currentOf(made.workspaceId))
  await tx.insert(callbackSecrets).values(made)
}

function currentOf(workspaceId: WorkspaceId) {
  return and(eq(callbackSecrets.workspaceId, workspaceId), eq(callbackSecrets.endsAt, FOREVER))
}
