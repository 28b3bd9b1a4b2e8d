import { eq, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { gateListings } from './table.ts'

/** The fingerprints that a client was listed last, by the names of the tools. */
export type Listing = {
  /** Names the token, the server and the session. */
  key: string
  workspaceId: WorkspaceId
  tools: Record<string, string>
  listedAt: number
}

export async function findListing(read: Read, key: string): Promise<Listing | undefined> {
  const [row] = await read.select().from(gateListings).where(eq(gateListings.key, key))
  return row
}

export async function saveListing(tx: Tx, listing: Listing): Promise<void> {
  const { tools, listedAt } = listing
  await tx
    .insert(gateListings)
    .values(listing)
    .onConflictDoUpdate({ target: gateListings.key, set: { tools, listedAt } })
}

export async function deleteListing(tx: Tx, key: string): Promise<void> {
  await tx.delete(gateListings).where(eq(gateListings.key, key))
}

/** Deletes the lists of clients that have listed nothing since `before`. */
export async function purgeListings(tx: Tx, before: number): Promise<void> {
  await tx.delete(gateListings).where(lt(gateListings.listedAt, before))
}
