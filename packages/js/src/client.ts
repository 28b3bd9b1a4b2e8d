import type { FormSchema, FormValue } from './form.ts'
import type { Contract, Delivery, Handle, Outcome, Value } from './outcome.ts'
import { type About, follow, lifeOf, nameOf, put, type WaitOptions } from './question.ts'
import { call, envOf, type Server } from './server.ts'

export { type FormSchema, type FormValue, readForm } from './form.ts'
export type { Contract, Handle, Outcome } from './outcome.ts'
export type { Progress } from './progress.ts'
export { type About, cancel, type WaitOptions } from './question.ts'
export { BeckonError, type Server } from './server.ts'

export type AskOptions = About &
  WaitOptions & {
    /**
     * Names what is asked about, such as `deploy-42`: asked again under the same name, also by
     * another process, in the same words, it is the same question. Else each call asks anew.
     */
    subject?: string
    /** In place of `subject`: the whole name of the call, as the server gets it. */
    requestId?: string
    /**
     * How long the question stays open, 10 minutes to 7 days in milliseconds, as far as the policy of
     * the workspace allows. Asked again under the same `subject` after nobody answered, it is asked anew.
     */
    lifeMs?: number
  }

/** Asks a person, and waits for the decision. Throws `BeckonError` for a wrong field or token. */
export const ask = {
  /** A question that is answered yes or no. */
  confirm: (question: string, options: AskOptions = {}) =>
    askFor({ question, type: 'confirm' }, options) as Promise<Outcome<true>>,
  /** A choice of 2 to 6; the value is the chosen one. */
  choose: (question: string, choices: readonly string[], options: AskOptions = {}) =>
    askFor({ question, type: 'select', options: choices }, options) as Promise<Outcome<string>>,
  /** A question that is answered in words. */
  text: (question: string, options: AskOptions & { placeholder?: string } = {}) =>
    askFor({ question, type: 'input' }, options) as Promise<Outcome<string>>,
  /** A form of at most ten fields; the value is an object, checked on both sides. */
  form: <const S extends FormSchema>(question: string, schema: S, options: AskOptions = {}) =>
    askFor({ question, type: 'input', schema }, options) as Promise<Outcome<FormValue<S>>>,
}

type QuestionWords = {
  question: string
  type: string
  options?: readonly string[]
  schema?: FormSchema
}

async function askFor(question: QuestionWords, options: AskOptions): Promise<Outcome<Value>> {
  const { subject, requestId, lifeMs, waitMs, signal, onProgress, server = {}, ...about } = options
  const words = { ...question, ...about }
  const name = requestId ?? (await nameOf(subject, words))
  const body = { ...words, ...envOf(server), ...lifeOf(lifeMs), requestId: name }
  const isOwn = subject === undefined && requestId === undefined
  const one = { path: '/questions', question: question.question, body, isOwn } as const
  return await put(one, { waitMs, signal, onProgress, server })
}

/**
 * Waits for a question that was asked before, also by another process, until it ends. The value is
 * `true` for a yes, the choice, the text, or of a proposed scope the contract as it was agreed.
 */
export async function wait(id: string, options: WaitOptions = {}): Promise<Outcome<Value>> {
  return await resume({ id }, options)
}

/**
 * As `wait`, with the `handle` of an outcome that is `waiting`: plain JSON for a file, a queue or a
 * state. It names neither server nor token; several programs may have it, and get the same outcome.
 */
export async function resume(handle: Handle, options: WaitOptions = {}): Promise<Outcome<Value>> {
  const { waitMs = Number.POSITIVE_INFINITY, signal, onProgress, server = {} } = options
  const { id, ...first } = handle
  return await follow(id, first, Date.now() + waitMs, { signal, onProgress, server })
}

/** A question as it is listed; `value` as on the wire. */
export type Listed = {
  id: string
  question: string
  type: string
  status: string
  value?: string
  note?: string
  sessionId?: string
  createdAt: string
  expiresAt: string
  endedAt?: string
}

export type ListOptions = {
  /** Those that can still be answered, if not said otherwise. */
  state?: 'open' | 'ended'
  sessionId?: string
  /** The `next` of the page before. */
  cursor?: string
  limit?: number
  server?: Server
}

/** The questions that this token asked, the newest first, page by page. */
export async function list({
  server = {},
  ...query
}: ListOptions = {}): Promise<
  | { status: 'listed'; questions: Listed[]; next?: string }
  | { status: 'unreachable'; reason: string }
> {
  const chosen = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]))
  const what = { method: 'GET', tryUntil: Date.now() + NOTIFY_MS } as const
  const reply = await call(server, `/questions?${search}`, what)
  if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable }
  const { questions, next } = reply.body as { questions: object[]; next?: string }
  const rows = questions.map((one) => {
    const { correlationId: id, ...row } = one as Listed & { correlationId: string }
    return { ...row, id }
  })
  return { status: 'listed', questions: rows, ...(next === undefined ? {} : { next }) }
}

export type Notice = Pick<
  About,
  'agentName' | 'machineId' | 'sessionId' | 'tags' | 'externalIds' | 'subscriberIds'
> & {
  /** The page behind the message. */
  context?: object
  /** Opened with a tap. */
  url?: string
  iconUrl?: string
  imageUrl?: string
  server?: Server
}

/** How many devices a notification reached; nobody at all is no fault. */
export type Sent =
  | {
      status: 'sent'
      sent: number
      delivery?: Delivery
      warning?: string
      hint?: string
      /** Of the question that `context.askQuestion` asks, for `wait`. */
      id?: string
    }
  | { status: 'unreachable'; reason: string }

const NOTIFY_MS = 30_000

/** Tells people something, without waiting for anything. */
export async function notify(title: string, text: string, notice: Notice = {}): Promise<Sent> {
  const { server = {}, ...more } = notice
  const body = { title, body: text, ...more, ...envOf(server) }
  const what = { body, key: crypto.randomUUID(), tryUntil: Date.now() + NOTIFY_MS }
  const reply = await call(server, '/notifications', what)
  if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable }
  const { sent: count, delivery, warning, hint, linkedCorrelationId } = reply.body
  return {
    status: 'sent',
    sent: Number(count),
    ...(delivery ? { delivery: delivery as Delivery } : {}),
    ...(typeof warning === 'string' ? { warning } : {}),
    ...(typeof hint === 'string' ? { hint } : {}),
    ...(typeof linkedCorrelationId === 'string' ? { id: linkedCorrelationId } : {}),
  }
}

export type Proposal = Partial<Omit<Contract, 'doneWhen'>> &
  Pick<About, 'agentName' | 'machineId'> &
  WaitOptions & { sessionId: string }

/** Proposes a boundary for a session; the value is the contract as it was agreed. */
export async function proposeScope(
  doneWhen: string,
  { waitMs, signal, onProgress, server, ...scope }: Proposal,
): Promise<Outcome<Contract>> {
  const body = { doneWhen, ...scope }
  const proposal = { key: crypto.randomUUID(), isOwn: true, question: doneWhen }
  const how = { waitMs, signal, onProgress, server }
  const outcome = await put({ path: '/scopes', body, ...proposal }, how)
  return outcome as Outcome<Contract>
}
