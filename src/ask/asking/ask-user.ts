import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import type { TaskHandle } from '../../platform/mcp/result.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { checkUrl } from '../callbacks/check-url.ts'
import { absolute, decidePath } from '../delivery/model/links.ts'
import { settled } from '../questions/end-question.ts'
import { differences, nameSome } from '../questions/model/key.ts'
import type { AskDraft, Question } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { outcomeFields, waitEndsAtOf } from '../questions/model/result.ts'
import { whyNotWidened } from '../questions/model/scope-facts.ts'
import { isUnseen } from '../questions/model/shown-whole.ts'
import { callStateAt, chatAloneWarning, nextStep } from '../waiting/next-step.ts'
import type { AskUserInput } from '../wire/ask-fields.ts'
import type { ProgramAskInput } from '../wire/program-fields.ts'
import type { QuestionStatus } from '../wire/question-fields.ts'
import type { AskUserResult } from '../wire/result-fields.ts'
import {
  type AskDeps,
  type AskOutcome,
  askAndWait,
  deliveryCountsNow,
  type How,
  wasRefused,
} from './ask-and-wait.ts'
import { followOutcome } from './follow-question.ts'
import type { Opened } from './open-question.ts'

export type AskUserDeps = AskDeps & {
  /** Tells early which addresses can never be called back. */
  outside: Pick<GuardedFetch, 'refusal'>
}

/**
 * Asks a person and waits for the answer as long as the call may (QS-WHAT-5). Throws
 * `invalid_input` for wrong fields, `unavailable` if nothing could be recorded.
 */
export async function askUser(
  deps: AskUserDeps,
  input: AskUserInput | ProgramAskInput,
  call: CallContext,
): Promise<AskUserResult> {
  const how = howOf(deps, input)
  return askAndWait(deps, readAsk(input, call.caller), how, call, tell)
}

/**
 * As `askUser`, but a call that ends without an answer goes on as a task if its caller follows. Not an
 * async function, whose promise would stay in memory with every held call: what `askUser` rejects
 * with may be thrown at once.
 */
export function askOrFollow(
  deps: AskUserDeps,
  input: AskUserInput,
  call: CallContext,
): Promise<AskUserResult | TaskHandle> {
  const how = howOf(deps, input)
  const draft = readAsk(input, call.caller)
  return askAndWait<AskUserResult | TaskHandle>(
    deps,
    draft,
    how,
    call,
    call.follows ? follow : tell,
  )
}

async function follow(
  deps: AskDeps,
  ended: AskOutcome,
  how: How,
): Promise<AskUserResult | TaskHandle> {
  const { handle, outcome } = await followOutcome(deps, ended)
  return handle ?? tell(deps, outcome, how)
}

/** As `askUser`, for input that was already read. */
export async function askAsRead(
  deps: AskDeps,
  draft: AskDraft,
  how: How,
  call: CallContext,
): Promise<AskUserResult> {
  return askAndWait(deps, draft, how, call, tell)
}

/** Throws `invalid_input` for a `callbackUrl` that can never be reached. */
function howOf(deps: AskUserDeps, { callbackUrl, wait, timeoutMs }: AskUserInput): How {
  checkUrl(deps.outside, 'callbackUrl', callbackUrl)
  return { wait: wait !== false, timeoutMs }
}

async function tell(deps: AskDeps, askOutcome: AskOutcome, how: How): Promise<AskUserResult> {
  const { wait } = how
  const now = deps.clock.now()
  const outcome = { ...askOutcome, question: await settled(deps, askOutcome.question, now) }
  const telling = { ...outcome, wait, now, baseUrl: deps.baseUrl }
  const { question } = outcome
  const refused =
    question.detail.scopePath === undefined
      ? undefined
      : await unlessUnavailable(whyNotWidened(deps.db.read, question))
  return askResult(telling, refused === 'unavailable' ? undefined : refused)
}

type Telling = AskOutcome & {
  /** The draft of this call; it differs from the question if an id was used twice. */
  asked: AskDraft
  /** False for `wait:false`, whose result has no answer fields before there is an answer. */
  wait: boolean
  now: number
  baseUrl: string
}

/**
 * The result of `ask_user`, written for a model that must decide what to do next. `refused`: why a
 * yes did not widen the scope.
 */
export function askResult(telling: Telling, refused?: string): AskUserResult {
  const { question, asked: draft, opened, unmatched, wait, now, baseUrl } = telling
  const callState = callStateAt(telling.callState, question, now)
  const other = otherContent(question, draft)
  const { answered, hint: outcomeHint, ...state } = stateOf(telling)
  // A yes to one question is never the answer to another.
  const reply = other === undefined ? state : { ...state, value: undefined, note: undefined }
  const { hint: nextHint, ...next } = nextStep(callState, question, {
    unmatched,
    refused: wasRefused(opened),
  })
  const warning = chatAlone(opened, reply.status)
  const open = reply.status === 'pending'
  const remark = refused ?? (open && isUnseen(question) ? NOT_APPROVED : together(question))
  const usual = [remark, outcomeHint, nextHint].filter(Boolean).join(' ')
  const hint = other ?? usual
  return {
    correlationId: question.id,
    question: question.question,
    type: question.type,
    ...omitUndefined(reply),
    ...(wait || answered ? { answered } : {}),
    ...(reply.status === 'pending'
      ? { answerUrl: absolute(baseUrl, decidePath(question.id)) }
      : {}),
    ...deliveryOf(opened, reply.status),
    deliveryMode: question.deliveryMode,
    policyTimeoutMs: question.policyWaitMs,
    waitEndsAt: waitEndsAtOf(question),
    ...next,
    ...(reply.status === 'pending' && isHeld(question, now) ? { suppressed: true } : {}),
    ...(warning ? { warning } : {}),
    ...(hint ? { hint } : {}),
  }
}

const NOT_APPROVED = 'Too long to approve, only to decline.'

/** The state of the question; nothing new if it cannot be read. */
function stateOf({ callState, question, now }: Telling) {
  if (callState !== 'unreadable') return outcomeFields(question, now)
  const { env } = outcomeFields(question, now)
  return {
    status: 'unavailable' as const,
    answered: false,
    hint: undefined,
    ...omitUndefined({ env }),
  }
}

/** The phones are silent now because a terminal is active. */
function isHeld({ detail: { phonesHeldUntil = 0 } }: Question, now: number): boolean {
  return now < phonesHeldUntil
}

/** Warns that the id of a call already belonged to another question. */
export function otherContent(question: Question, draft: AskDraft): string | undefined {
  const different = differences(question, draft)
  if (different.length === 0) return undefined
  return `An earlier question has this id, so this call was not asked (different: ${nameSome(different)}); its answer is left out. Ask under another id.`
}

function together({ detail, status }: Question): string | undefined {
  return detail.collapsed && status === 'pending'
    ? 'Sent together with others: ask less.'
    : undefined
}

/**
 * Explains why the counts are zero although somebody was notified; until the question has ended.
 */
export function chatAlone(opened: Opened, status: QuestionStatus): string | undefined {
  const isLive = status === 'pending' || status === 'notified'
  const counts = deliveryCountsNow(opened)
  return isLive && counts ? chatAloneWarning(counts) : undefined
}

/**
 * The counts as far as they are known, also of the earlier question that a call joined. Once a
 * question has ended, phones that were to ring later do not.
 */
export function deliveryOf(
  opened: Opened,
  status: QuestionStatus,
): Pick<AskUserResult, 'delivery'> {
  const isLive = status === 'pending' || status === 'notified'
  const counts = deliveryCountsNow(opened, isLive)
  if (!counts) return {}
  const { web, mobile, pending } = counts
  return { delivery: { web, mobile, ...(pending ? { pending: true } : {}) } }
}
