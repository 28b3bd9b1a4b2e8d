import type { Upstream } from '../model/upstream.ts'

// They are about one connection (RFC 9110, 7.6.1), or the body is sent anew.
const OF_A_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
]

/** Headers of a request that are for this server, or for what stands before it. */
const FOR_US = new Set([
  ...OF_A_CONNECTION,
  'host',
  // The agent's token.
  'authorization',
  'cookie',
  'origin',
  'referer',
  'accept-encoding',
  'expect',
  'forwarded',
  'x-real-ip',
  'via',
  'x-service-env',
])
const FOR_US_TOO = /^(x-forwarded-|x-beckon-|sec-|cf-|fly-)/

/** Headers of an answer that would act on this server's own address, or ask the client to sign in. */
const NOT_FOR_CLIENTS = new Set([
  ...OF_A_CONNECTION,
  'www-authenticate',
  'set-cookie',
  'set-cookie2',
  'clear-site-data',
  'location',
  'refresh',
  'alt-svc',
  'strict-transport-security',
  'service-worker-allowed',
])
const NOT_FOR_CLIENTS_EITHER = /^access-control-/

/** The headers for the server behind a gate: those of the client, and the one that the gate keeps. */
export function headersForUpstream(headers: Headers, upstream: Upstream): Record<string, string> {
  const ofConnection = connectionHeaders(headers)
  const passed = [...headers].filter(
    ([name]) => !FOR_US.has(name) && !FOR_US_TOO.test(name) && !ofConnection.has(name),
  )
  return { ...Object.fromEntries(passed), ...secretOf(upstream) }
}

/** The header that the gate keeps for its server. */
function secretOf({ headerName, headerValue }: Upstream): Record<string, string> {
  if (headerName === undefined || headerValue === undefined) return {}
  return { [headerName.toLowerCase()]: headerValue }
}

export function headersForClient(headers: Headers): Headers {
  const ofConnection = connectionHeaders(headers)
  const passed = [...headers].filter(
    ([name]) =>
      !NOT_FOR_CLIENTS.has(name) && !NOT_FOR_CLIENTS_EITHER.test(name) && !ofConnection.has(name),
  )
  return new Headers(passed)
}

function connectionHeaders(headers: Headers): Set<string> {
  const list = headers.get('connection')?.toLowerCase().split(',') ?? []
  return new Set(list.map((name) => name.trim()))
}

/** The address at the server: its own query, and that of the client. */
export function addressAt({ url }: Pick<Upstream, 'url'>, search: string): string {
  if (search === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}${search}`
}

/** Returns true if a reply may be a stream. */
export function takesEvents(headers: Headers): boolean {
  return headers.get('accept')?.toLowerCase().includes('text/event-stream') ?? false
}

export function isEvents(headers: Headers): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '')
}
