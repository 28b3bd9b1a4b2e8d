import { setTimeout as pause } from 'node:timers/promises'
import { VERSION } from '../../config/version.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Fields, RpcRequest } from '../../protocol/message.ts'
import { cutShort, type Patience, patienceFor, withTimeLeft } from './patience.ts'
import { type Outgoing, post, type Sent } from './post.ts'
import { requestHeaders } from './request-headers.ts'

/** The server that everything goes to. */
export type Upstream = {
  /** Its origin. */
  url: string
  token: string | undefined
  /** What stands in front of a token that is not taken: where it came from. */
  tokenFrom: string
}

export type Delivery = {
  server: Upstream
  /** The MCP address, with what a client needs of it. */
  address: string
  asked: RpcRequest
  listen: Outgoing['listen']
  /** The server is away and is tried again. */
  away(why: string): void
}

// Until a reply begins, and between two signs of life of one that has begun (every 15 s).
const SILENCE_MS = 30_000
const RETRY_MS = [100, 250, 500, 1_000] as const

/**
 * Sends a request until it has its reply, for as long as it may take; a server that restarts
 * meanwhile is waited for. A `Failure` says why there is none. Throws only when `signal` aborts.
 */
export async function deliver(delivery: Delivery, signal: AbortSignal): Promise<Fields | Failure> {
  const { server, asked } = delivery
  const patience = patienceFor(asked.method, asked.params)
  const startedAt = performance.now()
  let arrived = false
  let early: Fields | undefined
  let params = asked.params
  for (let attempt = 0; ; attempt++) {
    const sent = await post(outgoing(delivery, params, patience), signal)
    const tookMs = performance.now() - startedAt
    if (sent.is === 'reply') {
      const leftMs = cutShort(asked.params, sent.message, tookMs)
      if (leftMs === undefined) return sent.message
      early = sent.message
    }
    if (sent.is === 'unauthorized' || sent.is === 'foreign') return refusal(sent, server)
    const why = sent.is === 'lost' ? sent.why : 'it is restarting'
    arrived ||= sent.is === 'reply' || sent.arrived
    const until = arrived ? patience.totalMs : patience.unreachedMs
    const waitMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0
    const over = tookMs + waitMs >= until || (arrived && !patience.again)
    if (over) return early ?? unreachable(why, arrived, server, asked)
    delivery.away(why)
    await pause(waitMs, undefined, { signal })
    params = withTimeLeft(asked.params, patience.totalMs - tookMs - waitMs)
  }
}

function outgoing(delivery: Delivery, params: Fields, { totalMs }: Patience): Outgoing {
  const { server, address, asked, listen } = delivery
  const { id, method } = asked
  return {
    url: address,
    listen,
    silenceMs: method === 'tools/call' ? SILENCE_MS : totalMs,
    headers: {
      'user-agent': `beckon-mcp/${VERSION}`,
      ...(server.token ? { authorization: `Bearer ${server.token}` } : {}),
      ...requestHeaders(asked),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  }
}

function refusal(sent: Extract<Sent, { is: 'unauthorized' | 'foreign' }>, server: Upstream) {
  const { url, token, tokenFrom } = server
  if (sent.is === 'foreign') {
    return new Failure(
      'unavailable',
      `${url} answered ${sent.status}, and not as a Beckon server does, so nobody was told. Ask in the current client, and tell the person to check the address.`,
    )
  }
  const what = token ? `does not accept the token of ${tokenFrom}` : 'was shown no token'
  return new Failure(
    'unauthenticated',
    `The Beckon server at ${url} ${what}, so nobody was told. Ask in the current client, and tell the person to make a token with "beckon key create".`,
  )
}

function unreachable(why: string, arrived: boolean, { url }: Upstream, asked: RpcRequest): Failure {
  const [said, next] = arrived && asks(asked) ? MAY_BE_OPEN : NOBODY_TOLD
  return new Failure(
    'unavailable',
    `The Beckon server at ${url} cannot be reached (${why}), so ${said}. ${next}`,
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
  'What was asked may still be open on the phone of the person, and silence is not a yes: look again in a minute instead of sending it a second time.',
] as const
