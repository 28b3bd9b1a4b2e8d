import type { Policy } from './model/policy.ts'

/** What decides how long a call is held. */
export type HoldFacts = {
  /** The call's own `timeoutMs`, which always wins. */
  timeoutMs: number | undefined
  /** The wait of the rule or the policy. */
  policyWaitMs: number
  /** How long the client waits for a stream, if it said so. */
  clientWaitsMs: number | undefined
  /** Nobody is told, or a rule says what happens after its wait. */
  endsInTime: boolean
}

/**
 * How long a call is held, in milliseconds: up to the policy's `holdMs` (a departure from
 * QS-WHAT-5) if the client said that it waits so long, otherwise the usual wait. A rule with a wait
 * of its own keeps it.
 */
export function heldFor(policy: Pick<Policy, 'holdMs' | 'waitMs'>, facts: HoldFacts): number {
  const { timeoutMs, policyWaitMs, clientWaitsMs = 0, endsInTime } = facts
  if (timeoutMs !== undefined) return timeoutMs
  if (endsInTime || policyWaitMs !== policy.waitMs) return policyWaitMs
  return Math.max(policyWaitMs, Math.min(policy.holdMs, clientWaitsMs))
}
