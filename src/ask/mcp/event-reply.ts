import type { Failure } from '../../platform/failure.ts'
import type { TokenId } from '../../platform/ids.ts'
import { refusalOf } from '../../platform/mcp/errors.ts'
import { errorText, type RequestId } from '../../platform/mcp/message.ts'
import type { Progress } from '../accounts/call.ts'
import type { Holder } from '../accounts/held-tokens.ts'
import { CORRELATION_ID } from '../wire/limits.ts'

export type ProgressToken = string | number

// Some clients give up 60 s after the request unless the reply has begun; proxies cut silence
// sooner than that.
const COMMENT_EVERY_MS = 15_000
const PROGRESS_EVERY_MS = 10_000

const ENCODER = new TextEncoder()
const COMMENT = ENCODER.encode(': \n\n')

export const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

/**
 * A reply that began as a stream of events; it always ends with `end`, or with the caller gone.
 * Thousands are held at once, so it is the stream's own source and has no closures.
 */
export class EventReply implements Holder {
  readonly id: RequestId
  readonly tokenId: TokenId
  private readonly hangUp = new AbortController()
  private readonly token: ProgressToken | undefined
  private readonly arrivedAt: number
  private readonly leave: (reply: EventReply) => boolean
  private sink: ReadableStreamDefaultController<Uint8Array> | undefined
  private said: Progress | undefined
  private lastProgress = -1
  private nextBeat: number

  /** `leave` is told once when it is over; false means that it was over before. */
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

  /** For the stream: its first bytes go out at once. */
  start(sink: ReadableStreamDefaultController<Uint8Array>): void {
    this.sink = sink
    this.put(COMMENT)
  }

  /** For the stream: the caller closed it. */
  cancel(): void {
    this.sink = undefined
    this.leave(this)
    this.hangUp.abort()
  }

  /** Aborts when the caller closes the stream. */
  get signal(): AbortSignal {
    return this.hangUp.signal
  }

  /** Remembers how far the call is, and says so at once when the caller asked to hear of it. */
  talk(progress: Progress, now: number): void {
    this.said = progress
    this.sayProgress(now)
  }

  /** Keeps the stream alive: progress where it was asked for, else a comment. */
  beat(now: number): void {
    if (now < this.nextBeat) return
    this.nextBeat = now + this.every()
    if (!this.sayProgress(now)) this.put(COMMENT)
  }

  /** Writes the last message and closes; does nothing when it is over. */
  end(message: string): void {
    if (!this.leave(this)) return
    this.write(message)
    this.sink?.close()
    this.sink = undefined
  }

  /** The token of the call was revoked: the last message says so, and the call is over. */
  cut(why: Failure): void {
    this.end(errorText(this.id, refusalOf(why)))
    this.hangUp.abort()
  }

  private every(): number {
    return this.token === undefined ? COMMENT_EVERY_MS : PROGRESS_EVERY_MS
  }

  private sayProgress(now: number): boolean {
    const progress = (now - this.arrivedAt) / 1000
    // It must rise strictly (MCP, progress); a clock that was set back says nothing.
    if (this.token === undefined || progress <= this.lastProgress) return false
    this.lastProgress = progress
    const params = { progressToken: this.token, progress, ...inWords(this.said, progress) }
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))
    return true
  }

  private write(message: string): void {
    this.put(ENCODER.encode(`event: message\ndata: ${message}\n\n`))
  }

  // A stream that broke must not keep the beat from the others.
  private put(bytes: Uint8Array): void {
    try {
      this.sink?.enqueue(bytes)
    } catch {
      this.cancel()
    }
  }
}

function inWords(said: Progress | undefined, seconds: number) {
  if (!said) return { message: 'Working' }
  const total = said.totalMs / 1000
  const left = Math.max(0, Math.round(total - seconds))
  const message = `${said.message}, ${left} s left`
  const { correlationId: id } = said
  if (id === undefined) return { total, message }
  return { total, message: `${message} (${id})`, _meta: { [CORRELATION_ID]: id } }
}
