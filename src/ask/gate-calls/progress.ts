import { type Clock, pause } from '../../platform/clock.ts'
import type { RequestId } from '../../platform/mcp/message.ts'
import type { Call } from './call.ts'
import { withValue } from './json-text.ts'
import type { Message } from './message.ts'

const EVERY_MS = 10_000

type Waiting = ReadonlyMap<RequestId, Call>

/** Progress of the gate itself while it holds calls; that of the server goes on after it. */
export class Progress {
  /** By the token of a call: what is added to the values of its server, and the highest that was sent. */
  readonly #values = new Map<RequestId, { added: number; highest: number }>()

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
    const progress = (this.#values.get(progressToken)?.highest ?? 0) + 1
    this.#values.set(progressToken, { added: progress, highest: progress })
    const params = { progressToken, progress, message }
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })
    this.#write(`${line}\n`, call)
  }

  /** The progress of the server after our own; undefined if it stays as it is. */
  shifted({ method, params, text }: Message): string | undefined {
    const { progressToken, progress } = params
    if (method !== 'notifications/progress' || typeof progress !== 'number') return undefined
    const values = this.#values.get(progressToken as RequestId)
    if (!values) return undefined
    values.highest = Math.max(values.highest, progress + values.added)
    if (values.added === 0) return undefined
    return withValue(text, ['params', 'progress'], progress + values.added)
  }

  /** The server may begin anew with its values, which have to rise: from now on they are watched. */
  startRound({ progressToken }: Call): void {
    if (progressToken === undefined) return
    const { highest } = this.#values.get(progressToken) ?? { highest: 0 }
    this.#values.set(progressToken, { added: highest, highest })
  }

  forget(waiting: Waiting): void {
    for (const { progressToken } of waiting.values())
      if (progressToken !== undefined) this.#values.delete(progressToken)
  }

  isEmpty(): boolean {
    return this.#values.size === 0
  }
}
