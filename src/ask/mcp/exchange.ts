import type { Clock } from '../../platform/clock.ts'
import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import type { IdleTimer, WriteResult } from '../../platform/mcp/dispatcher.ts'
import {
  INTERNAL,
  type Refusal,
  Refused,
  RPC,
  refusal,
  refusalOf,
} from '../../platform/mcp/errors.ts'
import { errorText, jsonReply, type RequestId } from '../../platform/mcp/message.ts'
import type { CallContext, HangUp, HangUpListener, Progress } from '../accounts/model/agent.ts'
import { type HeldTokens, type Holder, whileValid } from '../accounts/model/agents.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import { CORRELATION_ID } from '../wire/limits.ts'

/** The facts of a reply before the work begins. */
type Opening = {
  id: RequestId
  /** The token of the call; a waiting call ends when it is revoked. */
  tokenId: TokenId
  request: Request
  server: IdleTimer
  /** The call may wait: the reply starts as a stream if the client accepts one. */
  waits: boolean
  /** False where the reply is one JSON message however long it takes. */
  streams?: boolean
  token: ProgressToken | undefined
  arrivedAt: number
  words: ReplyFormatter
  write: WriteResult
}

/** Resolves to what the request asked for; `signal` aborts on a hang-up. */
export type ExchangeWork = (talk: CallContext['talk'], signal: HangUp) => Promise<object>

/**
 * Formats the reply of a call. Shared by all calls of a tool: a function or a promise of its own
 * would stay in memory with every held call.
 */
export type ReplyFormatter = {
  /** The result in the reply, of what the work resolved to. */
  readonly result: (result: object) => object
  /** The result in the reply, of what the work threw. Throws what the reply refuses instead. */
  readonly error: (thrown: unknown) => object
}

/** For work that resolves to the result itself. */
export const PASS_THROUGH: ReplyFormatter = {
  result: (result) => result,
  error(thrown) {
    throw thrown
  },
}

/** The replies that are being worked on. */
export type Exchanges = {
  answer(opening: Opening, work: ExchangeWork): Response | Promise<Response>
  /** How many are open now. */
  open(): number
  /**
   * Gives open calls `graceMs` to end by themselves, then tells the rest that the server is
   * closing.
   */
  close(graceMs: number): Promise<void>
}

type Exchange = {
  id: RequestId
  end(message: string, status: number, headers?: Refusal['headers']): void
}

// One timer serves all streams, so each is written to within a second of its time.
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

  // The two functions are all that a held call keeps of its own here.
  function run(
    exchange: Exchange,
    words: ReplyFormatter,
    write: WriteResult,
    work: Promise<object>,
  ) {
    work.then(
      (result) => end(exchange, () => write(exchange.id, words.result(result))),
      (thrown) => end(exchange, () => write(exchange.id, words.error(thrown))),
    )
  }

  function end(exchange: Exchange, message: () => string) {
    let text: string
    try {
      text = message()
    } catch (thrown) {
      const why = refusalFor(thrown, log)
      return exchange.end(errorText(exchange.id, why), why.status, why.headers)
    }
    exchange.end(text, 200)
  }

  function asJson(opening: Opening, work: ExchangeWork): Promise<Response> {
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
      const { words, write } = opening
      // In words already, because a token that is revoked refuses the reply, whatever the tool.
      const inWords = (signal: HangUp) => work(silent, signal).then(words.result, words.error)
      const working = waits ? whileValid(held, tokenId, request.signal, inWords) : inWords(NEVER)
      run(exchange, PASS_THROUGH, write, working)
    })
  }

  function leaveStream(reply: EventReply): boolean {
    if (!leave(reply)) return false
    streams--
    held.remove(reply.tokenId, reply)
    return true
  }

  function asEvents(opening: Opening, work: ExchangeWork): Response {
    opening.server?.timeout(opening.request, 0)
    const reply = new EventReply(opening, clock.now(), leaveStream)
    open.add(reply)
    streams++
    held.add(reply.tokenId, reply)
    stopTicking ??= clock.after(TICK_MS, tick)
    const body = new ReadableStream<Uint8Array>(reply)
    run(
      reply,
      opening.words,
      opening.write,
      work((progress) => reply.talk(progress, clock.now()), reply),
    )
    return new Response(body, { headers: EVENT_HEADERS })
  }

  return {
    answer(opening, work) {
      const streamed =
        opening.waits && opening.streams !== false && takesEvents(opening.request.headers)
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

/** Returns true if a reply may be a stream. */
export function takesEvents(headers: Headers): boolean {
  return headers.get('accept')?.toLowerCase().includes('text/event-stream') ?? false
}

function silent() {}

function refusalFor(raw: unknown, log: Log): Refusal {
  if (raw instanceof Refused) return raw.refusal
  const thrown = storageFailure(raw)
  if (thrown instanceof Failure) return refusalOf(thrown)
  log.error('a tool failed', { error: thrown })
  return INTERNAL
}

export type ProgressToken = string | number

// Some clients give up after 60 s without any response; proxies cut silent connections sooner. No
// stream is silent for more than 15 s, although a tick comes up to a second after it is due.
const COMMENT_EVERY_MS = 15_000 - TICK_MS
const PROGRESS_EVERY_MS = 10_000

const ENCODER = new TextEncoder()
const COMMENT = ENCODER.encode(': \n\n')

const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

/**
 * A reply that began as a stream of events; it always ends with `end`, or when the caller is gone.
 * There are thousands at once, so it is the stream's own source, and what tells its call of a hang-up,
 * and has no closures.
 */
export class EventReply implements Holder, HangUp {
  readonly id: RequestId
  readonly tokenId: TokenId
  private readonly token: ProgressToken | undefined
  private readonly arrivedAt: number
  private readonly leave: (reply: EventReply) => boolean
  private sink: ReadableStreamDefaultController<Uint8Array> | undefined
  private said: Progress | undefined
  private lastProgress = -1
  private nextBeat: number
  private listener: HangUpListener | undefined
  /** Any more of them: a call waits for one thing, so there are nearly never any. */
  private listeners: HangUpListener[] | undefined
  private hungUp = false

  /** `leave` is called once when the reply is over; false means that it was over before. */
  constructor(
    to: { id: RequestId; tokenId: TokenId; token: ProgressToken | undefined; arrivedAt: number },
    now: number,
    leave: (reply: EventReply) => boolean,
  ) {
    this.id = to.id
    this.tokenId = to.tokenId
    this.token = to.token
    this.arrivedAt = to.arrivedAt
    this.leave = leave
    this.nextBeat = now + this.every()
  }

  /** Called by the stream: the first bytes are sent at once. */
  start(sink: ReadableStreamDefaultController<Uint8Array>): void {
    this.sink = sink
    this.put(COMMENT)
  }

  /** Called by the stream: the caller closed it. */
  cancel(): void {
    this.sink = undefined
    this.leave(this)
    this.abort()
  }

  /** True if the caller closed the stream, or its token was revoked. */
  get aborted(): boolean {
    return this.hungUp
  }

  /** `listener` is called once, when the stream is aborted. */
  addEventListener(...[, listener]: Parameters<HangUp['addEventListener']>): void {
    if (this.hungUp) return
    if (this.listener) this.listeners = [...(this.listeners ?? []), listener]
    else this.listener = listener
  }

  removeEventListener(...[, listener]: Parameters<HangUp['removeEventListener']>): void {
    if (this.listener === listener) this.listener = undefined
    this.listeners = this.listeners?.filter((one) => one !== listener)
  }

  /** Stores how far the call is and reports it at once, if the caller asked for progress. */
  talk(progress: Progress, now: number): void {
    if (this.token === undefined) return
    this.said = progress
    this.sayProgress(now)
  }

  /** Keeps the stream alive: progress if the caller asked for it, otherwise a comment. */
  beat(now: number): void {
    const next = now + this.every()
    // Further away than that: the clock was set back, and must not silence the stream.
    if (now < this.nextBeat && this.nextBeat <= next) return
    this.nextBeat = next
    if (!this.sayProgress(now)) this.put(COMMENT)
  }

  /** Writes the last message and closes; does nothing if the reply is over. */
  end(message: string): void {
    if (!this.leave(this)) return
    this.write(message)
    this.sink?.close()
    this.sink = undefined
  }

  /** The token of the call was revoked: the last message says so, and the call ends. */
  cut(why: Failure): void {
    this.end(errorText(this.id, refusalOf(why)))
    this.abort()
  }

  private abort(): void {
    if (this.hungUp) return
    this.hungUp = true
    const { listener, listeners = [] } = this
    this.listener = undefined
    this.listeners = undefined
    listener?.handleEvent()
    for (const one of listeners) one.handleEvent()
  }

  private every(): number {
    return this.token === undefined ? COMMENT_EVERY_MS : PROGRESS_EVERY_MS
  }

  private sayProgress(now: number): boolean {
    const progress = (now - this.arrivedAt) / 1000
    // Progress must rise strictly (MCP); nothing is sent if the clock was set back.
    if (this.token === undefined || progress <= this.lastProgress) return false
    this.lastProgress = progress
    const params = { progressToken: this.token, progress, ...inWords(this.said, progress) }
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))
    return true
  }

  private write(message: string): void {
    this.put(ENCODER.encode(`event: message\ndata: ${message}\n\n`))
  }

  // A broken stream must not stop the timer for the others.
  private put(bytes: Uint8Array): void {
    try {
      this.sink?.enqueue(bytes)
    } catch {
      this.cancel()
    }
  }
}

function inWords(progress: Progress | undefined, seconds: number) {
  if (!progress) return { message: 'Working' }
  const total = progress.totalMs / 1000
  const left = Math.max(0, Math.round(total - seconds))
  const message = `${progress.message}, ${left} s left`
  const { correlationId: id } = progress
  if (id === undefined) return { total, message }
  return { total, message: `${message} (${id})`, _meta: { [CORRELATION_ID]: id } }
}
