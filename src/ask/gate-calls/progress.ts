import { type Clock, pause } from '../../platform/clock.ts'
import type { RequestId } from '../../platform/mcp/message.ts'
import type { Call } from './call.ts'
import { withValue } from './json-text.ts'
import type { Message } from './message.ts'

const EVERY_MS = 10_000

type Waiting = ReadonlyMap<RequestId, Call>

/** Progress of the gate itself while it holds calls; that of the server goes on after it. */
export class Progress {
  /** The last value by the token of a call. */
  readonly #last = new Map<RequestId, number>()

  readonly #clock: Clock
  readonly #write: (line: string, to: Call) => void

  constructor(clock: Clock, write: (line: string, to: Call) => void) {
    this.#clock = clock
    this.#write = write
  }

  /** Says from now on how long these calls have waited, until it is stopped. */
  start(waiting: Waiting): Disposable & { setAway(isAway: boolean): void; stop(): void } {
    const over = new AbortController()
    let isAway = false
    void this.#repeat(waiting, over.signal, (seconds) =>
      isAway
        ? `Beckon’s server is away; waiting for it, ${seconds} s`
        : `Waiting for a person, ${seconds} s`,
    )
    const stop = () => over.abort()
    return { setAway: (now) => (isAway = now), stop, [Symbol.dispose]: stop }
  }

  async #repeat(
    waiting: Waiting,
    signal: AbortSignal,
    words: (seconds: number) => string,
  ): Promise<void> {
    const startedAt = this.#clock.elapsed()
    while (!signal.aborted && waiting.size > 0) {
      const seconds = Math.round((this.#clock.elapsed() - startedAt) / 1000)
      for (const call of waiting.values()) this.#send(call, words(seconds))
      await pause(this.#clock, EVERY_MS, signal)
    }
  }

  #send(call: Call, message: string): void {
    const { progressToken } = call
    if (progressToken === undefined) return
    const progress = (this.#last.get(progressToken) ?? 0) + 1
    this.#last.set(progressToken, progress)
    const params = { progressToken, progress, message }
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })
    this.#write(`${line}\n`, call)
  }

  /** The progress of the server after our own; undefined if it stays as it is. */
  shifted({ method, params, text }: Message): string | undefined {
    const { progressToken, progress } = params
    if (method !== 'notifications/progress' || typeof progress !== 'number') return undefined
    const last = this.#last.get(progressToken as RequestId)
    return last === undefined ? undefined : withValue(text, ['params', 'progress'], progress + last)
  }

  forget(waiting: Waiting): void {
    for (const { progressToken } of waiting.values())
      if (progressToken !== undefined) this.#last.delete(progressToken)
  }

  isEmpty(): boolean {
    return this.#last.size === 0
  }
}
