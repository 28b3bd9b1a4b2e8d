import type { GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import type { ProbeNetwork, Timed } from './fact.ts'

const REDIRECTS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
// Only these redirects keep the method and the body.
const KEEPING = new Set([307, 308])
// Headers that belong to one server and must not be sent to another.
const OF_ONE_SERVER = 'mcp-session-id'

/**
 * Follows redirects; each address is checked like the first, so one that leads into a private
 * network is `blocked`. A request with a body only follows redirects that keep it.
 */
export async function followed(
  outside: ProbeNetwork,
  url: string,
  request: GuardedRequest,
): Promise<Timed & { url: string }> {
  let at = url
  for (let n = 0; ; n++) {
    const fetched = await outside.fetch(at, n === 0 ? request : elsewhere(request, url, at))
    const next = n < REDIRECTS_MAX ? nextOf(fetched, at, request) : undefined
    if (next === undefined) return { ...fetched, url: at }
    at = next
  }
}

function nextOf(fetched: Timed, at: string, { body }: GuardedRequest): string | undefined {
  if (fetched.outcome !== 'answered') return undefined
  const { status, headers } = fetched
  if (!(body === undefined ? REDIRECTS : KEEPING).has(status)) return undefined
  const next = URL.parse(headers.get('location') ?? '', at)
  return next && next.href !== at ? next.href : undefined
}

function elsewhere(request: GuardedRequest, from: string, to: string): GuardedRequest {
  const { [OF_ONE_SERVER]: session, ...headers } = request.headers ?? {}
  const isSame = URL.parse(from)?.origin === URL.parse(to)?.origin
  return session === undefined || isSame ? request : { ...request, headers }
}
