import { redactedLine } from '../../ask/wire/action-line.ts'
import { unansweredByRule } from '../../ask/wire/refusal-words.ts'
import type { AskUserResult, WaitResult } from '../../ask/wire/result-fields.ts'
import { isTestTraffic } from '../../ask/wire/test-traffic.ts'
import { cutText } from '../../platform/text.ts'
import { forShell, showCall } from '../calls/show-call.ts'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import {
  canHandOver,
  type HookContext,
  type Service,
  type SessionPlace,
} from '../session/context.ts'
import { findScope, type KeptScope, keepScope } from '../session/kept-scope.ts'
import {
  askHere,
  refusedBy,
  refusedByRule,
  stopped,
  tooMany,
  unanswered,
} from '../session/reasons.ts'
import { learn, whereOf } from '../session/refresh.ts'
import { callHook, type HookAsk, waitQuestion, withdraw } from '../session/server.ts'
import { callPlace } from './call-target.ts'
import type { Outside } from './judge-call.ts'
import { askThroughRestart, DECLINES, isUnanswered, nap } from './relay-ask.ts'
import { keyOf } from './relay-key.ts'

// A call that needs more places needs a scope.
const ASKED_MAX = 3
// Longer than a server takes to send a question, but short enough if there is no server.
const CHECK_MS = 5_000
const CHECK_HELD_MS = 1_000
const HELD_MAX_MS = 55_000
const WITHDRAW_MS = 1_000
const PATH_MAX = 200

type Scope = { place: SessionPlace; kept: KeptScope }

/** The outcome of one question. */
type Outcome =
  | { is: 'allowed'; exact: boolean }
  | { is: 'denied'; reason: string }
  /** `unanswered`: nobody answered while the hook waited, or nobody could be told. */
  | { is: 'open'; why: string; id?: string; unanswered?: boolean }

/** Asks a person about each place outside the boundary; the first no decides. */
export async function aboutOutside(
  context: HookContext,
  scope: Scope,
  places: Outside[],
): Promise<Verdict> {
  if (places.length > ASKED_MAX) {
    return deny(tooMany(places.map(({ path }) => path)))
  }
  for (const [at, place] of places.entries()) {
    const outcome = await askAbout(context, scope, place, at)
    if (outcome.is === 'denied') return deny(outcome.reason)
    if (outcome.is === 'open') return await handOver(context, place.path, outcome)
    if (outcome.exact) widen(scope.place, place.names)
    if (outcome.exact) context.agreed = true
  }
  return SILENT
}

async function askAbout(
  context: HookContext,
  { place, kept: scope }: Scope,
  outside: Outside,
  at: number,
): Promise<Outcome> {
  const { service, call } = context
  if (!service) return { is: 'open', why: 'this machine is not connected to a server' }
  if (service.url !== scope.serverUrl) {
    return {
      is: 'open',
      why: `the scope was agreed to on ${scope.serverUrl}, not on ${service.url}`,
    }
  }
  if (outside.path.length > PATH_MAX)
    return { is: 'open', why: 'its path is too long to ask about' }
  const ask = await scopeAsk(context, outside, at)
  const check = () =>
    callHook(
      service,
      call.client,
      {
        event: 'check',
        sessionId: place.sessionId,
        ...whereOf(context),
        contractEtag: scope.etag,
        ask,
        timeoutMs: CHECK_HELD_MS,
      },
      // It continues when the client ends the hook: only its reply names the question to withdraw.
      { ms: Math.min(CHECK_MS, context.left()) },
    )
  const reply = await patiently(context, () => askThroughRestart(context, () => true, check))
  if (!reply.ok) return { is: 'open', why: `the server at ${service.url}: ${reply.why}` }
  learn(context, place, reply.value)
  const { decision, reason, question } = reply.value
  if (decision === 'allow') return { is: 'allowed', exact: false }
  if (decision === 'deny') return { is: 'denied', reason: refusedByRule(outside.path, reason) }
  // It has ended in the meantime.
  if (reply.value.contract === null) return { is: 'allowed', exact: false }
  if (!question) return { is: 'open', why: 'the server asked nobody' }
  const outcome = await untilAnswered(context, service, outside.path, question)
  const { onTimeout } = reply.value
  if (outcome.is === 'open' && onTimeout?.staysOpen)
    return { is: 'denied', reason: onTimeout.reason }
  if (outcome.is !== 'open' || !outcome.unanswered || onTimeout?.decision !== 'deny') return outcome
  await withdraw(service, question.correlationId, { ms: WITHDRAW_MS }, DECLINES)
  return { is: 'denied', reason: unansweredByRule(onTimeout.reason) }
}

async function untilAnswered(
  context: HookContext,
  service: Service,
  path: string,
  question: AskUserResult,
): Promise<Outcome> {
  const id = question.correlationId
  let now: Now = question
  const idle = nobodyWillAnswer(context, question)
  if (idle && now.value === undefined) {
    return {
      is: 'open',
      why: idle,
      id,
      unanswered: question.paused === true || isUnanswered(context, question, now),
    }
  }
  while ((now.status ?? 'pending') === 'pending' && !context.signal.aborted) {
    const heldMs = Math.min(HELD_MAX_MS, Math.max(CHECK_HELD_MS, context.left()))
    const limits = { ms: Math.min(heldMs + CHECK_MS, context.left()), signal: context.signal }
    const reply = await waitQuestion(service, id, heldMs, limits)
    if (reply.ok) now = reply.value
    else if (!reply.passing) return { is: 'open', why: `the server: ${reply.why}`, id }
    // A server that closes ends calls early, and one that restarts is waited for.
    if (!reply.ok || reply.value.status === 'pending') await nap(context, context.signal)
  }
  const outcome = ended(now, path, id)
  return outcome.is === 'open'
    ? { ...outcome, unanswered: isUnanswered(context, question, now) }
    : outcome
}

type Now = Pick<WaitResult, 'value' | 'note' | 'env' | 'answerSource'> & {
  status?: string | undefined
}

function ended(now: Now, path: string, id: string): Outcome {
  const { status, value, note } = now
  if (isTestTraffic(now)) return { is: 'open', why: TEST_TRAFFIC, id }
  if (status === 'answered' && value === 'yes') return { is: 'allowed', exact: true }
  if (status === 'answered') return { is: 'denied', reason: refusedBy(path, note) }
  if (status === 'stopped') return { is: 'denied', reason: stopped() }
  if (status === 'terminal') return { is: 'open', why: 'the person decides it here', id }
  const why = status === 'cancelled' ? 'the question was withdrawn' : 'nobody answered in time'
  return { is: 'open', why, id }
}

const TEST_TRAFFIC = 'questions of this token reach nobody'

/** Why waiting is pointless; a pause counts only where the terminal can ask instead. */
function nobodyWillAnswer(
  { client, call }: HookContext,
  { noDevices, held, mode, paused }: AskUserResult,
): string | undefined {
  if (noDevices) return 'no device could be reached'
  if (held) return TEST_TRAFFIC
  if (mode) return 'questions are not sent out at present'
  if (paused && client.canAsk(call))
    return 'questions of this session are paused, as the last ones went unanswered'
  return undefined
}

/** Leaves the decision to the terminal where there is one; otherwise reports that it is still open. */
async function handOver(
  context: HookContext,
  path: string,
  { why, id }: { why: string; id?: string },
): Promise<Verdict> {
  const { service, signal, left } = context
  const asks = canHandOver(context)
  // Aborted from outside: the caller has gone, and the tool call with it.
  const wasAborted = signal.aborted && left() > 0
  // The terminal asks instead, so the question must not stay open on the phone too.
  if ((asks || wasAborted) && id && service) await withdraw(service, id, { ms: WITHDRAW_MS })
  if (!asks) return deny(unanswered(path, why))
  return { is: 'ask', reason: askHere(path, why) }
}

function widen(place: SessionPlace, names: string[]): void {
  const scope = findScope(place, Date.now())
  if (scope.is !== 'kept' || !scope.kept.contract) return
  keepScope(place, { ...scope.kept, widened: [...new Set([...scope.kept.widened, ...names])] })
}

/** Once more after a moment: the server may be starting. */
async function patiently<T extends { ok: boolean; passing?: boolean }>(
  context: HookContext,
  call: () => Promise<T>,
): Promise<T> {
  const first = await call()
  const isLate = context.signal.aborted || context.left() < 2 * CHECK_MS
  if (first.ok || !first.passing || isLate) return first
  await nap(context, context.signal)
  return await call()
}

function deny(reason: string): Verdict {
  return { is: 'deny', reason }
}

const TARGET_MAX = 80
const TOOL_PATH_MAX = 4096
const NAME_MAX = 100
const MODE_MAX = 64

/**
 * The question about one place outside the boundary. It shows the call in the words of the client's
 * own prompt, so that the server can use the answer for that prompt too if both read the same.
 */
async function scopeAsk(context: HookContext, outside: Outside, at: number): Promise<HookAsk> {
  const { call, left } = context
  const toolName = cutText(call.toolName ?? 'tool', NAME_MAX)
  const absolute = posix(outside.absolute)
  const { action, actionBody, toolSettings } = showCall(call, callPlace(call)?.name ?? outside.path)
  const ask: HookAsk = {
    question: `Allow a change to ${outside.path}? It is outside the scope you agreed to.`,
    toolName,
    toolTarget: cutText(
      call.command === undefined
        ? redactedLine(outside.path)
        : redactedLine(call.command, forShell(call.toolName)),
      TARGET_MAX,
    ),
    scopePath: outside.path,
    ...(action === undefined ? {} : { action }),
    ...(actionBody === undefined ? {} : { actionBody }),
    ...(toolSettings === undefined ? {} : { toolSettings }),
    localSurfaceAvailable: false,
    waitEndsAt: new Date(Date.now() + left()).toISOString(),
    ...(absolute.startsWith('/') && absolute.length <= TOOL_PATH_MAX ? { toolPath: absolute } : {}),
    ...(call.permissionMode && call.permissionMode.length <= MODE_MAX
      ? { permissionMode: call.permissionMode }
      : {}),
    ...keyOf(call, call.toolUseId, at === 0 ? undefined : at),
  }
  return ask
}

/** `C:\x` → `/c/x`. */
function posix(path: string): string {
  const drive = /^([A-Za-z]):[\\/]?/.exec(path)
  const own = drive ? `/${drive[1]?.toLowerCase()}/${path.slice(drive[0].length)}` : path
  return own.replaceAll('\\', '/')
}
