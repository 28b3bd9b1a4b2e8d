import { wrongFields } from '../../platform/failure.ts'
import type { QuestionId } from '../../platform/ids.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import type { CallContext } from '../accounts/model/call.ts'
import { type Approval, type Decided, decideByRule } from '../policy/decide-by-rule.ts'
import type { OnTimeout } from '../policy/model/rule.ts'
import { answerByRule } from '../questions/answer-by-rule.ts'
import { type AskUserDeps, askAsRead } from '../questions/ask-user.ts'
import { findEarlier } from '../questions/find-earlier.ts'
import type { Question } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { readWidening } from '../questions/model/scope-facts.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { AskInput } from '../wire/ask-fields.ts'
import type { HookReply, HookReport } from '../wire/hook-fields.ts'
import type { AskUserResult } from '../wire/result-fields.ts'
import type { InForce } from './model/read-contract.ts'
import { exactPath, isOffLimits } from './model/widen.ts'

type Checked = Pick<HookReply, 'decision' | 'reason' | 'question' | 'onTimeout'>

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
  }
  const { earlier, decided } = await decidedBefore(deps, approval, inForce)
  if (decided) return { decision: decided.decision, reason: why(decided) }
  const how = { wait: input.wait !== false, timeoutMs: input.timeoutMs, earlier }
  const question = await askAsRead(deps, approval.asked, how, call)
  const closed = await stillClosed(deps, approval, question)
  return { ...closed, question, ...(await afterTimeout(deps, approval, question)) }
}

/** What a rule says if nobody answers: of the question that the call opened, or joined. */
async function afterTimeout({ db }: AskUserDeps, { asked }: Approval, told: AskUserResult) {
  const { status, correlationId } = told
  if (status !== 'pending' && status !== 'expired') return {}
  const question = await findQuestion(db.read, asked.workspaceId, correlationId as QuestionId)
  const { onTimeout } = question?.detail ?? {}
  if (!onTimeout) return {}
  const { decision, rule } = onTimeout
  return { onTimeout: { decision, reason: unansweredRule(decision, rule) } }
}

function unansweredRule(decision: OnTimeout, rule: string): string {
  if (decision === 'deny') return `The rule for ${rule} declines what nobody answers.`
  return `By the rule for ${rule} it is asked in the client.`
}

/** The question of a `check` or an `approval`. Throws `invalid_input` for missing fields. */
export function askOf(report: HookReport): AskInput {
  const { event, ask, sessionId, machineId, repoKey, agentName, timeoutMs } = report
  if (!ask) throw wrongFields([{ field: 'ask', must: `is required when event is ${event}` }])
  if (event === 'check' && ask.scopePath === undefined) {
    throw wrongFields([{ field: 'ask.scopePath', must: 'is required when event is check' }])
  }
  const named = omitUndefined({ sessionId, machineId, repoKey, agentName, timeoutMs })
  return { ...ask, ...named, pausedAware: true, byHook: true }
}

/**
 * What a rule decides, or (for a retry) decided before; otherwise the question that the retry
 * belongs to.
 */
async function decidedBefore(
  deps: AskUserDeps,
  approval: Approval,
  inForce: InForce | undefined,
): Promise<{ earlier?: Question | undefined; decided?: Decided | undefined }> {
  const earlier = await findEarlier(deps, approval.asked, inForce !== undefined)
  if (earlier) {
    const { byRule } = earlier.detail
    if (!byRule) return { earlier }
    return { decided: { decision: earlier.value === 'yes' ? 'allow' : 'deny', byRule } }
  }
  const decided = await decideByRule(deps, approval, inForce)
  if (!decided || (decided.decision === 'allow' && approval.personOnly)) return {}
  const kept = await answerByRule(deps, approval.asked, decided)
  // Another call with the same id was faster: its outcome counts.
  return kept ? { decided } : decidedBefore(deps, approval, inForce)
}

function why({ decision, byRule: { words } }: Decided): string {
  if (decision === 'allow') return `A rule allows ${words} without asking.`
  return `A rule declines ${words} without asking.`
}

/** A yes to a path that did not open it is not a yes to the tool call. */
async function stillClosed({ db }: AskUserDeps, { asked }: Approval, told: AskUserResult) {
  if (asked.detail.scopePath === undefined || told.value !== 'yes') return {}
  const question = await findQuestion(db.read, asked.workspaceId, told.correlationId as QuestionId)
  const widening = question && (await readWidening(db.read, question))
  if (!widening || 'added' in widening || !widening.refused.stays) return {}
  return { decision: 'deny', reason: widening.refused.why } as const
}

const offLimits = (path: string) =>
  `${path} is off limits in the agreed scope. Do not retry or work around it; propose a new scope with propose_scope if it is needed.`
