import type { Clock } from '../../platform/clock.ts'
import type { Call } from './call.ts'
import type { Execution } from './executions.ts'
import type { Answers } from './inputs.ts'

// The client answers a question of the server in a later request (2026-07-28).
const CONTINUED_MS = 10 * 60_000

/** What a call goes on with once its client repeats it. */
type Continuation = {
  /** The yes of a person to the call. */
  yes: Pick<Execution, 'questionId' | 'permitId'> | undefined
  /** What a person answered to its server already. */
  answers: Answers
}

/** Calls whose server asked their client for more: the client repeats them with its answers. */
export class Continued {
  readonly #byKey = new Map<string, Continuation & { requestState: unknown; until: number }>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  expect({ key }: Call, requestState: unknown, continuation: Continuation): void {
    const until = this.#clock.elapsed() + CONTINUED_MS
    this.#byKey.set(key, { ...continuation, requestState, until })
  }

  /** Undefined for a call that goes on with nothing. It is known once. */
  take({ key, message }: Call): Continuation | undefined {
    const { requestState, inputResponses } = message.params
    const entry = this.#byKey.get(key)
    if (!entry || (requestState === undefined && inputResponses === undefined)) return undefined
    this.#byKey.delete(key)
    const isRight = entry.requestState === requestState && entry.until > this.#clock.elapsed()
    return isRight ? entry : undefined
  }
}
