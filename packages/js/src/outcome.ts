/** The paths that a session may change, as globs. Paths are globs. */
export type Contract = {
  allowedPaths: string[]
  offLimitsPaths: string[]
  doneWhen: string
  promises?: string[]
}

import { type FormSchema, readForm } from './form.ts'

/** What another process needs to go on with a question: plain JSON. */
export type Handle = { id: string; question?: string; type?: string; schema?: FormSchema }

/** A yes, a choice or a text, or a scope as it was agreed. */
export type Value = true | string | Contract | object

/** How many browsers and phones a message reached, as far as known. */
export type Delivery = Record<string, unknown>

/** Additions of the person, and where it was answered, as far as known. */
type OutcomeDetails = {
  id: string
  question: string
  note?: string
  source?: string
  delivery?: Delivery
}

/** Ends that are neither a yes nor a no. */
const OTHER_ENDS = [
  'expired',
  'cancelled',
  'stopped',
  'missing',
  'unavailable',
  'notified',
  'terminal',
] as const

/**
 * The outcome of a question. Only `answered` is an agreement; nothing else is one, however long it
 * took.
 *
 * - `answered`: with `value`; of a confirm it is a yes.
 * - `declined`: the person said no.
 * - `expired`: nobody answered in its time. `cancelled`: it was withdrawn.
 * - `stopped`: the person wants the agent to stop.
 * - `paused`: not asked, because the last questions of the session went unanswered.
 * - `no_devices`: nothing is connected that could receive it; `hint` says what to connect.
 * - `held`: test traffic, which nobody is shown.
 * - `notified`, `terminal`: by policy it is answered where the agent runs, not here.
 * - `waiting`: the caller stopped waiting and the question is open; `resume(handle)` or `wait(id)` goes on.
 * - `missing`: the server has no such question. `unavailable`, `unreachable`: it could not be asked.
 */
export type Outcome<T> =
  | ({ status: 'answered'; value: T } & OutcomeDetails)
  | ({ status: 'declined' } & OutcomeDetails)
  | {
      status: (typeof OTHER_ENDS)[number] | 'paused' | 'no_devices' | 'held'
      id: string
      hint?: string
      /** Where a person who is signed in can answer. */
      answerUrl?: string
      delivery?: Delivery
    }
  | {
      status: 'waiting'
      id: string
      /** For `resume`, also in another process. */
      handle: Handle
      hint?: string
      answerUrl?: string
      delivery?: Delivery
    }
  | { status: 'unreachable'; reason: string; id?: string }

/** A result of the server, as far as it is read. */
export type Result = Record<string, unknown>

/** The outcome that a result tells; undefined while the question is open. */
export function outcomeOf(result: Result): Outcome<Value> | undefined {
  const id = String(result.correlationId)
  const { status, hint } = result
  const more = { ...textsOf({ hint }), ...factsOf(result) }
  if (status === 'answered') return answerOf(result) ?? { status: 'unavailable', id, ...more }
  if (result.paused === true) return { status: 'paused', id, ...more }
  if (result.held !== undefined) return { status: 'held', id, ...more }
  if (result.noDevices === true) return { status: 'no_devices', id, ...more }
  const end = OTHER_ENDS.find((name) => name === status)
  if (end) return { status: end, id, ...more }
  // A status of a newer server must not be waited for, and is no agreement.
  return status === 'pending' ? undefined : { status: 'unavailable', id, ...more }
}

/** Undefined if the result has no answer that is understood. */
function answerOf(result: Result): Outcome<Value> | undefined {
  const {
    type,
    schema,
    value,
    ratified,
    contract,
    note,
    answerSource: source,
    question = '',
  } = result
  const id = String(result.correlationId)
  const { delivery } = factsOf(result)
  const details = {
    id,
    question: String(question),
    ...textsOf({ note, source }),
    ...(delivery ? { delivery } : {}),
  }
  if (typeof ratified === 'boolean') {
    if (!ratified) return { status: 'declined', ...details }
    if (typeof contract !== 'object' || contract === null) return undefined
    return { status: 'answered', value: contract as Contract, ...details }
  }
  if (typeof value !== 'string') return undefined
  const isPlain = type === 'confirm' && (value === 'yes' || value === 'no')
  if (schema !== undefined && !isPlain) {
    const form = readForm(schema as FormSchema, value)
    return form && { status: 'answered', value: form, ...details }
  }
  if (type !== 'confirm') return { status: 'answered', value, ...details }
  // A yes to changed arguments, which only who knows them can read.
  if (value.startsWith('{')) return undefined
  // Whatever is no yes is none.
  return value === 'yes'
    ? { status: 'answered', value: true, ...details }
    : { status: 'declined', ...details }
}

/** Where an open question can be answered, and whom it reached. */
export function factsOf({ answerUrl, delivery }: Result): {
  answerUrl?: string
  delivery?: Delivery
} {
  const reached = typeof delivery === 'object' && delivery !== null
  return {
    ...textsOf({ answerUrl }),
    ...(reached ? { delivery: delivery as Delivery } : {}),
  }
}

export function handleOf(id: string, { question, type, schema }: Result): Handle {
  return { id, ...textsOf({ question, type }), ...(schema ? { schema: schema as FormSchema } : {}) }
}

/** Those that are texts. */
function textsOf<T extends string>(members: Record<T, unknown>): Partial<Record<T, string>> {
  const texts = Object.entries(members).filter(([, one]) => typeof one === 'string')
  return Object.fromEntries(texts) as Partial<Record<T, string>>
}
