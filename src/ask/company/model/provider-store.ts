import { and, asc, eq } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Provider } from './provider.ts'
import { providers } from './table.ts'

/** The providers that owners have set up, by id. */
export async function listProviders(read: Read): Promise<Provider[]> {
  const rows = await read.select().from(providers).orderBy(asc(providers.id))
  return rows.map(fromRow)
}

export async function findProvider(read: Read, id: string): Promise<Provider | undefined> {
  const [row] = await read.select().from(providers).where(eq(providers.id, id))
  return row && fromRow(row)
}

/** Adds a provider; false if the id is taken. */
export async function addProvider(tx: Tx, provider: Provider, now: number): Promise<boolean> {
  const added = await tx
    .insert(providers)
    .values({ ...rowOf(provider), createdAt: now })
    .onConflictDoNothing()
    .returning()
  return added.length > 0
}

/** Stores changed settings; a secret that is not given stays. */
export async function putProvider(tx: Tx, provider: Provider): Promise<void> {
  const { id, settings, secret } = rowOf(provider)
  await tx
    .update(providers)
    .set(secret === null && provider.clientAuth !== 'none' ? { settings } : { settings, secret })
    .where(eq(providers.id, id))
}

/** Removes a provider of a workspace; false if there is none. The accounts of people stay. */
export async function dropProvider(tx: Tx, workspaceId: WorkspaceId, id: string): Promise<boolean> {
  const gone = await tx
    .delete(providers)
    .where(and(eq(providers.id, id), eq(providers.workspaceId, workspaceId)))
    .returning()
  return gone.length > 0
}

function rowOf({ id, workspaceId, secret, isFixed: _, ...settings }: Provider) {
  return { id, workspaceId, settings, secret }
}

function fromRow({ id, workspaceId, settings, secret }: typeof providers.$inferSelect): Provider {
  return { ...settings, id, workspaceId, secret, isFixed: false }
}
