import { and, asc, eq, isNull, lt, or } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { policyTokens } from './table.ts'

export type PolicyToken = typeof policyTokens.$inferSelect

export async function addPolicyToken(tx: Tx, token: PolicyToken): Promise<void> {
  await tx.insert(policyTokens).values(token)
}

export async function listPolicyTokens(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<PolicyToken[]> {
  return await read
    .select()
    .from(policyTokens)
    .where(eq(policyTokens.workspaceId, workspaceId))
    .orderBy(asc(policyTokens.id))
}

export async function findPolicyToken(read: Read, hash: string): Promise<PolicyToken | undefined> {
  const [row] = await read.select().from(policyTokens).where(eq(policyTokens.hash, hash))
  return row
}

/** Revokes a token; undefined if there is none. */
export async function dropPolicyToken(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: Id<'ptk'>,
): Promise<PolicyToken | undefined> {
  const [row] = await tx
    .delete(policyTokens)
    .where(and(eq(policyTokens.id, id), eq(policyTokens.workspaceId, workspaceId)))
    .returning()
  return row
}

/** Remembers that a token was used, unless that is known since `since`. */
export async function markPolicyTokenUsed(
  tx: Tx,
  id: Id<'ptk'>,
  { at, since }: { at: number; since: number },
): Promise<void> {
  const { lastUsedAt } = policyTokens
  await tx
    .update(policyTokens)
    .set({ lastUsedAt: at })
    .where(and(eq(policyTokens.id, id), or(isNull(lastUsedAt), lt(lastUsedAt, since))))
}
