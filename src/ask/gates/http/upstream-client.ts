import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import type { Upstream } from '../model/upstream.ts'
import { addressAt, headersForUpstream } from './headers.ts'

export type UpstreamMethod = 'GET' | 'POST' | 'DELETE'

/** A request of a client, as it goes on to the server behind a gate. */
export type UpstreamRequest = {
  method: UpstreamMethod
  headers: Headers
  search: string
  body?: Uint8Array<ArrayBuffer>
  signal: AbortSignal
}

/**
 * The answer of a server that can be passed on, or why there is none. `ran`: whether it may have acted
 * on the request.
 */
export type UpstreamReply =
  | { is: 'reply'; response: Response }
  | { is: 'fault'; why: string; ran: 'no' | 'unknown' }
  | { is: 'aborted' }

/** Sends a request on. A sign-in that the server wants is none of the client's business. */
export async function sendOn(
  outside: Pick<GuardedFetch, 'open'>,
  upstream: Upstream,
  { method, headers, search, body, signal }: UpstreamRequest,
): Promise<UpstreamReply> {
  const result = await outside.open(addressAt(upstream, search), {
    method,
    headers: headersForUpstream(headers, upstream),
    coding: 'identity',
    signal,
    ...(body ? { body } : {}),
  })
  if (result.outcome === 'aborted') return { is: 'aborted' }
  if (result.outcome !== 'answered') return unreachable(upstream, result)
  const { response } = result
  const why = whyNotPassed(upstream, response)
  if (why === undefined) return { is: 'reply', response }
  await response.body?.cancel()
  return { is: 'fault', why, ran: 'no' }
}

type Trouble = { outcome: 'aborted' | 'blocked' | 'unreachable' | 'timeout'; reason: string }

function unreachable({ name }: Upstream, { outcome, reason }: Trouble): UpstreamReply {
  if (outcome === 'blocked') {
    const why = `Beckon does not connect to the server ${name}: ${reason} An owner changes its address under Settings, Gates.`
    return { is: 'fault', why, ran: 'no' }
  }
  // Connections that were never made carried nothing.
  const ran =
    /\((ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ENOTFOUND|\w*DNS\w*|ENETUNREACH|EHOSTUNREACH)\)/.test(
      reason,
    )
      ? 'no'
      : 'unknown'
  return { is: 'fault', why: `The server ${name} cannot be reached: ${reason}`, ran }
}

function whyNotPassed({ name }: Upstream, { status, headers }: Response): string | undefined {
  if (status === 401 || (status === 403 && headers.has('www-authenticate'))) {
    return `The server ${name} wants a sign-in, and does not accept what its gate sends (HTTP ${status}). This is not about the token of this agent: an owner enters another secret for it under Settings, Gates.`
  }
  if (status >= 300 && status < 400) {
    return `The server ${name} is at another address now (HTTP ${status}), and its gate does not follow. An owner changes the address under Settings, Gates.`
  }
  return undefined
}
