import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import { cutText } from '../../platform/text.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { type AskDeps, type AskOutcome, askAndWait, wasRefused } from '../asking/ask-and-wait.ts'
import { chatAlone, deliveryOf, otherContent } from '../asking/ask-user.ts'
import { absolute, decidePath } from '../delivery/model/links.ts'
import { settled } from '../questions/end-question.ts'
import { keyOfCall } from '../questions/model/key.ts'
import type { AskDraft } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { outcomeFields, waitResultWithout } from '../questions/model/result.ts'
import { readScopeFacts, type ScopeFacts } from '../questions/model/scope-facts.ts'
import { scopeResult } from '../questions/model/scope-result.ts'
import { readProposedContract } from '../scopes/model/read-scope.ts'
import { callStateAt, nextStep } from '../waiting/next-step.ts'
import { QUESTION_MAX } from '../wire/question-fields.ts'
import type { ProposeScopeResult } from '../wire/result-fields.ts'
import type { ProposeScopeInput } from '../wire/scope-fields.ts'

/**
 * Asks a person to agree to a scope and waits for the decision (QS-WHAT-6). Throws `invalid_input`
 * for wrong fields, `unavailable` if nothing could be recorded.
 */
export async function proposeScope(
  deps: AskDeps,
  input: ProposeScopeInput,
  call: CallContext,
): Promise<ProposeScopeResult> {
  const how = { wait: true, timeoutMs: input.timeoutMs }
  return askAndWait(deps, readProposal(input, call), how, call, tell)
}

async function tell(deps: AskDeps, askOutcome: AskOutcome): Promise<ProposeScopeResult> {
  const now = deps.clock.now()
  const outcome = { ...askOutcome, question: await settled(deps, askOutcome.question, now) }
  const { question, callState: situation } = outcome
  const facts = await unlessUnavailable(readScopeFacts(deps.db.read, question, now))
  if (situation === 'unreadable' || facts === 'unavailable') {
    return waitResultWithout(question.id, 'unavailable')
  }
  const current = { ...outcome, situation: callStateAt(situation, question, now) }
  return resultOf(current, facts, now, deps.baseUrl)
}

function readProposal(input: ProposeScopeInput, { caller, id }: CallContext): AskDraft {
  const { agentName, machineId, sessionId, timeoutMs } = input
  const contract = readProposedContract(input)
  const question = cutText(`Agree to this scope? Done when: ${contract.doneWhen}`, QUESTION_MAX)
  const ask = {
    question,
    sessionId,
    ...(agentName === undefined ? {} : { agentName }),
    ...(machineId === undefined ? {} : { machineId }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
  const draft = readAsk(ask, caller)
  const proposal: AskDraft = { ...draft, origin: 'scope', detail: { contract } }
  // The input has no field for it; a retry is recognised by the client's id of its call.
  return id === undefined
    ? proposal
    : { ...proposal, key: keyOfCall(proposal, { kind: 'scope', id, by: 'model' }) }
}

function resultOf(
  outcome: AskOutcome,
  facts: ScopeFacts | undefined,
  now: number,
  baseUrl: string,
): ProposeScopeResult {
  const { question, opened, asked: draft, callState: situation } = outcome
  const { value, answerSource, handoffAction, ...fields } = outcomeFields(question, now)
  if (situation === 'not_asked') {
    const { correlationId, status, env } = { correlationId: question.id, ...fields }
    const hint = otherContent(question, draft)
    return omitUndefined({
      correlationId,
      answered: false,
      status,
      env,
      ...scopeStep(outcome),
      hint,
    })
  }
  const pending = fields.status === 'pending'
  const { hint: decided, ...scope } = scopeResult(question, fields.answered, facts)
  const warning = chatAlone(opened, fields.status)
  const { hint: next, ...step } = scopeStep(outcome)
  const hint = decided ?? next ?? fields.hint
  return {
    correlationId: question.id,
    ...fields,
    ...scope,
    ...(pending ? { answerUrl: absolute(baseUrl, decidePath(question.id)) } : {}),
    ...deliveryOf(opened, fields.status),
    hookSeen: facts !== undefined && facts.hooks.length > 0,
    ...step,
    ...(warning ? { warning } : {}),
    ...(hint ? { hint } : {}),
  }
}

/**
 * The next step of `ask_user`, as far as this result has fields for it. Without a `handoffAction`
 * that overrules it, a `nextAction` would send an agent that is to stop to the client.
 */
function scopeStep({
  callState: situation,
  question,
  unmatched,
  opened,
}: AskOutcome): Partial<ProposeScopeResult> {
  const { timedOut, noDevices, warning, nextAction, handoffAction, hint } = nextStep(
    situation,
    question,
    { unmatched, refused: wasRefused(opened) },
  )
  return omitUndefined({
    timedOut,
    noDevices,
    warning,
    hint,
    nextAction: handoffAction === 'stop' ? undefined : nextAction,
  })
}
