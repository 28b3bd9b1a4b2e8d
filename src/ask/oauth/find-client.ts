import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Person } from '../accounts/model/person.ts'
import { fetchDocument } from './document-failures.ts'
import type { OAuthClient } from './model/client.ts'
import { findStoredClient, putClient } from './model/client-store.ts'
import { isDocumentAddress } from './read-document.ts'

export type ClientDeps = { db: Db; clock: Clock; outside: Pick<GuardedFetch, 'fetch'> }

/** A client, or a sentence that says why there is none. */
export type FoundClient = { client: OAuthClient } | { problem: string }

/**
 * The client that asks `person` for access. A client known by its own document is fetched again
 * once the stored copy is no longer fresh. If that fails, it is refused, since the document may
 * have been changed or taken away. Only for somebody who is signed in: nobody else makes this
 * server fetch.
 */
export async function findClient(
  deps: ClientDeps,
  id: string,
  person: Pick<Person, 'workspaceId'>,
): Promise<FoundClient> {
  const stored = await findStoredClient(deps.db.read, id)
  if (isDocumentAddress(id)) return await byDocument(deps, id, stored)
  if (stored?.workspaceId && stored.workspaceId !== person.workspaceId) return UNKNOWN
  return stored ? { client: stored } : UNKNOWN
}

async function byDocument(
  deps: ClientDeps,
  id: string,
  stored: OAuthClient | undefined,
): Promise<FoundClient> {
  const { db, clock } = deps
  const now = clock.now()
  if (stored?.freshUntil && stored.freshUntil > now) return { client: stored }
  const read = await fetchDocument(deps, id)
  if (read.outcome === 'unreached') {
    return {
      problem: `This server could not fetch what the client says of itself, at ${id}: ${read.reason} Start the sign-in in the client once more: most clients then register in another way.`,
    }
  }
  if (read.outcome === 'refused') {
    return { problem: `What this client says of itself, at ${id}, does not count: ${read.reason}` }
  }
  const client: OAuthClient = {
    ...read.metadata,
    id,
    kind: 'document',
    secretHash: null,
    workspaceId: null,
    createdBy: null,
    createdAt: stored?.createdAt ?? now,
    usedAt: stored?.usedAt ?? null,
    freshUntil: now + read.freshMs,
  }
  await db.write((tx) => putClient(tx, client))
  return { client }
}

const UNKNOWN = {
  problem:
    'This server does not know the client. It may have been removed because nobody used it: take the connection out of the client and add it again.',
}
