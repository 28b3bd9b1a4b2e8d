import type { Fetched, GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import type { Outside } from '../probing/probe.ts'

/** What came of asking one address, its redirects followed. */
export type Reply =
  | {
      outcome: 'answered'
      /** The address that answered in the end. */
      url: string
      status: number
      headers: Headers
      body: Uint8Array
      cut: false | 'long' | 'broken'
    }
  /** Nothing can be said: it may not be asked, or did not answer. */
  | { outcome: 'silent'; why: string }

export type Question = Pick<GuardedRequest, 'headers' | 'maxBytes' | 'timeoutMs'> & {
  method?: 'GET' | 'HEAD'
}

const HOPS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
// The longest that is kept of an address; servers may send any length.
const URL_CHARS_MAX = 2_000

/**
 * Asks, and follows at most three redirects; each address is checked by the guarded fetch like the
 * first. Never throws.
 */
export async function ask(outside: Outside, url: string, question: Question = {}): Promise<Reply> {
  let at = url
  for (let hop = 0; hop <= HOPS_MAX; hop++) {
    const answer: Fetched = await outside.fetch(at, { method: 'GET', ...question })
    if (answer.outcome !== 'answered') return { outcome: 'silent', why: answer.reason }
    const { status, headers, body, cut } = answer
    const next = REDIRECTS.has(status) ? headers.get('location') : null
    if (next === null) return { outcome: 'answered', url: at, status, headers, body, cut }
    const target = URL.parse(next, at)
    if (!target || target.href.length > URL_CHARS_MAX) {
      return { outcome: 'silent', why: 'It leads to no address.' }
    }
    target.hash = ''
    at = target.href
  }
  return { outcome: 'silent', why: `It leads on more than ${HOPS_MAX} times.` }
}

/** `text/html; charset=utf-8` → `text/html`. */
export function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** As the reply says it is written; UTF-8 when it says nothing that is known. */
export function textOf({ headers, body }: { headers: Headers; body: Uint8Array }): string {
  const [, charset] = /charset\s*=\s*"?([\w-]{1,40})/i.exec(headers.get('content-type') ?? '') ?? []
  return decoder(charset ?? 'utf-8').decode(body)
}

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset as 'utf-8')
  } catch {
    return new TextDecoder()
  }
}

// What the owner of an address has taken away, or never had there.
const ABSENT = new Set([404, 410])

export function isAbsent(reply: Reply): boolean {
  return reply.outcome === 'answered' && ABSENT.has(reply.status)
}
