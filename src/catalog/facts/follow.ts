import type { GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import type { ProbeNetwork, Timed } from './fact.ts'

const REDIRECTS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
// A message keeps its method and body on these alone.
const KEEPING = new Set([307, 308])
// What a server gave us for itself alone.
const OF_ONE_SERVER = 'mcp-session-id'

/**
 * The answer at the end of redirects, each asked for as any other address is: one that leads into a
 * private network ends as `blocked`. With a body only those are followed that keep it.
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
