import { digestOf } from './canonical.ts'
import { type Outcome, outcomeOf, type Result } from './outcome.ts'
import { call, type Server } from './server.ts'

/** What goes with a question; each is shown to the person unless it says otherwise. */
export type About = {
  /** Background, shown above the question. */
  context?: string
  /** The operation that is about to happen, in one line. */
  action?: string
  /** The diff or the whole command, at most 4,000 characters. */
  actionBody?: string
  /** The one thing that holds the work up. */
  blocker?: string
  /** What the person asked the agent to do. */
  intent?: string
  agentName?: string
  machineId?: string
  sessionId?: string
  repoKey?: string
  toolName?: string
  toolTarget?: string
  /** Only people and devices with one of these. */
  tags?: readonly string[]
  externalIds?: readonly string[]
  subscriberIds?: readonly string[]
  /** Gets the answer as a signed post, too. */
  callbackUrl?: string
}

export type AskOptions = About & {
  /**
   * Names what is asked about, such as `deploy-42`: asked again under the same name, also by another
   * process, in the same words, it is the same question. Else each call asks anew.
   */
  subject?: string
  /** In place of `subject`: the whole name of the call, as the server gets it. */
  requestId?: string
  /** How long this call waits, in milliseconds; else until the question ends. */
  waitMs?: number
  signal?: AbortSignal
  server?: Server
}

/** The longest that the server holds one call. */
const HOLD_MS = 55_000
/** How long a question is open, unless the server says otherwise. */
const LIFE_MS = 10 * 60_000
// After its end the server still says what became of a question.
const GRACE_MS = 30_000

/** Asks a person, and waits for the decision. Throws `BeckonError` for a wrong field or token. */
export const ask = {
  /** A question that is answered yes or no. */
  confirm: (question: string, options: AskOptions = {}) =>
    put({ question, type: 'confirm' }, options) as Promise<Outcome<true>>,
  /** A choice of 2 to 6; the value is the chosen one. */
  choose: (question: string, choices: readonly string[], options: AskOptions = {}) =>
    put({ question, type: 'select', options: choices }, options) as Promise<Outcome<string>>,
  /** A question that is answered in words. */
  text: (question: string, options: AskOptions & { placeholder?: string } = {}) =>
    put({ question, type: 'input' }, options) as Promise<Outcome<string>>,
}

async function put(asked: object, options: AskOptions): Promise<Outcome<string | true>> {
  const { subject, requestId, waitMs = LIFE_MS, signal, server = {}, ...about } = options
  const words = { ...asked, ...about }
  const name = requestId ?? (await nameOf(subject, words))
  const until = Date.now() + waitMs
  const timeoutMs = Math.max(1_000, Math.min(HOLD_MS, waitMs))
  const body = { ...words, requestId: name, timeoutMs }
  const reply = await call(server, '/questions', {
    body,
    holdMs: timeoutMs,
    tryUntil: until,
    signal,
  })
  if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable }
  const outcome = outcomeOf(reply.body)
  const id = String(reply.body.correlationId)
  if (outcome?.status === 'no_devices' || outcome?.status === 'paused') {
    // Nobody was told: a late answer would reach nobody either.
    if (reply.body.handoffAction !== 'stop') await cancel(id, { server }).catch(() => {})
    return outcome
  }
  return outcome ?? (await follow(id, reply.body, until, { signal, server }))
}

async function nameOf(subject: string | undefined, words: object): Promise<string> {
  if (subject === undefined) return crypto.randomUUID()
  return `subject:${await digestOf({ subject, words })}`
}

export type WaitOptions = { waitMs?: number; signal?: AbortSignal; server?: Server }

/**
 * Waits for a question that was asked before, also by another process, until it ends. The value is
 * `true` for a yes, else the choice or the text.
 */
export async function wait(id: string, options: WaitOptions = {}): Promise<Outcome<string | true>> {
  const { waitMs = Number.POSITIVE_INFINITY, signal, server = {} } = options
  return await follow(id, {}, Date.now() + waitMs, { signal, server })
}

type Following = { signal: AbortSignal | undefined; server: Server }

async function follow(
  id: string,
  first: Result,
  until: number,
  { signal, server }: Following,
): Promise<Outcome<string | true>> {
  let open = endOf(first)
  for (;;) {
    const left = until - Date.now()
    if (left <= 0) return { status: 'waiting', id }
    const timeoutMs = Math.max(1_000, Math.min(HOLD_MS, left))
    const path = `/questions/${encodeURIComponent(id)}?timeoutMs=${timeoutMs}`
    const tryUntil = Math.min(until, open + GRACE_MS)
    const what = { method: 'GET', holdMs: timeoutMs, tryUntil, signal } as const
    const reply = await call(server, path, what)
    if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable, id }
    const outcome = outcomeOf({ correlationId: id, ...reply.body })
    if (outcome) return outcome
    open = endOf(reply.body)
  }
}

/** When an open question ends, by `Date.now()`. */
function endOf({ expiresInSeconds }: Result): number {
  const known = typeof expiresInSeconds === 'number' ? expiresInSeconds * 1_000 : LIFE_MS
  return Date.now() + known
}

/** Withdraws a question; `false` if something else ended it first. */
export async function cancel(
  id: string,
  { reason, server = {} }: { reason?: string; server?: Server } = {},
): Promise<boolean> {
  const body = reason === undefined ? {} : { reason }
  const path = `/questions/${encodeURIComponent(id)}/cancel`
  const reply = await call(server, path, { body, tryUntil: Date.now() + GRACE_MS })
  return !('unreachable' in reply) && reply.body.cancelled === true
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
  | { status: 'sent'; sent: number; warning?: string }
  | { status: 'unreachable'; reason: string }

/** Tells people something, without waiting for anything. */
export async function notify(title: string, text: string, notice: Notice = {}): Promise<Sent> {
  const { server = {}, ...more } = notice
  const body = { title, body: text, ...more }
  const reply = await call(server, '/notifications', { body, tryUntil: Date.now() + GRACE_MS })
  if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable }
  const { sent, warning } = reply.body
  const said = typeof warning === 'string' ? { warning } : {}
  return { status: 'sent', sent: Number(sent), ...said }
}

/** What a session may change. Paths are globs. */
export type Contract = {
  allowedPaths: string[]
  offLimitsPaths: string[]
  doneWhen: string
  promises?: string[]
}

export type Proposal = Partial<Omit<Contract, 'doneWhen'>> &
  Pick<About, 'agentName' | 'machineId'> &
  WaitOptions & { sessionId: string }

/** Proposes a boundary for a session; the value is the contract as it was agreed. */
export async function proposeScope(
  doneWhen: string,
  { waitMs = LIFE_MS, signal, server = {}, ...scope }: Proposal,
): Promise<Outcome<Contract>> {
  const until = Date.now() + waitMs
  const timeoutMs = Math.max(1_000, Math.min(HOLD_MS, waitMs))
  const body = { doneWhen, ...scope, timeoutMs }
  const what = { body, holdMs: timeoutMs, tryUntil: until, signal }
  const reply = await call(server, '/scopes', what)
  if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable }
  const { correlationId, contract, answered, ratified } = reply.body
  const id = String(correlationId)
  const agreed = contract as Contract
  const said = { id, question: doneWhen }
  if (answered === true) {
    return ratified === true
      ? { status: 'answered', value: agreed, ...said }
      : { status: 'declined', ...said }
  }
  const later =
    outcomeOf({ type: 'confirm', ...reply.body }) ??
    (await follow(id, reply.body, until, { signal, server }))
  if (later.status !== 'answered') return later
  // The paths may have been edited with the yes.
  const path = `/scopes/${encodeURIComponent(scope.sessionId)}`
  const held = await call(server, path, { method: 'GET', tryUntil: Date.now() + GRACE_MS, signal })
  if ('unreachable' in held) return { status: 'unreachable', reason: held.unreachable, id }
  return { ...later, value: (held.body.contract ?? held.body) as Contract }
}
