import { readForm as readAnswer } from '../../../packages/js/src/form.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Fields, isFields, type RequestId } from '../../platform/mcp/message.ts'
import { type FieldQuestion, type Form, type FormField, readForm } from './elicitation-form.ts'
import type { HoldEnd } from './hold.ts'
import { withValue } from './json-text.ts'
import type { Message } from './message.ts'

type ElicitationSettings = {
  name: string
  holdMs: number
  clock: Clock
  /** Asks a person; resolves once that is over. */
  ask(question: FieldQuestion, holdMs: number, signal: AbortSignal): Promise<HoldEnd>
  /** Tells the client of calls that are running that they wait for a person, until it is disposed of. */
  sayWaiting(): Disposable
  reply(id: RequestId, result: object): void
  note(words: string): void
}

type Result =
  | { action: 'accept'; content: Fields }
  | { action: 'decline' | 'cancel'; reason?: string }

type Ask = (question: FieldQuestion) => Promise<HoldEnd>

const ANSWER = 'Answer'
const ACCEPT = 'Accept'
const DECLINE = 'Decline'
const CANCEL = 'Cancel'
const QUESTION_MAX = 500
// A person who writes no value of a field so often will not write one.
const TRIES = 3

/** The questions of a server to a client that cannot show them: a person answers them at Beckon. */
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
    const work = this.#answer(params, over.signal).then((result) => {
      if (this.#open.get(id) !== over) return
      this.#open.delete(id)
      const { reason, ...rest } = { reason: undefined, ...result }
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

  async #answer(params: Fields, signal: AbortSignal): Promise<Result> {
    const form = readForm(params)
    if (typeof form === 'string') return { action: 'decline', reason: form }
    const { clock, holdMs, name, sayWaiting } = this.#settings
    const question = `${name} asks: ${form.message}`
    if ([...question].length > QUESTION_MAX)
      return { action: 'decline', reason: 'its words are too long to be shown whole' }
    using _ = sayWaiting()
    const until = clock.elapsed() + holdMs
    const ask = (next: FieldQuestion) =>
      this.#settings.ask(next, Math.max(0, until - clock.elapsed()), signal)
    const first = await ask(firstQuestion(question, form))
    const choice = answerIn(first)
    if (choice === DECLINE) return { action: 'decline' }
    if (choice !== ANSWER && choice !== ACCEPT) return { action: 'cancel', ...reasonOf(first) }
    return await this.#fill(form, question, ask)
  }

  /** Asks for all fields on one page; where that cannot be, for one after the other. */
  async #fill({ schema, fields }: Form, question: string, ask: Ask): Promise<Result> {
    const filled = schema && (await ask({ question, schema }))
    const content = filled && schema && readAnswer(schema, answerIn(filled))
    if (content) return { action: 'accept', content }
    // An older server has no forms.
    if (!fields || (filled && filled.is !== 'unheard')) {
      return { action: 'cancel', ...(filled ? reasonOf(filled) : {}) }
    }
    return await this.#fillEach(fields, ask)
  }

  async #fillEach(fields: readonly FormField[], ask: Ask): Promise<Result> {
    const content: Fields = {}
    for (const field of fields) {
      const value = await askField(field, ask)
      if (value === undefined) return { action: 'cancel' }
      if (value.is === 'value') content[field.name] = value.value
    }
    return { action: 'accept', content }
  }
}

function firstQuestion(question: string, { titles }: Form): FieldQuestion {
  const names = titles.join(', ')
  return {
    ...{ question, type: 'select' },
    options: [titles.length > 0 ? ANSWER : ACCEPT, DECLINE, CANCEL],
    ...(names === '' || names.length > QUESTION_MAX - 20
      ? {}
      : { context: `It asks for ${names}.` }),
  }
}

/** Undefined if the person gave no value. */
async function askField(
  { ask, read }: FormField,
  put: (question: FieldQuestion) => Promise<HoldEnd>,
): Promise<Exclude<ReturnType<typeof read>, { is: 'no' }> | undefined> {
  let why: string | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const context = why === undefined ? ask.context : `That was no answer to it. ${why}`
    const answer = answerIn(await put({ ...ask, ...(context === undefined ? {} : { context }) }))
    if (answer === undefined) return undefined
    const value = read(answer)
    if (value.is !== 'no') return value
    why = value.why
  }
  return undefined
}

function answerIn(end: HoldEnd): string | undefined {
  return end.is === 'yes' ? 'yes' : end.is === 'no' ? end.value : undefined
}

function reasonOf(end: HoldEnd): { reason?: string } {
  return end.is === 'unheard' ? { reason: end.why } : {}
}
