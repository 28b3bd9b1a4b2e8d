import { digestOf } from './canonical.ts'
import type { FormSchema } from './form.ts'
import { factsOf, handleOf, type Outcome, outcomeOf, type Result, type Value } from './outcome.ts'
import { type Progress, watch } from './progress.ts'
import { call, type Server, sleep } from './server.ts'

/** Details of a question; each is shown to the person unless it says otherwise. */
export type About = {
  /** Background, shown above the question. */
  context?: string
  /** The operation that is about to happen, in one line. */
  action?: string
  /** The diff or the whole command, at most 4,000 characters. */
  actionBody?: string
  /** The one thing that holds the work up. */
  blocker?: string
  /** The person's request that the agent works on. */
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

export type WaitOptions = {
  /** How long this call waits, in milliseconds; else until the question ends. */
  waitMs?: number
  /**
   * Ends the call with what it was aborted with. A question that this call asked, without a `subject`
   * or `requestId` of its caller, is withdrawn: nobody waits for it any more.
   */
  signal?: AbortSignal
  /** Gets how far the question is: asked, how many devices it rang, and that it was shown. */
  onProgress?: (progress: Progress) => void
  server?: Server
}

type Waiting = { [Name in keyof WaitOptions]: WaitOptions[Name] | undefined }

/** A question or a proposal, as it is sent. */
type QuestionRequest = {
  path: '/questions' | '/scopes'
  /** The text for the person, unless the server says it in other words. */
  question: string
  body: object
  /** Of an answer that is JSON, where the body does not say. */
  schema?: FormSchema | undefined
  /** The name of a call whose body has none. */
  key?: string
  /**
   * True if no other call waits for the question, so that it is withdrawn when its caller gives up.
   */
  isOwn: boolean
}

/** The longest that the server holds one call: a server that is gone is noticed soon after. */
const HOLD_MS = 20_000
/** How long a question is open, unless the server says otherwise. */
const LIFE_MS = 10 * 60_000
// After its end the server still says what became of a question.
const GRACE_MS = 30_000
// A call that may wait almost to the end of the question waits for its end.
const NEAR_MS = 5_000
const QUICK_MS = 1_000
/** How long the first call is held that somebody follows; later ones are held longer. */
const PROGRESS_MS = 2_000
const PAUSE_MS = 50
const PAUSE_MAX_MS = 5_000

/** Asks, waits, and withdraws what nobody waits for. */
export async function put(
  request: QuestionRequest,
  { waitMs = Number.POSITIVE_INFINITY, signal, onProgress, server = {} }: Waiting,
): Promise<Outcome<Value>> {
  signal?.throwIfAborted()
  const until = Date.now() + waitMs
  let id: string | undefined
  try {
    // Who follows it wants its id at once.
    const timeoutMs = onProgress ? QUICK_MS : holdOf(waitMs)
    const reply = await call(server, request.path, {
      body: { ...request.body, timeoutMs },
      key: request.key,
      holdMs: timeoutMs,
      tryUntil: Math.min(until, Date.now() + LIFE_MS),
      signal,
    })
    if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable }
    const { question, schema } = request
    const first = { type: 'confirm', question, schema, ...request.body, ...reply.body }
    id = String(reply.body.correlationId)
    const outcome = outcomeOf(first)
    if (outcome?.status === 'no_devices' || outcome?.status === 'paused') {
      // Nobody was told: a late answer would reach nobody either.
      const { handoffAction, nextAction } = reply.body
      if (handoffAction !== 'stop' && (handoffAction ?? nextAction))
        await withdraw(request, id, server)
      return outcome
    }
    return outcome ?? (await follow(id, first, until, { signal, onProgress, server }))
  } catch (error) {
    if (signal?.aborted && request.isOwn) void withdraw(request, id, server)
    throw error
  }
}

/** Withdraws a question, by its name if its id was not learned. Never throws. */
async function withdraw(
  request: QuestionRequest,
  id: string | undefined,
  server: Server,
): Promise<void> {
  try {
    let correlationId = id
    if (correlationId === undefined) {
      const body = { ...request.body, timeoutMs: QUICK_MS }
      const what = { body, key: request.key, holdMs: QUICK_MS, tryUntil: Date.now() + GRACE_MS }
      const reply = await call(server, request.path, what)
      if ('unreachable' in reply) return
      correlationId = String(reply.body.correlationId)
    }
    await cancel(correlationId, { server, reason: 'Nobody waits for it.' })
  } catch {
    // It expires by itself.
  }
}

/** The name of a question: with a `subject` the same in every process, else another each time. */
export async function nameOf(subject: string | undefined, words: object): Promise<string> {
  if (subject === undefined) return crypto.randomUUID()
  return `subject:${await digestOf({ subject, words })}`
}

/** The field of a question that shall live for hours. */
export function lifeOf(lifeMs: number | undefined): { lifeMs?: number } {
  return lifeMs === undefined ? {} : { lifeMs }
}

type Following = {
  signal: AbortSignal | undefined
  onProgress: WaitOptions['onProgress'] | undefined
  server: Server
}

/** Waits until a question has ended; `first` is what the server said of it. */
export async function follow(
  id: string,
  first: Result,
  until: number,
  { signal, onProgress, server }: Following,
): Promise<Outcome<Value>> {
  let ends = endOf(first)
  let pause = PAUSE_MS
  const progress = onProgress && watch(id, first, onProgress, { signal, server })
  let holdMaxMs = progress ? PROGRESS_MS : HOLD_MS
  for (;;) {
    const last = ends <= until + NEAR_MS ? ends + GRACE_MS : until
    const remainingMs = last - Date.now()
    if (remainingMs <= 0) {
      return { status: 'waiting', id, handle: handleOf(id, first), ...factsOf(first) }
    }
    await progress?.()
    const timeoutMs = holdOf(Math.min(remainingMs, holdMaxMs))
    holdMaxMs *= 2
    const path = `/questions/${encodeURIComponent(id)}?timeoutMs=${timeoutMs}`
    const began = Date.now()
    const patience = ends - began > LIFE_MS ? { awayMs: LIFE_MS } : {}
    const held = { method: 'GET', holdMs: timeoutMs, tryUntil: last, signal } as const
    const what = { ...held, ...patience }
    const reply = await call(server, path, what)
    if ('unreachable' in reply) return { status: 'unreachable', reason: reply.unreachable, id }
    const { delivery, schema } = first
    const outcome = outcomeOf({ delivery, ...reply.body, schema, correlationId: id })
    if (outcome) return outcome
    ends = endOf(reply.body)
    // A server that does not hold the call is not asked in a circle.
    pause = Date.now() - began < QUICK_MS ? Math.min(pause * 2, PAUSE_MAX_MS) : PAUSE_MS
    if (pause > PAUSE_MS) await sleep(Math.min(pause, remainingMs), signal)
  }
}

function holdOf(leftMs: number): number {
  return Math.max(1_000, Math.min(HOLD_MS, Math.ceil(leftMs)))
}

/** When an open question ends, by `Date.now()`. */
function endOf({ expiresInSeconds }: Result): number {
  const lifetimeMs = typeof expiresInSeconds === 'number' ? expiresInSeconds * 1_000 : LIFE_MS
  return Date.now() + lifetimeMs
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
