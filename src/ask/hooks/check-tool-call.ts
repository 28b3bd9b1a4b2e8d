import { wrongFields } from '../../platform/failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { answerByGrant, answerByRule } from '../answering/answer-by-rule.ts'
import { type AskUserDeps, askAsRead } from '../asking/ask-user.ts'
import { type Decidable, findDecidable, findEarlier } from '../asking/find-earlier.ts'
import { grantedCalls, whyNoGrant } from '../grants/model/grant.ts'
import { findGrant, isTakenBack } from '../grants/model/store.ts'
import {
  type Approval,
  asksAlways,
  type Decided,
  decideByRule,
  isRuled,
  mayGoUnasked,
  needsDeciders,
  readRequirement,
} from '../policy/decide-by-rule.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { AskDraft, ByRule, Question } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { withPrograms } from '../questions/model/reading.ts'
import { readWidening } from '../questions/model/scope-facts.ts'
import { findQuestion } from '../questions/model/store.ts'
import { hookVoteReason } from '../questions/model/vote-hint.ts'
import type { InForce } from '../scopes/model/store.ts'
import { exactPath, isOffLimits } from '../scopes/model/widen.ts'
import type { AskInput } from '../wire/ask-fields.ts'
import type { OnTimeout } from '../wire/delivery-mode.ts'
import type { HookReply, HookReport } from '../wire/hook-fields.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { AskUserResult } from '../wire/result-fields.ts'

type Checked = Pick<
  HookReply,
  'decision' | 'reason' | 'programs' | 'question' | 'onTimeout' | 'noRule'
>

/**
 * Handles a hook's request about a tool call: decided here if nobody need be asked (off limits, a
 * rule), otherwise by a person, as `ask_user` with the id of the call.
 */
export async function checkToolCall(
  deps: AskUserDeps,
  report: HookReport,
  inForce: InForce | undefined,
  call: CallContext,
): Promise<Checked> {
  const input = askOf(report)
  const path = input.scopePath === undefined ? undefined : exactPath(input.scopePath)
  if (path !== undefined && inForce && isOffLimits(inForce.contract, path)) {
    return { decision: 'deny', reason: offLimits(path) }
  }
  const approval = {
    input,
    asked: readAsk(input, call.caller),
    cwd: report.cwd,
    personOnly: report.ask?.personOnly,
    onlyByRule: report.ask?.onlyByRule,
  }
  return await decideOrAsk(deps, approval, inForce, call)
}

/** The question that a call repeats, or the one that is to be opened. */
type Rejoin = (draft: AskDraft) => Promise<{ asked: AskDraft; earlier?: Question | undefined }>

/**
 * Decides an approval by rules and grants, or asks a person. `rejoin` finds the question to which a
 * call belongs that a person decides, where its id does not say so.
 */
export async function decideOrAsk(
  deps: AskUserDeps,
  read: Approval,
  inForce: InForce | undefined,
  call: CallContext,
  rejoin?: Rejoin,
): Promise<Checked> {
  const { input } = read
  if (read.onlyByRule && !(await isRuled(deps, read.asked))) return { noRule: true }
  const approval = { ...read, asked: await asWorkspaceReads(deps, read.asked) }
  const { earlier, gone, decided } = await decidedBefore(deps, approval, inForce)
  const { programs } = approval.asked.detail
  if (decided) return { ...decided, ...(programs?.length ? { programs } : {}) }
  const before = rejoin ? await rejoin(approval.asked) : { asked: approval.asked, earlier }
  const how = { wait: input.wait !== false, timeoutMs: input.timeoutMs, earlier: before.earlier }
  const question = await askAsRead(deps, before.asked, how, call)
  const closed = await stillClosed(deps, approval, question)
  return { ...closed, question, ...(await afterTimeout(deps, approval, question, gone)) }
}

// A yes may have been used before.
const ENDS_WITHOUT_A_PERSON: ReadonlySet<AskUserResult['status']> = new Set([
  ...(['pending', 'expired', 'answered', 'cancelled'] as const),
])

/**
 * Returns the decision of a rule for the case that nobody answers: of the question that the call
 * opened, or joined. `gone`: why it is asked although it was approved.
 */
async function afterTimeout(
  deps: AskUserDeps,
  { asked: draft }: Approval,
  result: AskUserResult,
  gone: string | undefined,
) {
  const { status, correlationId } = result
  if (!ENDS_WITHOUT_A_PERSON.has(status)) return {}
  const question = await findQuestion(deps.db.read, draft.workspaceId, correlationId as QuestionId)
  const { onTimeout } = question?.detail ?? {}
  if (question?.requirement) {
    const now = deps.clock.now()
    const waits = hookVoteReason(question, statusAt(question, now), now)
    const reason = gone === undefined ? waits : `${gone}, so it is asked again. ${waits}`
    return { onTimeout: { decision: 'deny' as const, reason, staysOpen: true as const } }
  }
  if (!onTimeout || status === 'answered' || status === 'cancelled') return {}
  const { decision, rule } = onTimeout
  return { onTimeout: { decision, reason: unansweredRule(decision, rule) } }
}

function unansweredRule(decision: OnTimeout, rule: string): string {
  if (decision === 'deny') return `The rule for ${rule} declines what nobody answers.`
  return `By the rule for ${rule} it is asked in the client.`
}

/**
 * The question as the workspace reads it: with the programs it knows. A call that a rule asks about
 * every time is never granted for longer.
 */
async function asWorkspaceReads(deps: AskUserDeps, read: AskDraft): Promise<AskDraft> {
  const { policy } = await deps.policies.of(read.workspaceId)
  const draft = withPrograms(read, policy.programs)
  const { exact } = draft.detail
  if (!exact || !(await asksAlways(deps, draft))) return draft
  return { ...draft, detail: { ...draft.detail, exact: { ...exact, arguments: 'always_asked' } } }
}

/** The question of a `check` or an `approval`. Throws `invalid_input` for missing fields. */
export function askOf(report: HookReport): AskInput {
  const { event, ask, sessionId, machineId, repoKey, agentName, timeoutMs, cwd } = report
  if (!ask) throw wrongFields([{ field: 'ask', must: `is required when event is ${event}` }])
  if (event === 'check' && ask.scopePath === undefined) {
    throw wrongFields([{ field: 'ask.scopePath', must: 'is required when event is check' }])
  }
  const routing = omitUndefined({ sessionId, machineId, repoKey, agentName, timeoutMs })
  const where = ask.exact && cwd !== undefined ? { cwd } : {}
  return { ...ask, ...routing, ...where, pausedAware: true, byHook: true }
}

/** A decision without asking, or the question that a retry belongs to. */
type Before = Decidable & {
  decided?: { decision: 'allow' | 'deny'; reason: string }
}

function allowed(decided: Decided): NonNullable<Before['decided']> {
  return { decision: decided.decision, reason: why(decided) }
}

/**
 * Returns the decision of a rule or a grant, or (for a retry) the earlier one; otherwise the
 * question that the retry belongs to.
 */
async function decidedBefore(
  deps: AskUserDeps,
  approval: Approval,
  inForce: InForce | undefined,
): Promise<Before> {
  const earlier = await findEarlier(deps, approval.asked, inForce !== undefined)
  if (earlier && (await standsForCall(deps, approval, earlier))) {
    const { byRule, byGrant } = earlier.detail
    if (byGrant && !(await isTakenBack(deps.db.read, earlier))) {
      return { decided: { decision: 'allow', reason: allows(byGrant) } }
    }
    if (!byRule) return { earlier }
    const decision = earlier.value === 'yes' ? 'allow' : 'deny'
    return { decided: allowed({ decision, byRule }) }
  }
  const decided = await decideByRule(deps, approval, inForce)
  const wanted = decided ? undefined : await readRequirement(deps, approval.asked)
  if (wanted) return findDecidable(deps, approval.asked, wanted)
  if (!decided) return byGrant(deps, approval, inForce)
  const outcome = await answerByRule(deps, approval.asked, decided)
  // Another call with the same id was faster: its outcome counts.
  return outcome === 'stored'
    ? { decided: allowed(decided) }
    : decidedBefore(deps, approval, inForce)
}

/** One person's yes to a path outside the scope is none of the people whom a rule names. */
async function standsForCall(deps: AskUserDeps, { asked: draft }: Approval, earlier: Question) {
  const isOfPath = earlier.detail.scopePath !== undefined && draft.detail.scopePath === undefined
  return !isOfPath || earlier.requirement || !(await needsDeciders(deps, draft))
}

/** A person said yes to exactly this call for a while, or to all that begin so. */
async function byGrant(
  deps: AskUserDeps,
  approval: Approval,
  inForce: InForce | undefined,
): Promise<Before> {
  const { asked: draft } = approval
  const calls = grantedCalls(draft)
  if (calls.length === 0 || whyNoGrant(draft) || !mayGoUnasked(approval, inForce)) return {}
  const grant = await findGrant(deps.db.read, calls, draft.createdAt)
  if (!grant) return {}
  const used = await answerByGrant(deps, draft, grant)
  if (used.is === 'stored') return { decided: { decision: 'allow', reason: allows(used.byGrant) } }
  if (used.is === 'known') return decidedBefore(deps, approval, inForce)
  // It was taken back just now; another may hold.
  return byGrant(deps, approval, inForce)
}

function allows({ words }: ByRule): string {
  return `${words} allows this call.`
}

function why({ decision, byRule: { words } }: Decided): string {
  if (decision === 'allow') return `A rule allows ${words} without asking.`
  return `A rule declines ${words} without asking.`
}

/** A yes to a path that did not open it is not a yes to the tool call. */
async function stillClosed({ db }: AskUserDeps, { asked: draft }: Approval, result: AskUserResult) {
  if (draft.detail.scopePath === undefined || result.value !== 'yes') return {}
  const question = await findQuestion(
    db.read,
    draft.workspaceId,
    result.correlationId as QuestionId,
  )
  const widening = question && (await readWidening(db.read, question))
  if (!widening || 'added' in widening || !widening.refused.stays) return {}
  return { decision: 'deny', reason: widening.refused.why } as const
}

const offLimits = (path: string) =>
  `${path} is off limits in the agreed scope. Do not retry or work around it; propose a new scope with propose_scope if it is needed.`
