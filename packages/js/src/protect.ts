import { canonical, digestOf } from './canonical.ts'
import { type AskOptions, ask, wait } from './client.ts'
import { copyOf } from './copy.ts'
import { type FormField, type FormSchema, wrongValue } from './form.ts'
import type { Outcome } from './outcome.ts'
import { lifeOf, put } from './question.ts'
import { BeckonError, call, envOf, type Server } from './server.ts'

/** The description of a tool that a person reads beside its arguments. */
export type Tool = {
  /** In words, such as `Delete a customer`; else the name of the tool. */
  label?: string
  /** The effect of the tool, in a sentence. */
  effect?: string
  risk?: 'low' | 'medium' | 'high'
}

export type GateOptions = Tool &
  Omit<AskOptions, 'action' | 'actionBody' | 'toolName' | 'requestId'> & {
    /** The arguments that the person may change before a yes, by their names, and how far. */
    edit?: FormSchema
  }

type Values = Record<string, unknown>

/** Why a call may not be made, beside the outcomes of a question. */
type Refused =
  | { status: 'too_long'; reason: string }
  | { status: 'not_json'; reason: string }
  | { status: 'refused'; reason: string }

/** A decision about one call of a tool: without `allowed: true` it must not be made. */
export type Decision =
  | {
      allowed: true
      id: string
      /** The digest of what may run. */
      actionHash: string
      note?: string
      /** The arguments with what the person changed, if they did: these may run, no others. */
      args?: Values
    }
  | { allowed: false; outcome: Exclude<Outcome<true>, { status: 'answered' }> | Refused }

// The length that a person is shown whole; a longer call cannot be approved.
const SHOWN_MAX = 4_000
const LINE_MAX = 500
const CALL_MS = 30_000

/**
 * Asks whether a tool may be called with these arguments. Never throws: whatever goes wrong, the call
 * is not allowed.
 */
export async function gate(
  tool: string,
  args: unknown,
  options: GateOptions = {},
): Promise<Decision> {
  const {
    label,
    effect,
    risk,
    edit,
    subject,
    lifeMs,
    waitMs,
    signal,
    onProgress,
    server = {},
    ...about
  } = options
  try {
    // The person sees the same value that the yes is bound to, even if `args` is changed later.
    const copy = copyOf(args)
    const actionHash = await digestOf({ tool, arguments: copy })
    const argumentsText = JSON.stringify(copy, null, 2)
    if (argumentsText.length > SHOWN_MAX) {
      const reason = `The arguments have ${argumentsText.length} characters; a person is shown ${SHOWN_MAX}.`
      return { allowed: false, outcome: { status: 'too_long', reason } }
    }
    const schema = edit && within(edit, copy)
    const stakes = {
      ...(effect === undefined ? {} : { effect }),
      ...(risk ? { risk } : {}),
      ...(edit ? { edit } : {}),
    }
    const question = `${label ?? tool}?`
    const body = {
      ...about,
      ...envOf(server),
      ...lifeOf(lifeMs),
      ...stakes,
      question,
      type: 'confirm',
      action: `${tool} ${canonical(copy)}`.slice(0, LINE_MAX),
      actionBody: argumentsText,
      toolName: tool,
      requestId: `action:${actionHash}:${subject ?? crypto.randomUUID()}`,
    }
    const isOwn = subject === undefined
    const request = { path: '/questions', question, body, isOwn, schema } as const
    const how = { waitMs, signal, onProgress, server }
    const outcome = (await putStakes(request, stakes, how)) as Outcome<true | Values>
    if (outcome.status !== 'answered') return { allowed: false, outcome }
    const { id, value: edited } = outcome
    const note = outcome.note === undefined ? {} : { note: outcome.note }
    if (edited === true) return { allowed: true, id, actionHash, ...note }
    const bound = await digestOf({ action: actionHash, edited })
    return {
      allowed: true,
      id,
      actionHash: bound,
      ...note,
      args: { ...(copy as Values), ...edited },
    }
  } catch (error) {
    return { allowed: false, outcome: refusedBy(error) }
  }
}

/** The schema of an answer with changes: what is there cannot be left out. Throws for one that does not fit. */
function within(edit: FormSchema, args: unknown): FormSchema {
  const all = args as Values
  const names = Object.keys(edit.properties ?? {})
  if (names.length < 1) throw new RangeError('edit needs properties.')
  if (Array.isArray(all) || typeof all !== 'object' || !all) {
    throw new RangeError('edit needs arguments with names: one object, as in pay({ amount, to }).')
  }
  const required = names.filter((name) => (all[name] ?? null) !== null)
  const schema = { ...edit, required }
  const [wrong] = wrongValue(schema, Object.fromEntries(required.map((name) => [name, all[name]])))
  if (wrong) throw new RangeError(`edit: ${wrong.field} ${wrong.must}.`)
  return schema
}

type Stakes = Pick<GateOptions, 'effect' | 'risk' | 'edit'>

/** Asks; of a server that is too old for these fields, with them in the words above the question. */
async function putStakes(
  request: Parameters<typeof put>[0] & { body: { context?: string } },
  stakes: Stakes,
  how: Parameters<typeof put>[1],
) {
  try {
    return await put(request, how)
  } catch (error) {
    const isOlder =
      error instanceof BeckonError &&
      error.fields.length > 0 &&
      error.fields.every(({ field }) => field in stakes)
    if (!isOlder) throw error
    const { effect, risk } = stakes
    const words = [effect, risk && `Risk: ${risk}.`, request.body.context].filter(Boolean)
    const older = { effect: undefined, risk: undefined, edit: undefined, context: words.join(' ') }
    return await put({ ...request, body: { ...request.body, ...older } }, how)
  }
}

function refusedBy(error: unknown): Refused {
  const status = error instanceof TypeError ? 'not_json' : 'refused'
  // A signal is aborted with anything.
  return { status, reason: error instanceof Error ? error.message : String(error) }
}

/** The result of a protected function: it ran, or why it did not. */
export type Done<R> =
  | { status: 'done'; value: R; id: string }
  | Exclude<Decision, { allowed: true }>['outcome']

type FieldOf<T> = Extract<
  FormField,
  {
    type: T extends number
      ? 'number' | 'integer'
      : T extends boolean
        ? 'boolean'
        : T extends readonly string[]
          ? 'array'
          : T extends string
            ? 'string'
            : never
  }
>

export type ProtectOptions<A extends unknown[] = never[]> = Omit<
  GateOptions,
  'subject' | 'edit'
> & {
  /**
   * Members of the one argument, an object, that the person may change before a yes, and how far; the function
   * gets them as they were shown last. Others cannot be changed.
   */
  edit?: Omit<FormSchema, 'properties'> & {
    properties: { readonly [K in keyof A[0] & string]?: FieldOf<NonNullable<A[0][K]>> }
  }
  /** Names what a call is about, such as `(order) => order.id`: asked again, it is the same question. */
  subject?: string | ((...args: A) => string)
  /** The name of the tool; else that of the function. */
  name?: string
  /** Gets the report of the outcome, where the runtime ends what nobody waits for. */
  waitUntil?: (report: Promise<void>) => void
}

/**
 * The function behind a person's yes. Each call is asked about with a copy of its arguments; after a
 * yes it is bound to their digest by a permit, which the server uses up just before the function
 * runs, so that one yes runs it once, with that copy. What the function throws is thrown on.
 */
export function protect<A extends unknown[], R>(
  fn: (...args: A) => R | Promise<R>,
  options: ProtectOptions<A> = {},
): (...args: A) => Promise<Done<R>> {
  const { name, waitUntil, subject, ...about } = options
  const { server = {}, signal } = about
  const tool = name ?? (fn.name || 'function')
  return async function (this: unknown, ...input) {
    let args: A
    let ofCall: { subject?: string }
    try {
      args = input.map((one, at) => copyOf(one, input.length === 1 ? '' : `[${at}]`)) as A
      const id = typeof subject === 'function' ? subject(...args) : subject
      ofCall = id === undefined ? {} : { subject: id }
    } catch (error) {
      return refusedBy(error)
    }
    const options = { ...(about as GateOptions), ...ofCall }
    const decision = await gate(tool, args.length === 1 ? args[0] : args, options)
    if (!decision.allowed) return decision.outcome
    const permit = await usePermit(server, decision, signal)
    if (typeof permit !== 'string') return permit
    const report = (outcome: 'succeeded' | 'failed', error?: unknown) => {
      const reported = reportOutcome(server, permit, outcome, error)
      waitUntil?.(reported)
    }
    try {
      const value = await fn.apply(this, decision.args ? ([decision.args] as A) : args)
      report('succeeded')
      return { status: 'done', value, id: decision.id }
    } catch (error) {
      report('failed', error)
      throw error
    }
  }
}

/**
 * Turns an allowed call into a permit and uses it up: the id of the permit, or why the call must not
 * be made, as when `signal` was aborted. For callers of `gate`; `protect` does it by itself.
 */
export async function usePermit(
  server: Server,
  { id, actionHash }: Extract<Decision, { allowed: true }>,
  signal?: AbortSignal,
): Promise<string | Refused | { status: 'unreachable'; reason: string; id: string }> {
  const what = { body: { actionHash }, tryUntil: Date.now() + CALL_MS, signal }
  let permit: unknown
  try {
    const issued = await call(server, `/questions/${encodeURIComponent(id)}/permit`, what)
    if ('unreachable' in issued) return { status: 'unreachable', reason: issued.unreachable, id }
    permit = issued.body.permitId
    if (typeof permit !== 'string') {
      return { status: 'refused', reason: 'The server gave no permit for this call.' }
    }
    // Not again: after a lost reply nobody knows whether it was used up.
    const path = `/permits/${encodeURIComponent(permit)}/consume`
    const used = await call(server, path, { ...what, tryUntil: 0 })
    if ('unreachable' in used) return { status: 'unreachable', reason: used.unreachable, id }
    signal?.throwIfAborted()
    return permit
  } catch (error) {
    if (!signal?.aborted && !(error instanceof BeckonError)) throw error
    if (typeof permit === 'string' && signal?.aborted) {
      void reportOutcome(server, permit, 'not_run', 'The caller gave up.')
    }
    return { ...refusedBy(error), status: 'refused' }
  }
}

/**
 * Says what became of the action of a permit, for the audit trail. Never throws: the action is done,
 * whether the server hears of it or not, so its value does not wait for this. For callers of
 * `usePermit`.
 */
export async function reportOutcome(
  server: Server,
  permit: string,
  outcome: 'succeeded' | 'failed' | 'not_run',
  error?: unknown,
): Promise<void> {
  const detail = error instanceof Error ? error.message : error === undefined ? '' : String(error)
  const details = detail === '' ? {} : { detail: detail.slice(0, LINE_MAX) }
  const what = { body: { outcome, ...details }, tryUntil: Date.now() + CALL_MS }
  await call(server, `/permits/${encodeURIComponent(permit)}/outcome`, what).catch(() => {})
}

/** A person as a tool for a model: name, description, schema of its input, and what runs it. */
export function humanAsTool(options: AskOptions = {}) {
  return {
    name: 'ask_human',
    description:
      'Asks a person and waits for the answer. Use it for a decision that is theirs. No answer is not a yes.',
    inputSchema: {
      type: 'object',
      properties: {
        question: { type: 'string', maxLength: 500 },
        choices: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 6 },
      },
      required: ['question'],
      additionalProperties: false,
    },
    run({ question, choices }: { question: string; choices?: string[] }) {
      return choices ? ask.choose(question, choices, options) : ask.text(question, options)
    },
    /** Goes on with a question that `run` left as `waiting`. */
    resume: (id: string) => wait(id, options.server ? { server: options.server } : {}),
  } as const
}
