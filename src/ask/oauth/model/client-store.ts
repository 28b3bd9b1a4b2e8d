import { and, asc, count, desc, eq, inArray, isNull, lt, ne, or } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { OAuthClient } from './client.ts'
import { oauthClients } from './table.ts'

export async function findStoredClient(read: Read, id: string): Promise<OAuthClient | undefined> {
  const [row] = await read.select().from(oauthClients).where(eq(oauthClients.id, id))
  return row
}

/** Adds a client, or replaces what was known of it. */
export async function putClient(tx: Tx, client: OAuthClient): Promise<void> {
  const { id: _, createdAt: __, usedAt: ___, ...fields } = client
  await tx
    .insert(oauthClients)
    .values(client)
    .onConflictDoUpdate({ target: oauthClients.id, set: fields })
}

/** Somebody allowed it. */
export async function markClientUsed(tx: Tx, id: string, now: number): Promise<void> {
  await tx.update(oauthClients).set({ usedAt: now }).where(eq(oauthClients.id, id))
}

/** Those that owners of a workspace made, newest first. */
export async function listMadeClients(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<OAuthClient[]> {
  return await read
    .select()
    .from(oauthClients)
    .where(and(eq(oauthClients.kind, 'made'), eq(oauthClients.workspaceId, workspaceId)))
    .orderBy(desc(oauthClients.createdAt), desc(oauthClients.id))
}

export async function dropClient(tx: Tx, id: string): Promise<void> {
  await tx.delete(oauthClients).where(eq(oauthClients.id, id))
}

/** How many registered themselves, and were never allowed by anybody. */
export async function countUnused(read: Read): Promise<number> {
  const [row] = await read.select({ clients: count() }).from(oauthClients).where(isUnused())
  return row?.clients ?? 0
}

/**
 * Deletes clients that became known before `unusedSince` and were never allowed, the oldest first,
 * and those last allowed before `usedSince`; at most `limit` of each. Returns how many.
 */
export async function purgeClients(
  tx: Tx,
  { unusedSince, usedSince, limit }: { unusedSince: number; usedSince: number; limit: number },
): Promise<number> {
  const rows = await tx
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(
      or(
        and(isUnused(), lt(oauthClients.createdAt, unusedSince)),
        and(ne(oauthClients.kind, 'made'), lt(oauthClients.usedAt, usedSince)),
      ),
    )
    .orderBy(asc(oauthClients.createdAt), asc(oauthClients.id))
    .limit(limit)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.delete(oauthClients).where(inArray(oauthClients.id, ids))
  return ids.length
}

function isUnused() {
  return and(ne(oauthClients.kind, 'made'), isNull(oauthClients.usedAt))
}
