import type { Clock } from '../../platform/clock.ts'
import { type Fields, isFields, type RequestId } from '../../platform/mcp/message.ts'
import { answerForm } from './answer-form.ts'
import type { Decider } from './decider.ts'
import { withValue } from './json-text.ts'
import type { Message } from './message.ts'

type ElicitationSettings = Pick<Decider, 'ask'> & {
  name: string
  holdMs: number
  clock: Clock
  /** Tells the client of calls that are running that they wait for a person, until it is disposed of. */
  sayWaiting(): Disposable
  reply(id: RequestId, result: object): void
  note(words: string): void
}

/**
 * The questions of a server of the older era to a client that cannot show them: a person answers them
 * at Beckon. In the newer era they are in the result of a call.
 */
export class Elicitations {
  readonly #open = new Map<RequestId, AbortController>()
  readonly #answers = new Set<Promise<unknown>>()
  #isOn = false

  readonly #settings: ElicitationSettings

  constructor(settings: ElicitationSettings) {
    this.#settings = settings
  }

  /** True if the server was told that its questions are answered, and the client did not say so. */
  get isOn(): boolean {
    return this.#isOn
  }

  /**
   * The `initialize` request as the server gets it: a client that shows no questions is given Beckon,
   * which does. Undefined if it stays as it is.
   */
  declare({ text, params: { capabilities } }: Message): string | undefined {
    this.#isOn = isFields(capabilities) && capabilities.elicitation === undefined
    if (!this.#isOn) return undefined
    const all = { ...(capabilities as Fields), elicitation: {} }
    return withValue(text, ['params', 'capabilities'], all)
  }

  /** Takes a message of the server that is not for the client; false for any other. */
  take({ id, method, params }: Message): boolean {
    if (!this.#isOn) return false
    if (method === 'notifications/cancelled') return this.#cancel(params.requestId as RequestId)
    if (method !== 'elicitation/create' || id === undefined) return false
    const over = new AbortController()
    this.#open.set(id, over)
    const work = this.#answer(params, over.signal).then((answer) => {
      if (this.#open.get(id) !== over) return
      this.#open.delete(id)
      const { reason, ...rest } = { reason: undefined, ...answer }
      if (reason !== undefined)
        this.#settings.note(`a question of the server was declined: ${reason}`)
      const _meta = reason === undefined ? {} : { _meta: { 'beckon/reason': reason } }
      this.#settings.reply(id, { ...rest, ..._meta })
    })
    this.#answers.add(work)
    void work.finally(() => this.#answers.delete(work))
    return true
  }

  /** Nobody waits for the answers any more. */
  abort(): void {
    for (const over of this.#open.values()) over.abort()
    this.#open.clear()
  }

  /** Resolves once no question is open for it any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#answers)
  }

  #cancel(id: RequestId): boolean {
    const over = this.#open.get(id)
    over?.abort()
    return this.#open.delete(id)
  }

  async #answer(params: Fields, signal: AbortSignal) {
    const { name, clock, holdMs, ask, sayWaiting } = this.#settings
    using _ = sayWaiting()
    return await answerForm(params, {
      ...{ name, clock, until: clock.elapsed() + holdMs },
      ask: (question, ms) => ask(question, undefined, ms, signal),
    })
  }
}
