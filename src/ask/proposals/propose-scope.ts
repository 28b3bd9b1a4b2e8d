import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import { cutText } from '../../platform/text.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { type AskDeps, type AskOutcome, askAndWait } from '../asking/ask-and-wait.ts'
import { chatAlone, deliveryOf, otherContent } from '../asking/ask-user.ts'
import { absolute, decidePath } from '../delivery/model/links.ts'
import { settled } from '../questions/end-question.ts'
import { keyOfCall } from '../questions/model/key.ts'
import type { Question } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { saidOf, waitResultWithout } from '../questions/model/result.ts'
import { readScopeFacts, type ScopeFacts } from '../questions/model/scope-facts.ts'
import { scopeResult } from '../questions/model/scope-result.ts'
import { readProposedContract } from '../scopes/model/read-scope.ts'
import { nextStep, standsAt } from '../waiting/next-step.ts'
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

async function tell(deps: AskDeps, found: AskOutcome): Promise<ProposeScopeResult> {
  const now = deps.clock.now()
  const outcome = { ...found, question: await settled(deps, found.question, now) }
  const { question, situation } = outcome
  const facts = await unlessUnavailable(readScopeFacts(deps.db.read, question, now))
  if (situation === 'unreadable' || facts === 'unavailable') {
    return waitResultWithout(question.id, 'unavailable')
  }
  const stand = { ...outcome, situation: standsAt(situation, question, now) }
  return resultOf(stand, facts, now, deps.baseUrl)
}

function readProposal(input: ProposeScopeInput, { caller, id }: CallContext): Question {
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
  const asked = readAsk(ask, caller)
  const proposal: Question = { ...asked, origin: 'scope', detail: { contract } }
  // The input has no field for it; a retry is recognised by the client's id of its call.
  return id === undefined
    ? proposal
    : { ...proposal, key: keyOfCall(proposal, { kind: 'scope', id, by: 'model' }) }
}

function resultOf(
  told: AskOutcome,
  facts: ScopeFacts | undefined,
  now: number,
  baseUrl: string,
): ProposeScopeResult {
  const { question, opened, asked, situation } = told
  const { value, answerSource, handoffAction, ...said } = saidOf(question, now)
  if (situation === 'not_asked') {
    const { correlationId, status, env } = { correlationId: question.id, ...said }
    const hint = otherContent(question, asked)
    return omitUndefined({ correlationId, answered: false, status, env, ...scopeStep(told), hint })
  }
  const pending = said.status === 'pending'
  const { hint: decided, ...scope } = scopeResult(question, said.answered, facts)
  const warning = chatAlone(opened, said.status)
  const { hint: next, ...step } = scopeStep(told)
  const hint = decided ?? next ?? said.hint
  return {
    correlationId: question.id,
    ...said,
    ...scope,
    ...(pending ? { answerUrl: absolute(baseUrl, decidePath(question.id)) } : {}),
    ...deliveryOf(opened, said.status),
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
function scopeStep({ situation, question, unmatched }: AskOutcome): Partial<ProposeScopeResult> {
  const { timedOut, noDevices, warning, nextAction, handoffAction, hint } = nextStep(
    situation,
    question,
    { unmatched },
  )
  return omitUndefined({
    timedOut,
    noDevices,
    warning,
    hint,
    nextAction: handoffAction === 'stop' ? undefined : nextAction,
  })
}
