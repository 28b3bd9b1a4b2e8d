import { setTimeout as pause } from 'node:timers/promises'
import type { HookReply } from '../../ask/wire/hook-fields.ts'
import { unansweredByRule } from '../../ask/wire/refusal-words.ts'
import type { AskUserResult, WaitResult } from '../../ask/wire/result-fields.ts'
import { isTestTraffic } from '../../ask/wire/test-traffic.ts'
import { canHandOver, type HookContext, type Service, sessionOf } from '../session/context.ts'
import { whereOf } from '../session/refresh.ts'
import {
  callHook,
  type HookAsk,
  type ServerReply,
  waitQuestion,
  withdraw,
} from '../session/server.ts'
import { usePermit } from '../session/use-permit.ts'
import { ANSWERED_HERE, markOpen } from './relay-open.ts'
import { keepPermit } from './report-outcome.ts'

/** The result of asking on the phone. `nothing`: the client's own prompt decides. */
export type PhoneOutcome =
  | {
      is: 'answered'
      value: string
      note?: string | undefined
      forSession: boolean
      /** The people whom a rule names have agreed. */
      byVotes?: boolean
    }
  | { is: 'stopped' }
  /** A rule declined because nobody answered. `waits`: certain people still decide it. */
  | { is: 'unanswered'; reason: string; waits?: boolean | undefined }
  | {
      is: 'ruled'
      decision: 'allow' | 'deny'
      reason: string | undefined
      programs: HookReply['programs'] | undefined
    }
  /** No rule is about the call, and its client has not asked. */
  | { is: 'no_rule' }
  | { is: 'nothing' }

const NOTHING_TOLD: PhoneOutcome = { is: 'nothing' }

// This call is short, so that the id is known to the process that may have to withdraw the
// question; the wait comes after it.
const ASK_HELD_MS = 1_000
const ASK_MS = 6_000
const HELD_MAX_MS = 55_000
const SLACK_MS = 5_000
const RETRY_MS = 1_000
// A server that is away for longer is not restarting, and a terminal may be blocked meanwhile.
const AWAY_MS = 30_000
const WITHDRAW_MS = 1_500

type Now = Pick<WaitResult, 'value' | 'note' | 'forSession' | 'env' | 'answerSource' | 'hint'> & {
  status?: string | undefined
}

/**
 * Asks on the phone about the call of this hook, and waits until the decision is due. Any problem
 * gives `nothing`; a question that nobody answered is withdrawn. A yes to an ask with an
 * `actionHash` is used up, so that it serves this call alone. `toolUseId` is the call's own.
 */
export async function askPhone(
  context: HookContext,
  ask: HookAsk,
  toolUseId: string | undefined,
): Promise<PhoneOutcome> {
  const { service, call } = context
  const place = sessionOf(context)
  if (!service || !place || context.left() <= ASK_HELD_MS) return NOTHING_TOLD
  const mark = markOpen(place, call, toolUseId)
  const request = { ...ask, waitEndsAt: new Date(Date.now() + context.left()).toISOString() }
  const reply = await askThroughRestart(context, mark.isOpen, () =>
    callHook(
      service,
      call.client,
      {
        event: 'approval',
        sessionId: place.sessionId,
        ...whereOf(context),
        ask: request,
        timeoutMs: ASK_HELD_MS,
      },
      // This does not end with the hook, because only a question whose id is known can be withdrawn.
      { ms: Math.min(ASK_MS, context.left()) },
    ),
  )
  const { decision, reason, programs, question, onTimeout, noRule } = reply.ok ? reply.value : {}
  const id = question?.correlationId
  // Then the terminal decides nothing, whatever happens here.
  const waits =
    onTimeout?.staysOpen && ({ is: 'unanswered', reason: onTimeout.reason, waits: true } as const)
  if (decision !== undefined || id === undefined) {
    mark.close()
    if (noRule) return { is: 'no_rule' }
    return decision === undefined ? NOTHING_TOLD : { is: 'ruled', decision, reason, programs }
  }
  if (!mark.isAsked(id)) {
    if (waits) return waits
    await withdraw(service, id, { ms: WITHDRAW_MS }, ANSWERED_HERE)
    return NOTHING_TOLD
  }
  using terminal = watchTerminal(context.signal, mark.isOpen)
  const isAwaited = !question?.noDevices && !question?.held && !question?.mode
  const end = isAwaited
    ? await untilEnd(context, { service, id, signal: terminal.signal, ask }, question ?? {})
    : (question ?? {})
  const answer = outcomeOf(end)
  const isOpen = mark.isOpen()
  mark.close()
  if (answer.is === 'answered' && answer.value === 'yes' && ask.actionHash !== undefined) {
    const permit = await usePermit(context, service, { id, actionHash: ask.actionHash })
    // Another call may have used this yes, so the client's own prompt decides.
    if (permit === undefined) return waits ? { ...waits, reason: UNUSED } : NOTHING_TOLD
    keepPermit(place, call, permit)
    return waits ? { ...answer, byVotes: true } : answer
  }
  if (answer.is !== 'nothing') return answer
  if (waits) return isPending(end) || !end.hint ? waits : { ...waits, reason: end.hint }
  const isNo = isOpen && onTimeout?.decision === 'deny' && isUnanswered(context, question, end)
  if (isPending(end)) {
    const why = isNo ? DECLINES : whyWithdrawn(context, isOpen, terminal.signal)
    await withdraw(service, id, { ms: WITHDRAW_MS }, why)
  }
  return isNo ? { is: 'unanswered', reason: onTimeout.reason } : answer
}

const UNUSED =
  'It was approved, but that could not be used for this call: another call has used it, or it does not count any more. Run it again to ask anew.'

/** Words for the model that nobody has decided. */
export function unansweredWords({
  reason,
  waits,
}: Extract<PhoneOutcome, { is: 'unanswered' }>): string {
  return waits ? reason : unansweredByRule(reason)
}

/**
 * If the connection breaks during `ask`, the server may have stored the question, which would stay
 * open on the phone with nobody waiting: `ask` is repeated until the server is back. A server that
 * could not be reached in the first place is not waited for.
 */
export async function askThroughRestart<T>(
  context: HookContext,
  isOpen: () => boolean,
  ask: () => Promise<ServerReply<T>>,
): Promise<ServerReply<T>> {
  let reply = await ask()
  if (reply.ok || !reply.cutOff) return reply
  const until = performance.now() + AWAY_MS
  while (!reply.ok && reply.passing && performance.now() < until) {
    await nap(context, context.signal)
    if (context.signal.aborted || !isOpen() || context.left() <= ASK_HELD_MS) return reply
    reply = await ask()
  }
  return reply
}

/** Pauses before a retry, until `signal` aborts at most. */
export async function nap({ left }: HookContext, signal: AbortSignal): Promise<void> {
  await pause(Math.min(RETRY_MS, left()), undefined, { signal }).catch(() => undefined)
}

/** The reason given for withdrawing a question that a rule declines. */
export const DECLINES = 'Nobody answered in time; a rule declines it then.'

/**
 * True if nobody answered while this hook waited, or nobody could be told. Not if it was withdrawn,
 * decided at the terminal, or the server was gone.
 */
export function isUnanswered(
  { left }: Pick<HookContext, 'left'>,
  question: Pick<AskUserResult, 'noDevices' | 'held' | 'mode'> | undefined,
  end: Pick<WaitResult, 'env' | 'answerSource'> & { status?: string | undefined },
): boolean {
  if (question?.held || question?.mode || isTestTraffic(end)) return false
  if (end.status === 'expired') return true
  return isPending(end) && (question?.noDevices === true || left() <= 0)
}

type Waited = { service: Service; id: string; signal: AbortSignal; ask: HookAsk }

/** Waits in calls of less than a minute, also for a server that restarts meanwhile. */
async function untilEnd(context: HookContext, of: Waited, first: Now): Promise<Now> {
  const { service, id, signal, ask } = of
  let now = first
  let seenAt = performance.now()
  // Only a separate look says whether a yes is for the session.
  let look = now.status === 'answered' && ask.sessionAllows !== undefined
  while ((look || isPending(now)) && context.left() > 0 && !signal.aborted) {
    const heldMs = Math.max(ASK_HELD_MS, Math.min(HELD_MAX_MS, context.left()))
    const ms = Math.min(heldMs + SLACK_MS, context.left())
    const reply = await waitQuestion(service, id, heldMs, { ms, signal })
    if (reply.ok) {
      now = reply.value
      seenAt = performance.now()
      look = false
    } else if (!reply.passing || performance.now() - seenAt > AWAY_MS) return now
    // A server that closes ends calls early.
    if (look || isPending(now)) await nap(context, signal)
  }
  return now
}

function isPending({ status }: { status?: string | undefined }): boolean {
  return status === undefined || status === 'pending' || status === 'unavailable'
}

function outcomeOf(now: Now): PhoneOutcome {
  const { status, value, note, forSession = false } = now
  if (isTestTraffic(now)) return NOTHING_TOLD
  if (status === 'stopped') return { is: 'stopped' }
  if (status !== 'answered' || value === undefined) return NOTHING_TOLD
  return { is: 'answered', value, note, forSession }
}

function whyWithdrawn(context: HookContext, isOpen: boolean, terminal: AbortSignal): string {
  if (!isOpen) return ANSWERED_HERE
  if (context.left() <= 0) {
    // A permission prompt is shown whatever the hook says.
    const asks = context.call.event !== 'before_tool' || canHandOver(context)
    return `Nobody answered in time; ${asks ? 'the terminal asks now' : 'it does not run'}.`
  }
  if (context.signal.aborted) return ANSWERED_HERE
  return terminal.aborted ? 'The agent’s client has ended.' : 'It is asked at the terminal instead.'
}

// Often enough for a person who answers at the terminal while the phone shows the question.
const LOOK_MS = 500

// Read when the hook begins, because the client may be gone before the wait starts.
const parent = process.ppid

/** Aborts with the hook itself, with the client that started it, or once `isOpen` is false. */
function watchTerminal(
  ended: AbortSignal,
  isOpen: () => boolean,
): Disposable & { signal: AbortSignal } {
  const leaving = new AbortController()
  // A process whose parent ends gets another parent.
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isOpen()) leaving.abort()
  }, LOOK_MS)
  return {
    signal: AbortSignal.any([ended, leaving.signal]),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
