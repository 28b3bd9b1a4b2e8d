import type { Fetched } from '../../../platform/outgoing/guarded-fetch.ts'
import { reasonOf } from '../../../platform/outgoing/reason.ts'
import { readRetryAfter } from '../../../platform/outgoing/reply.ts'
import type { ImportDeps } from '../importer.ts'

const HEADERS = { 'user-agent': 'Beckon catalog import', accept: 'application/json' }
const TIMEOUT_MS = 60_000
const HOPS_MAX = 5
const TRIES = 3
// A longer pause is not waited for.
const WAIT_MOST_MS = 60_000
const PAUSE_MS = 1000

/** `cut`: too long to be read. `none`: not found. `trouble`: the request failed. */
export type RegistryReply =
  | { outcome: 'read'; value: unknown }
  | { outcome: 'cut' }
  | { outcome: 'none' | 'trouble'; why: string }

/**
 * Requests JSON from a registry, one request at a time, with redirects; keeps requested pauses and
 * retries failures. Never throws.
 */
export async function askRegistry(
  url: string,
  deps: ImportDeps,
  maxBytes: number,
): Promise<RegistryReply> {
  let reply: RegistryReply = { outcome: 'trouble', why: 'it was not asked' }
  for (let i = 0; i < TRIES; i++) {
    const answer = await followed(url, deps, maxBytes)
    if (typeof answer === 'string') return { outcome: 'trouble', why: answer }
    reply = replyOf(answer)
    if (reply.outcome !== 'trouble' || answer.outcome === 'blocked') return reply
    const pause = pauseAfter(answer, deps.now)
    if (pause > WAIT_MOST_MS || i === TRIES - 1 || deps.signal?.aborted) return reply
    await Bun.sleep(pause)
  }
  return reply
}

/** The last answer of a chain of redirects, or why there is none. */
async function followed(
  url: string,
  { fetch, signal }: ImportDeps,
  maxBytes: number,
): Promise<Fetched | string> {
  let at = url
  for (let hop = 0; hop <= HOPS_MAX; hop++) {
    const answer = await fetch(at, {
      headers: HEADERS,
      timeoutMs: TIMEOUT_MS,
      maxBytes,
      ...(signal ? { signal } : {}),
    })
    if (answer.outcome !== 'answered' || answer.status < 300 || answer.status > 399) return answer
    const next = URL.parse(answer.headers.get('location') ?? '', at)
    if (!next) return `it redirects to no address (HTTP ${answer.status})`
    at = next.href
  }
  return `it redirects more than ${HOPS_MAX} times`
}

function replyOf(answer: Fetched): RegistryReply {
  if (answer.outcome !== 'answered') return { outcome: 'trouble', why: reasonOf(answer) }
  const { status, body, cut } = answer
  if (status === 401 || status === 403 || status === 404 || status === 410) {
    return { outcome: 'none', why: `the registry has no package of that name (HTTP ${status})` }
  }
  if (status !== 200) return { outcome: 'trouble', why: `the registry answered HTTP ${status}` }
  if (cut === 'long') return { outcome: 'cut' }
  if (cut === 'broken') return { outcome: 'trouble', why: 'the answer broke off' }
  try {
    return { outcome: 'read', value: JSON.parse(new TextDecoder().decode(body)) }
  } catch {
    return { outcome: 'none', why: 'the registry did not answer with JSON' }
  }
}

function pauseAfter(answer: Fetched, now: number): number {
  if (answer.outcome !== 'answered') return PAUSE_MS
  return readRetryAfter(answer.headers.get('retry-after'), now) ?? PAUSE_MS
}
