import type { CallContext } from '../accounts/model/agent.ts'
import type { Policies } from '../policy/model/policies.ts'
import { heldFor } from '../policy/plan.ts'
import { WAIT_MAX_MS } from '../wire/limits.ts'
import type { Question } from './model/question.ts'

/**
 * Until when this call waits for the end of a stored question. The usual wait counts from the
 * arrival of the call; a longer one from the question, so that it reaches the question's end.
 */
export async function callWaitsUntil(
  policies: Policies,
  question: Question,
  timeoutMs: number | undefined,
  call: CallContext,
): Promise<number> {
  const { arrivedAt } = call.caller
  const waitMs = await waitOf(policies, question, timeoutMs, call)
  return (waitMs > WAIT_MAX_MS ? Math.max(arrivedAt, question.createdAt) : arrivedAt) + waitMs
}

async function waitOf(
  policies: Policies,
  { workspaceId, policyWaitMs, detail }: Question,
  timeoutMs: number | undefined,
  { clientWaitsMs }: CallContext,
): Promise<number> {
  if (timeoutMs !== undefined || clientWaitsMs === undefined) return timeoutMs ?? policyWaitMs
  const { policy } = await policies.of(workspaceId)
  const endsInTime = detail.paused === true || detail.onTimeout !== undefined
  return heldFor(policy, { timeoutMs, policyWaitMs, clientWaitsMs, endsInTime })
}
