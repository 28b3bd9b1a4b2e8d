import { and, desc, eq, gt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { callbackSecrets } from './table.ts'

/** A secret with which a workspace signs its callbacks. */
export type CallbackSecret = {
  id: string
  workspaceId: WorkspaceId
  /** `whsec_` and base64, as Standard Webhooks defines it. */
  secret: string
  createdAt: number
  /** When it stops signing; `FOREVER` for the current one. */
  endsAt: number
}

/** The end of the current secret: a number, so that ends can be compared and sorted. */
export const FOREVER = Number.MAX_SAFE_INTEGER

/** How long a rotated secret keeps signing: as long as an answer may take to arrive. */
export const OVERLAP_MS = 24 * 3_600_000

export const SECRET_PREFIX = 'whsec_'
// 24 to 64 bytes (Standard Webhooks, Signature scheme).
const SECRET_BYTES = 32

export function makeSecret(): string {
  return (
    SECRET_PREFIX +
    Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')
  )
}

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
export async function keepFirstSecret(tx: Tx, secret: CallbackSecret): Promise<void> {
  await tx.lock(`callback-secret:${secret.workspaceId}`)
  const [current] = await tx
    .select()
    .from(callbackSecrets)
    .where(currentOf(secret.workspaceId))
    .limit(1)
  if (!current) await tx.insert(callbackSecrets).values(secret)
}

/** Makes `made` the current secret; the previous one signs until `overlapEndsAt`. */
export async function replaceSecret(
  tx: Tx,
  secret: CallbackSecret,
  overlapEndsAt: number,
): Promise<void> {
  await tx.lock(`callback-secret:${secret.workspaceId}`)
  await tx
    .update(callbackSecrets)
    .set({ endsAt: overlapEndsAt })
    .where(currentOf(secret.workspaceId))
  await tx.insert(callbackSecrets).values(secret)
}

function currentOf(workspaceId: WorkspaceId) {
  return and(eq(callbackSecrets.workspaceId, workspaceId), eq(callbackSecrets.endsAt, FOREVER))
}
