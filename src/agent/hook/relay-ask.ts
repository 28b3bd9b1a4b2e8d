import { setTimeout as pause } from 'node:timers/promises'
import type { AskUserResult, WaitResult } from '../../ask/wire/result-fields.ts'
import { type HookContext, type Service, sessionOf } from './context.ts'
import { whereOf } from './refresh.ts'
import { ANSWERED_HERE, markOpen } from './relay-open.ts'
import { keepPermit } from './report-outcome.ts'
import { callHook, type HookAsk, isTestTraffic, waitQuestion, withdraw } from './server.ts'
import { usePermit } from './use-permit.ts'

/** What came of asking on the phone. `nothing`: the client's own prompt decides. */
export type Told =
  | { is: 'answered'; value: string; note?: string | undefined; forSession: boolean }
  | { is: 'stopped' }
  /** Nobody answered, and a rule declines then. */
  | { is: 'unanswered'; reason: string }
  | { is: 'ruled'; decision: 'allow' | 'deny'; reason: string | undefined }
  | { is: 'nothing' }

const NOTHING_TOLD: Told = { is: 'nothing' }

// Short, so that its id is known to who has to withdraw it; the waiting comes after.
const ASK_HELD_MS = 1_000
const ASK_MS = 6_000
const HELD_MAX_MS = 55_000
const SLACK_MS = 5_000
const RETRY_MS = 1_000
// A server that is away for longer is not restarting, and a terminal may be locked meanwhile.
const AWAY_MS = 30_000
const WITHDRAW_MS = 1_500

type Now = Pick<WaitResult, 'value' | 'note' | 'forSession' | 'env' | 'answerSource'> & {
  status?: string | undefined
}

/**
 * Asks on the phone about the call of this hook, and waits until it is due. Whatever is wrong is
 * `nothing`; a question that nobody answered is withdrawn. A yes to an ask with an `actionHash` is
 * used up, so that it serves this call alone. `toolUseId` is the call's own.
 */
export async function askPhone(
  context: HookContext,
  ask: HookAsk,
  toolUseId: string | undefined,
): Promise<Told> {
  const { service, call } = context
  const place = sessionOf(context)
  if (!service || !place || context.left() <= ASK_HELD_MS) return NOTHING_TOLD
  const mark = markOpen(place, call, toolUseId)
  const said = await callHook(
    service,
    call.client,
    {
      event: 'approval',
      sessionId: place.sessionId,
      ...whereOf(context),
      ask: { ...ask, waitEndsAt: new Date(Date.now() + context.left()).toISOString() },
      timeoutMs: ASK_HELD_MS,
    },
    // Not ended with the hook: what is asked has to be known to be withdrawn.
    { ms: Math.min(ASK_MS, context.left()) },
  )
  const { decision, reason, question, onTimeout } = said.ok ? said.value : {}
  const id = question?.correlationId
  if (decision !== undefined || id === undefined) {
    mark.close()
    return decision === undefined ? NOTHING_TOLD : { is: 'ruled', decision, reason }
  }
  if (!mark.isAsked(id)) {
    await withdraw(service, id, { ms: WITHDRAW_MS }, ANSWERED_HERE)
    return NOTHING_TOLD
  }
  using terminal = watchTerminal(context.signal, mark.isOpen)
  const isAwaited = !question?.noDevices && !question?.held && !question?.mode
  const end = isAwaited
    ? await untilEnd(context, { service, id, signal: terminal.signal, ask }, question ?? {})
    : (question ?? {})
  const told = toldBy(end)
  const isOpen = mark.isOpen()
  mark.close()
  if (told.is === 'answered' && told.value === 'yes' && ask.actionHash !== undefined) {
    const permit = await usePermit(context, service, { id, actionHash: ask.actionHash })
    // Another call may have had this yes: the client's own prompt decides.
    if (permit === undefined) return NOTHING_TOLD
    keepPermit(place, call, permit)
    return told
  }
  if (told.is !== 'nothing') return told
  const isNo = isOpen && onTimeout?.decision === 'deny' && isUnanswered(context, question, end)
  if (isPending(end)) {
    const why = isNo ? DECLINES : whyWithdrawn(context, isOpen, terminal.signal)
    await withdraw(service, id, { ms: WITHDRAW_MS }, why)
  }
  return isNo ? { is: 'unanswered', reason: onTimeout.reason } : told
}

/** Why a question is withdrawn that a rule declines. */
export const DECLINES = 'Nobody answered in time; a rule declines it then.'

/**
 * Nobody answered, or could be told, as long as this hook waited. Not if it was withdrawn, decided
 * at the terminal, or the server was gone.
 */
export function isUnanswered(
  { left }: Pick<HookContext, 'left'>,
  asked: Pick<AskUserResult, 'noDevices' | 'held' | 'mode'> | undefined,
  end: Pick<WaitResult, 'env' | 'answerSource'> & { status?: string | undefined },
): boolean {
  if (asked?.held || asked?.mode || isTestTraffic(end)) return false
  if (end.status === 'expired') return true
  return isPending(end) && (asked?.noDevices === true || left() <= 0)
}

type Waited = { service: Service; id: string; signal: AbortSignal; ask: HookAsk }

/** Waits in calls of less than a minute; a server that restarts meanwhile is waited for. */
async function untilEnd(context: HookContext, of: Waited, first: Now): Promise<Now> {
  const { service, id, signal, ask } = of
  let now = first
  let seenAt = performance.now()
  // Whether a yes is for the session is told to who looks alone.
  let look = now.status === 'answered' && ask.sessionAllows !== undefined
  while ((look || isPending(now)) && context.left() > 0 && !signal.aborted) {
    const heldMs = Math.max(ASK_HELD_MS, Math.min(HELD_MAX_MS, context.left()))
    const ms = Math.min(heldMs + SLACK_MS, context.left())
    const said = await waitQuestion(service, id, heldMs, { ms, signal })
    if (said.ok) {
      now = said.value
      seenAt = performance.now()
      look = false
    } else if (!said.passing || performance.now() - seenAt > AWAY_MS) return now
    // A server that closes sends everybody home early.
    if (look || isPending(now)) {
      await pause(Math.min(RETRY_MS, context.left()), undefined, { signal }).catch(() => undefined)
    }
  }
  return now
}

function isPending({ status }: { status?: string | undefined }): boolean {
  return status === undefined || status === 'pending' || status === 'unavailable'
}

function toldBy(now: Now): Told {
  const { status, value, note, forSession = false } = now
  if (isTestTraffic(now)) return NOTHING_TOLD
  if (status === 'stopped') return { is: 'stopped' }
  if (status !== 'answered' || value === undefined) return NOTHING_TOLD
  return { is: 'answered', value, note, forSession }
}

function whyWithdrawn(context: HookContext, isOpen: boolean, terminal: AbortSignal): string {
  if (!isOpen) return ANSWERED_HERE
  if (context.left() <= 0) return 'Nobody answered in time; the terminal asks now.'
  if (context.signal.aborted) return ANSWERED_HERE
  return terminal.aborted ? 'The agent’s client has ended.' : 'It is asked at the terminal instead.'
}

// A person who answers at the terminal and one who looks at a phone are told soon enough.
const LOOK_MS = 500

// As it was when the hook began: the client may be gone before anybody is waited for.
const parent = process.ppid

/** Ends with the hook itself, with the client that started it, or once `isOpen` is false. */
function watchTerminal(
  ended: AbortSignal,
  isOpen: () => boolean,
): Disposable & { signal: AbortSignal } {
  const left = new AbortController()
  // Whoever loses its parent is given to another.
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isOpen()) left.abort()
  }, LOOK_MS)
  return {
    signal: AbortSignal.any([ended, left.signal]),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
