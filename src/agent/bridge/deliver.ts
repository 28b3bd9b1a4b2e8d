import { setTimeout as pause } from 'node:timers/promises'
import { HOLD_HEADER } from '../../ask/wire/limits.ts'
import { Failure } from '../../platform/failure.ts'
import { META } from '../../platform/mcp/era.ts'
import { type Fields, isFields, metaOf, type RpcRequest } from '../../platform/mcp/message.ts'
import { VERSION } from '../../platform/program.ts'
import {
  type BridgeLimits,
  cutShort,
  type Patience,
  patienceFor,
  waits,
  withTimeLeft,
} from './patience.ts'
import { type Outgoing, type PostResult, post } from './post.ts'

/** The server that all requests go to. */
export type Upstream = {
  /** The origin of the server. */
  url: string
  token: string | undefined
  /** Where the token came from, for the error when it is not accepted. */
  tokenFrom: string
}

export type BridgeDelivery = {
  server: Upstream
  limits: BridgeLimits
  /** The MCP address, with what a client needs of it. */
  address: string
  message: RpcRequest
  listen: Outgoing['listen']
  /** The server is away and is tried again. */
  away(why: string): void
}

/** Why there is no reply. */
export type Undelivered = {
  failure: Failure
  /** No server answers, as during a restart; otherwise the token or the address is wrong. */
  away: boolean
  /** The server may have received the request anyway. */
  arrived: boolean
}

// Until a reply begins, and between two signs of life of one that has begun (every 15 s).
const SILENCE_MS = 30_000
const RETRY_MS = [100, 250, 500, 1_000] as const
// A server counts a call from its arrival, and may need a moment for its reply. Below the 90 s that
// clients give a call.
const LATE_MS = 15_000

/**
 * Sends a request until it has its reply, for as long as it may take; it waits for a server that
 * restarts meanwhile. Throws only when `signal` aborts.
 */
export async function deliver(
  delivery: BridgeDelivery,
  signal: AbortSignal,
): Promise<Fields | Undelivered> {
  const { server, limits, message: rpcRequest } = delivery
  const patience = patienceFor(rpcRequest.method, rpcRequest.params, limits)
  const startedAt = performance.now()
  const took = () => performance.now() - startedAt
  let arrived = false
  // When the server last responded, in milliseconds from the start.
  let lastSeen: number | undefined
  let early: Fields | undefined
  let params = rpcRequest.params
  const hold = createHold(limits, rpcRequest.params)
  for (let attempt = 0; ; attempt++) {
    const startedMs = took()
    const leftMs = Math.max(0, Math.max(patience.totalMs, hold.mostMs) + LATE_MS - startedMs)
    const message = outgoing(delivery, params, patience, leftMs)
    const listen: Outgoing['listen'] = (progress) => {
      hold.hear(progress, startedMs)
      message.listen(progress)
    }
    const headers = { ...message.headers, ...hold.header(startedMs) }
    const result = await post({ ...message, listen, headers }, signal)
    if (result.is === 'reply') {
      const cut = cutShort(rpcRequest.params, result.message, took(), hold.untilMs())
      if (cut === undefined) return result.message
      early = result.message
    }
    if (result.is === 'unauthorized' || result.is === 'foreign') {
      return { failure: refusal(result, server), away: false, arrived }
    }
    const why = result.is === 'lost' ? result.why : 'it is restarting'
    arrived ||= result.is === 'reply' || result.arrived
    if (result.is === 'reply' || result.hasBegun) lastSeen = took()
    const waitMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0
    const totalMs = Math.max(patience.totalMs, hold.untilMs())
    const lastSeenAt = arrived ? (lastSeen ?? 0) : undefined
    const over = took() + waitMs >= lastTry({ ...patience, totalMs }, limits, lastSeenAt)
    if (over || (arrived && !patience.again)) {
      return (
        early ?? { failure: unreachable(why, arrived, server, rpcRequest), away: true, arrived }
      )
    }
    delivery.away(why)
    await pause(waitMs, undefined, { signal })
    params = withTimeLeft(rpcRequest.params, totalMs - took())
  }
}

/** When to give up: if a server stays away, that is reported within seconds. */
function lastTry(
  { totalMs, unreachedMs }: Patience,
  { awayMs }: BridgeLimits,
  lastSeen: number | undefined,
): number {
  return lastSeen === undefined ? unreachedMs : Math.min(totalMs, lastSeen + awayMs)
}

function outgoing(
  delivery: BridgeDelivery,
  params: Fields,
  { totalMs }: Patience,
  leftMs: number,
): Outgoing {
  const { server, address, message, listen } = delivery
  const { id, method } = message
  return {
    url: address,
    listen,
    silenceMs: method === 'tools/call' ? SILENCE_MS : totalMs,
    leftMs,
    headers: {
      'user-agent': `beckon-mcp/${VERSION}`,
      ...(server.token ? { authorization: `Bearer ${server.token}` } : {}),
      ...requestHeaders(message),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  }
}

function refusal(
  result: Extract<PostResult, { is: 'unauthorized' | 'foreign' }>,
  server: Upstream,
) {
  const { url, token, tokenFrom } = server
  if (result.is === 'foreign') {
    return new Failure(
      'unavailable',
      `${url} answered ${result.status}, and not as a Beckon server does, so nobody was told. Ask in the current client, and tell the person to check the address.`,
    )
  }
  const what = token ? `does not accept the token of ${tokenFrom}` : 'was shown no token'
  return new Failure(
    'unauthenticated',
    `The Beckon server at ${url} ${what}, so nobody was told. Ask in the current client, and tell the person to make a token with "beckon key create".`,
  )
}

function unreachable(
  why: string,
  arrived: boolean,
  { url }: Upstream,
  message: RpcRequest,
): Failure {
  const [effect, next] = arrived && asks(message) ? MAY_BE_OPEN : NOBODY_TOLD
  return new Failure(
    'unavailable',
    `The Beckon server at ${url} cannot be reached (${why}), so ${effect}. ${next}`,
  )
}

function asks({ params }: RpcRequest): boolean {
  return params.name !== 'cancel_question'
}

const NOBODY_TOLD = [
  'nothing was done',
  'Ask in the current client, and tell the person that the server is away.',
] as const
const MAY_BE_OPEN = [
  'what came of the call is not known',
  'What was sent may have reached the person, and silence is not a yes. Make the same call with the same arguments again within ten minutes: it continues where it was, and nobody is asked twice.',
] as const

/**
 * Returns the headers that repeat the body of a request of 2026-07-28 over HTTP (MCP 2026-07-28,
 * transports); nothing for the era with a handshake.
 */
export function requestHeaders(message: RpcRequest): Record<string, string> {
  const version = metaOf(message)[META.version]
  if (typeof version !== 'string') return {}
  const name = nameOf(message.params)
  return {
    'mcp-protocol-version': headerValue(version),
    'mcp-method': headerValue(message.method),
    ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  }
}

function nameOf({ name, uri, taskId }: Fields): string | undefined {
  return [name, uri, taskId].find((value) => typeof value === 'string') as string | undefined
}

/** The text as it is if a header can hold it, otherwise in Base64. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** How long one call may be held, where its client waits longer than any usual wait. */
type Hold = {
  /** The longest that the client waits, in milliseconds; 0 if it waits no longer than usual. */
  mostMs: number
  /**
   * Until when the server holds the call, in milliseconds from its start; 0 until the server has
   * said so.
   */
  untilMs(): number
  /** Reads a message of the attempt that began at `startedMs`. */
  hear(notification: Fields, startedMs: number): void
  /** Tells the server how long an attempt that begins now may take. */
  header(startedMs: number): Record<string, string>
}

/** Only the server knows whether its owner wants calls held longer; its progress says so. */
function createHold({ holdMs = 0 }: BridgeLimits, params: Fields): Hold {
  const mostMs = waits(params) ? holdMs : 0
  let untilMs = 0
  return {
    mostMs,
    untilMs: () => untilMs,
    hear({ params: progress }, startedMs) {
      const total = isFields(progress) ? progress.total : undefined
      if (typeof total !== 'number' || !(total > 0)) return
      untilMs = Math.min(mostMs, startedMs + total * 1000)
    },
    header(startedMs) {
      const leftS = Math.ceil((mostMs - startedMs) / 1000)
      return leftS > 0 ? { [HOLD_HEADER]: String(leftS) } : {}
    },
  }
}
