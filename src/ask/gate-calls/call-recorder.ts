import { type Clock, pause } from '../../platform/clock.ts'

// What is sent meanwhile would hold up the next call.
const QUIET_MS = 100
// However busy the client is.
const AT_LAST_MS = 1_000
const AT_ONCE = 20

/** Why a question about a call that went unasked is withdrawn. */
export const HAS_RUN = 'It was allowed until a moment ago, and has run.'

/**
 * Tells Beckon's server of calls that went unasked, once the client is quiet. With too many that it was not told
 * of, the next call waits to be decided there.
 */
export class CallRecorder<One> {
  readonly #clock: Clock
  readonly #send: (calls: One[]) => Promise<unknown>
  readonly #most: number
  #calls: One[] = []
  #lastAt = 0
  #isEnding = false
  #sending: Promise<void> | undefined

  /** `send` gets a few calls at a time, and never fails. */
  constructor(clock: Clock, most: number, send: (calls: One[]) => Promise<unknown>) {
    this.#clock = clock
    this.#most = most
    this.#send = send
  }

  get isFull(): boolean {
    return this.#calls.length >= this.#most
  }

  add(call: One): void {
    this.#calls.push(call)
    this.#lastAt = this.#clock.elapsed()
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  /** Sends what is left, at once. */
  async flush(): Promise<void> {
    this.#isEnding = true
    await this.#sending
  }

  async #sendAll(): Promise<void> {
    let sentAt = this.#clock.elapsed()
    while (this.#calls.length > 0) {
      if (!this.#isEnding) await pause(this.#clock, QUIET_MS)
      const now = this.#clock.elapsed()
      const isDue = now - this.#lastAt >= QUIET_MS || now - sentAt >= AT_LAST_MS
      if (!isDue && !this.isFull && !this.#isEnding) continue
      sentAt = now
      await this.#send(this.#calls.splice(0, AT_ONCE))
    }
  }
}
