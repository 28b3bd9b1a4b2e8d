import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../accounts/model/agent.ts'
import type { Call } from '../../gate-calls/call.ts'
import { eventOf } from './events.ts'
import { isEvents, takesEvents } from './headers.ts'
import { ReplyBody } from './reply-body.ts'

// Some clients give up after 60 s without any response; a call that is decided sooner is answered as
// its server answers it.
const OPEN_MS = 500
// Proxies cut silent connections.
const COMMENT_EVERY_MS = 15_000
const COMMENT = ': \n\n'

const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const
const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const

/** The request of one tool call. */
export type CallRequest = {
  call: Call
  caller: Caller
  /** The client's headers, and the query of its address. */
  headers: Headers
  search: string
  holdMs: number
}

/** One tool call over HTTP, and its reply: begun by the gate while it holds the call, or by the server. */
export class CallExchange {
  readonly response: Promise<Response>
  /** Resolves once the gate has no more to say. */
  readonly over: Promise<void>
  /** Aborts the request to the server. */
  readonly stop = new AbortController()
  readonly request: CallRequest

  readonly #clock: Clock
  readonly #onGone: () => void
  readonly #resolve: (response: Response) => void
  readonly #end: () => void
  #body: ReplyBody | undefined
  #isOver = false
  #stopTimer: (() => void) | undefined

  /** `onGone` is called when the client leaves before the reply is whole. */
  constructor(request: CallRequest, clock: Clock, onGone: () => void) {
    const { promise, resolve } = Promise.withResolvers<Response>()
    this.request = request
    this.response = promise
    this.#resolve = resolve
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    this.over = over
    this.#end = end
    this.#clock = clock
    this.#onGone = onGone
    this.wait()
  }

  /** The gate holds the call: its client is kept waiting. */
  wait(): void {
    if (this.#isOver) return
    if (this.#body) this.#beat()
    else if (takesEvents(this.request.headers))
      this.#stopTimer = this.#clock.after(OPEN_MS, () => this.#begin())
  }

  /** Begins a stream for the answers of the server, of which not each is for the client. */
  open(headers: Headers): void {
    if (!this.#isOver && !this.#body) this.#start(headers)
  }

  /** An event before the answer. */
  notify(line: string): void {
    this.#begin()
    this.#body?.write(eventOf(line))
  }

  /** The answer, from the gate. */
  answer(line: string): void {
    if (this.#isOver) return
    if (this.#body) {
      this.#body.write(eventOf(line))
      this.end()
    } else this.#reply(new Response(line.trimEnd(), { headers: JSON_HEADERS }))
  }

  /** The answer of the server as it comes. */
  pass(status: number, headers: Headers): ReplyBody {
    const body = new ReplyBody(() => this.#leave())
    if (isEvents(headers)) headers.set('x-accel-buffering', 'no')
    this.#reply(new Response(body.stream, { status, headers }))
    return body
  }

  /** The stream that the gate began, for the answer of the server. */
  get body(): ReplyBody | undefined {
    return this.#body
  }

  /** The server has the call: what comes now is its own. */
  stopWaiting(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
  }

  /** Ends the reply without an answer, for a call that was cancelled. */
  end(): void {
    if (this.#isOver) return
    if (this.#body) {
      this.#finish()
      this.#body.end()
    } else this.#reply(new Response(null, { status: 202 }))
  }

  /** The client is gone before the reply has begun. */
  leave(): void {
    if (this.#isOver) return
    this.#reply(new Response(null, { status: 499 }))
    this.#onGone()
  }

  #begin(): void {
    if (this.#isOver || this.#body || !takesEvents(this.request.headers)) return
    this.#start(new Headers(EVENT_HEADERS)).write(COMMENT)
    this.#beat()
  }

  #start(headers: Headers): ReplyBody {
    const body = new ReplyBody(() => this.#leave())
    this.#body = body
    headers.set('x-accel-buffering', 'no')
    this.#resolve(new Response(body.stream, { headers }))
    return body
  }

  #beat(): void {
    this.stopWaiting()
    this.#stopTimer = this.#clock.after(COMMENT_EVERY_MS, () => {
      this.#body?.write(COMMENT)
      this.#beat()
    })
  }

  #reply(response: Response): void {
    if (this.#isOver) return
    this.#finish()
    this.#resolve(response)
  }

  #leave(): void {
    this.#finish()
    this.#onGone()
  }

  #finish(): void {
    this.#isOver = true
    this.stopWaiting()
    this.#end()
  }
}
