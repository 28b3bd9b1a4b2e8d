import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Person } from '../accounts/model/person.ts'
import { type Client, type ClientMetadata, readMetadata } from './model/client.ts'
import { findStoredClient, putClient } from './model/client-store.ts'

export type ClientDeps = { db: Db; clock: Clock; outside: Pick<GuardedFetch, 'fetch'> }

/** A client, or a sentence that says why there is none. */
export type FoundClient = { client: Client } | { problem: string }

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
  const known = await findStoredClient(deps.db.read, id)
  if (isDocumentAddress(id)) return await byDocument(deps, id, known)
  if (known?.workspaceId && known.workspaceId !== person.workspaceId) return UNKNOWN
  return known ? { client: known } : UNKNOWN
}

async function byDocument(
  { db, clock, outside }: ClientDeps,
  id: string,
  known: Client | undefined,
): Promise<FoundClient> {
  const now = clock.now()
  if (known?.freshUntil && known.freshUntil > now) return { client: known }
  const read = await readDocument(outside, id)
  if (read.outcome === 'refused') {
    return { problem: `What this client says of itself, at ${id}, does not count: ${read.reason}` }
  }
  const client: Client = {
    ...read.metadata,
    id,
    kind: 'document',
    secretHash: null,
    workspaceId: null,
    createdBy: null,
    createdAt: known?.createdAt ?? now,
    usedAt: known?.usedAt ?? null,
    freshUntil: now + read.freshMs,
  }
  await db.write((tx) => putClient(tx, client))
  return { client }
}

const UNKNOWN = {
  problem:
    'This server does not know the client. It may have been removed because nobody used it: take the connection out of the client and add it again.',
}

/** A client's own document, or why it does not count. */
type ReadDocument =
  | { outcome: 'read'; metadata: ClientMetadata; freshMs: number }
  | { outcome: 'refused'; reason: string }

// A list of addresses and a name; hosted clients wait 10 s for all of a step.
const BYTES_MAX = 32 * 1024
const TIMEOUT_MS = 5_000
const URL_MAX = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
// A change takes effect within the day, and nobody is asked more than once in five minutes.
const FRESH_MIN_MS = 5 * MINUTE_MS
const FRESH_USUAL_MS = 60 * MINUTE_MS

/** Whether a `client_id` is the address of a document: https, with a path, and nothing hidden in it. */
export function isDocumentAddress(clientId: string): boolean {
  const url = clientId.length > URL_MAX ? null : URL.parse(clientId)
  if (url?.protocol !== 'https:' || url.href !== clientId) return false
  return url.pathname !== '/' && !url.username && !url.password && !url.hash
}

/**
 * Fetches what a client says of itself (OAuth Client ID Metadata Document, draft 00). Nothing
 * private is reached, no redirect is followed, and the document must name its own address.
 */
export async function readDocument(
  { fetch }: Pick<GuardedFetch, 'fetch'>,
  clientId: string,
): Promise<ReadDocument> {
  const fetched = await fetch(clientId, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: BYTES_MAX,
  })
  if (fetched.outcome !== 'answered') return refused(fetched.reason)
  const { status, headers, body, cut } = fetched
  if (status >= 300 && status < 400) return refused('It redirects, which is not followed.')
  if (status !== 200) return refused(`It answers ${status}.`)
  if (cut === 'long') return refused(`It is longer than ${BYTES_MAX / 1024} KiB.`)
  if (cut) return refused('It broke off.')
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '')) {
    return refused('It is not JSON by its content type.')
  }
  const said = parsed(body)
  if (!said) return refused('It is not a JSON object.')
  if (said.client_id !== clientId) return refused('Its client_id is not its own address.')
  if ('client_secret' in said) return refused('It contains a client_secret.')
  // A document is public, so its client proves itself by PKCE and its redirect URI alone.
  const metadata = readMetadata({ ...said, token_endpoint_auth_method: 'none' })
  if ('error' in metadata) return refused(metadata.description)
  return { outcome: 'read', metadata, freshMs: freshFor(headers.get('cache-control') ?? '') }
}

function refused(reason: string): ReadDocument {
  return { outcome: 'refused', reason }
}

function parsed(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The time that its server asks for, within bounds: a wrong setting must not hold for a year. */
function freshFor(cacheControl: string): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return FRESH_MIN_MS
  const said = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1]
  const ms = said === undefined ? FRESH_USUAL_MS : Number(said) * 1_000
  return Math.min(Math.max(ms, FRESH_MIN_MS), DAY_MS)
}
