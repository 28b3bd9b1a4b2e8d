import type { Caller } from '../accounts/agent.ts'
import { cutText } from '../kernel/text.ts'
import { QUESTION_MAX, type Question } from '../questions/question.ts'
import { readAsk } from '../questions/read-ask.ts'
import {
  NO_DEVICES_WARNING,
  RESTARTING_HINT,
  saidOf,
  TEST_TRAFFIC_HINT,
} from '../questions/result.ts'
import type { ProposeScopeResult } from '../questions/result-fields.ts'
import { readContract } from '../scopes/read-scope.ts'
import type { ProposeScopeInput } from '../scopes/scope-fields.ts'
import { absolute, decidePath } from './addresses.ts'
import { type AskDeps, type Asked, askAndWait } from './ask-and-wait.ts'
import { deliveryOf } from './ask-result.ts'
import type { Call } from './call.ts'
import { scopeResult } from './scope-result.ts'

/**
 * Asks a person to agree to a boundary and waits for the decision (spec: propose_scope).
 * Throws `invalid_input` for wrong fields, `unavailable` when nothing could be recorded.
 */
export async function proposeScope(
  deps: AskDeps,
  input: ProposeScopeInput,
  call: Call,
): Promise<ProposeScopeResult> {
  const how = { wait: true, timeoutMs: input.timeoutMs }
  const outcome = await askAndWait(deps, readProposal(input, call.caller), how, call)
  return tell(outcome, deps.clock.now(), deps.baseUrl)
}

function readProposal(input: ProposeScopeInput, caller: Caller): Question {
  const { agentName, machineId, sessionId, timeoutMs } = input
  const contract = readContract(input)
  const question = cutText(`Agree to this scope? Done when: ${contract.doneWhen}`, QUESTION_MAX)
  const ask = {
    question,
    sessionId,
    ...(agentName === undefined ? {} : { agentName }),
    ...(machineId === undefined ? {} : { machineId }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
  return { ...readAsk(ask, caller), origin: 'scope', detail: { contract } }
}

function tell(asked: Asked, now: number, baseUrl: string): ProposeScopeResult {
  const { question, opened, situation } = asked
  const { value, answerSource, handoffAction, ...said } = saidOf(question, now)
  const pending = said.status === 'pending'
  const { hint, ...next } = NEXT[situation]
  return {
    correlationId: question.id,
    ...said,
    ...scopeResult(question, said.answered),
    ...(pending ? { answerUrl: absolute(baseUrl, decidePath(question.id)) } : {}),
    ...deliveryOf(opened),
    hookSeen: false,
    ...next,
    ...(hint ? { hint } : {}),
    ...(said.answered && value === 'no' ? { hint: DECLINED } : {}),
  }
}

const DECLINED = 'The person declined this scope. Ask what scope they want instead of going on.'

const NEXT: Record<Asked['situation'], Partial<ProposeScopeResult>> = {
  ended: {},
  held: {
    nextAction: 'wait_for_answer',
    hint: TEST_TRAFFIC_HINT,
  },
  no_devices: {
    noDevices: true,
    nextAction: 'ask_in_current_client',
    warning: NO_DEVICES_WARNING,
    hint: 'Nobody was told. Do not wait: withdraw it with cancel_question and agree on the scope here.',
  },
  told_nobody: {
    noDevices: true,
    nextAction: 'ask_in_current_client',
    warning: NO_DEVICES_WARNING,
    hint: 'Nobody was told. Agree on the scope here.',
  },
  not_waiting: {},
  paused: {},
  timeout: {
    timedOut: true,
    nextAction: 'wait_for_answer',
    hint: 'No decision yet, which is not a no. Call wait_for_answer once with this correlationId.',
  },
  hung_up: { timedOut: true, nextAction: 'wait_for_answer' },
  closing: {
    timedOut: true,
    nextAction: 'wait_for_answer',
    hint: RESTARTING_HINT,
  },
}
