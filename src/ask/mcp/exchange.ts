import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { TokenId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import {
  INTERNAL,
  type Refusal,
  Refused,
  RPC,
  refusal,
  refusalOf,
} from '../../platform/mcp/errors.ts'
import { jsonReply } from '../../platform/mcp/json-reply.ts'
import { errorText, type RequestId } from '../../platform/mcp/message.ts'
import type { IdleTimer } from '../../platform/mcp/offer.ts'
import type { Call } from '../accounts/call.ts'
import { type HeldTokens, whileValid } from '../accounts/held-tokens.ts'
import { EVENT_HEADERS, EventReply, type ProgressToken } from './event-reply.ts'

/** What a reply is to, known before the work begins. */
export type Opening = {
  id: RequestId
  /** In whose name; a call that waits ends with it. */
  tokenId: TokenId
  request: Request
  server: IdleTimer
  /** The work may last: the reply starts as a stream where the client takes one. */
  waits: boolean
  token: ProgressToken | undefined
  arrivedAt: number
}

/** Resolves to the JSON-RPC message that answers the request; `signal` aborts on a hang-up. */
export type Work = (talk: Call['talk'], signal: AbortSignal) => Promise<string>

/** The replies that are being worked on. */
export type Exchanges = {
  answer(opening: Opening, work: Work): Response | Promise<Response>
  /** How many are open now. */
  open(): number
  /** Lets what is open end by itself for `graceMs`, then tells the rest that the server closes. */
  close(graceMs: number): Promise<void>
}

type Exchange = {
  id: RequestId
  end(message: string, status: number, headers?: Refusal['headers']): void
}

// The beat's grain: streams are told within a second of their time, by one timer for all.
const TICK_MS = 1_000

const CLOSING = refusal(
  200,
  RPC.internal,
  'The server is shutting down and could not finish this call. Try again in a few seconds.',
  { code: 'unavailable' },
)
// A call that does not wait has nothing to free.
const NEVER = new AbortController().signal

export type ExchangeDeps = { clock: Clock; log: Log; held: HeldTokens }

export function createExchanges({ clock, log, held }: ExchangeDeps): Exchanges {
  const open = new Set<Exchange>()
  let streams = 0
  let stopTicking: (() => void) | undefined
  let nobodyLeft: (() => void) | undefined

  function tick() {
    const now = clock.now()
    for (const one of open) if (one instanceof EventReply) one.beat(now)
    stopTicking = streams > 0 ? clock.after(TICK_MS, tick) : undefined
  }

  function leave(exchange: Exchange): boolean {
    const wasOpen = open.delete(exchange)
    if (open.size === 0) nobodyLeft?.()
    return wasOpen
  }

  function run(exchange: Exchange, work: Promise<string>) {
    work.then(
      (message) => exchange.end(message, 200),
      (thrown) => {
        const why = refusalFor(thrown, log)
        exchange.end(errorText(exchange.id, why), why.status, why.headers)
      },
    )
  }

  function asJson(opening: Opening, work: Work): Promise<Response> {
    const { id, tokenId, request, server, waits } = opening
    if (waits) server?.timeout(request, 0)
    return new Promise((resolve) => {
      const exchange: Exchange = {
        id,
        end(message, status, headers) {
          if (leave(exchange)) resolve(jsonReply(message, status, headers))
        },
      }
      open.add(exchange)
      const inWork = (signal: AbortSignal) => work(silent, signal)
      run(exchange, waits ? whileValid(held, tokenId, request.signal, inWork) : inWork(NEVER))
    })
  }

  function leaveStream(reply: EventReply): boolean {
    if (!leave(reply)) return false
    streams--
    held.remove(reply.tokenId, reply)
    return true
  }

  function asEvents(opening: Opening, work: Work): Response {
    opening.server?.timeout(opening.request, 0)
    const reply = new EventReply(opening, clock.now(), leaveStream)
    open.add(reply)
    streams++
    held.add(reply.tokenId, reply)
    stopTicking ??= clock.after(TICK_MS, tick)
    const body = new ReadableStream<Uint8Array>(reply)
    run(
      reply,
      work((progress) => reply.talk(progress, clock.now()), reply.signal),
    )
    return new Response(body, { headers: EVENT_HEADERS })
  }

  return {
    answer(opening, work) {
      const streamed = opening.waits && takesEvents(opening.request)
      return streamed ? asEvents(opening, work) : asJson(opening, work)
    },
    open: () => open.size,
    async close(graceMs) {
      if (open.size > 0) {
        await new Promise<void>((resolve) => {
          const stop = clock.after(graceMs, resolve)
          nobodyLeft = () => {
            stop()
            resolve()
          }
        })
      }
      for (const exchange of [...open]) exchange.end(errorText(exchange.id, CLOSING), 200)
      stopTicking?.()
      stopTicking = undefined
    },
  }
}

function takesEvents(request: Request): boolean {
  return request.headers.get('accept')?.toLowerCase().includes('text/event-stream') ?? false
}

function silent() {}

function refusalFor(thrown: unknown, log: Log): Refusal {
  if (thrown instanceof Refused) return thrown.refusal
  if (thrown instanceof Failure) return refusalOf(thrown)
  log.error('a tool failed', { error: thrown })
  return INTERNAL
}
