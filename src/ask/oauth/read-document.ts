import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { type ClientMetadata, readMetadata } from './model/client.ts'

/** A client's own document, or why it does not count. */
export type ReadDocument =
  | { outcome: 'read'; metadata: ClientMetadata; freshMs: number }
  | { outcome: 'refused'; reason: string }
  /** A document that may be valid, but that this server cannot fetch. */
  | { outcome: 'unreached'; reason: string }

// A list of addresses and a name; hosted clients wait 10 s for all of a step.
const BYTES_MAX = 32 * 1024
const TIMEOUT_MS = 5_000
const URL_MAX = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
// A change takes effect within the day, and nobody is asked more than once in five minutes.
const FRESH_MIN_MS = 5 * MINUTE_MS
const FRESH_USUAL_MS = 60 * MINUTE_MS

// Status codes with which servers refuse callers that they do not trust, or that call too often.
const KEPT_OUT = new Set([401, 403, 407, 429, 451])

/**
 * Returns true if a `client_id` is the address of a document: https, with a path, and nothing
 * hidden in it.
 */
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
  if (fetched.outcome === 'blocked') return refused(fetched.reason)
  if (fetched.outcome !== 'answered') return { outcome: 'unreached', reason: fetched.reason }
  const { status, headers, body, cut } = fetched
  if (status >= 300 && status < 400) return refused('It redirects, which is not followed.')
  const reason = `It answers ${status}.`
  if (KEPT_OUT.has(status) || status >= 500) return { outcome: 'unreached', reason }
  if (status !== 200) return refused(reason)
  if (cut === 'long') return refused(`It is longer than ${BYTES_MAX / 1024} KiB.`)
  if (cut) return { outcome: 'unreached', reason: 'It broke off.' }
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '')) {
    return refused('It is not JSON by its content type.')
  }
  const content = parsed(body)
  if (!content) return refused('It is not a JSON object.')
  if (content.client_id !== clientId) return refused('Its client_id is not its own address.')
  if ('client_secret' in content) return refused('It contains a client_secret.')
  // A document is public, so its client proves itself by PKCE and its redirect URI alone.
  const metadata = readMetadata({ ...content, token_endpoint_auth_method: 'none' })
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
  const maxAge = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1]
  const ms = maxAge === undefined ? FRESH_USUAL_MS : Number(maxAge) * 1_000
  return Math.min(Math.max(ms, FRESH_MIN_MS), DAY_MS)
}
