import type { DeliveryRow } from '../delivery/model/store.ts'
import type { SuppressionReason } from '../questions/model/question.ts'
import { isQuiet } from '../subscribers/model/quiet-hours.ts'
import type { DeliveryMode, OnTimeout } from '../wire/delivery-mode.ts'
import type { Targeting } from '../wire/targeting.ts'
import { type Policy, phoneDelayEnd } from './model/policy.ts'
import type { EnforcedRule, RuleFacts } from './model/rule.ts'
import { mostSpecific } from './model/rule-index.ts'
import type { Approvers } from './requirement.ts'

/** The facts of a call that the plan reads. */
export type PlanFacts = RuleFacts & {
  /** An approval of a tool call rather than a question from the model. */
  permission: boolean
  test: boolean
  timeoutMs?: number | undefined
  /** How long the client waits for a reply that streams, if it said so. */
  clientWaitsMs?: number | undefined
  /** When the hook that asks stops waiting, over several calls. */
  hookWaitsUntil?: number | undefined
  targeting: Targeting
  /** Only `false` keeps an active terminal from delaying the phone. */
  localSurfaceAvailable?: boolean | undefined
  sessionId?: string | undefined
  /** True if it can only be answered at the client's own terminal. */
  atTerminal: boolean
}

/** The facts besides the call that the plan needs. */
export type PlanWorld = {
  policy: Policy
  rules: readonly EnforcedRule[]
  now: number
  /** When a terminal on the caller's machine was last active; undefined if not known. */
  terminalActiveAt: number | undefined
  /** How many approvals of this session in a row ended unanswered. */
  unanswered: number
  /** Who has to agree, by the approver rules: then neither quiet hours nor a mode leaves it to the terminal. */
  approvers?: Approvers | undefined
}

/** How a call is handled. */
export type Plan = {
  deliveryMode: DeliveryMode
  /** The policy's wait, in milliseconds (`policyTimeoutMs`). */
  policyWaitMs: number
  /** This call's wait: the policy's unless it brought its own. */
  waitMs: number
  /** When the first call, or the hook that asks, stops waiting. */
  waitEndsAt: number
  targeting: Targeting
  held: SuppressionReason | undefined
  /** Nothing is sent: the last approvals of this session went unanswered. */
  paused: boolean
  /**
   * How long phones wait after the question, in milliseconds: for the grace period, and while a
   * terminal is active. They ring when both are over.
   */
  phone: { graceMs: number; phoneDelayMs: number }
  /**
   * The people who are told when nobody answers, and after how long each; undefined when it is off.
   */
  failover: { everyMs: number; people: string[] } | undefined
  /** Quiet hours turned it into `terminal_only`. */
  quiet: boolean
  /** The decision of the rule when nobody answers. */
  onTimeout: OnTimeout | undefined
  /** The rule that decided. */
  rule: EnforcedRule | undefined
}

/**
 * Combines call, policy and rules into a plan; pure, and also used for the preview on the policy
 * page.
 */
export function plan(facts: PlanFacts, world: PlanWorld): Plan {
  const { policy, rules, now, approvers } = world
  const rule = mostSpecific(rules, facts)
  const { tags, onTimeout: ruled, ...set } = rule?.set ?? {}
  const chosen = { ...policy, ...set, ...(approvers && { deliveryMode: 'push_only' as const }) }
  const onTimeout = approvers ? undefined : ruled
  const quiet = !approvers && facts.permission && isQuiet(policy.quietHours, now)
  const held = suppressionReason(facts)
  const isHeldBack = held !== undefined || quiet
  const paused = !approvers && !isHeldBack && waits(chosen.deliveryMode) && isPaused(facts, world)
  const waitMs = holdMsOf(policy, {
    timeoutMs: facts.timeoutMs,
    policyWaitMs: chosen.waitMs,
    clientWaitsMs: facts.clientWaitsMs,
    endsInTime: paused || onTimeout !== undefined,
  })
  const waitEndsAt = facts.hookWaitsUntil ?? now + waitMs
  return {
    deliveryMode: quiet ? 'terminal_only' : modeFor(facts, chosen.deliveryMode, approvers),
    policyWaitMs: chosen.waitMs,
    waitMs,
    waitEndsAt,
    targeting: targetingFor(facts.targeting, tags, policy.targeting),
    held,
    paused,
    phone: { graceMs: chosen.graceMs, phoneDelayMs: phoneDelayMs(facts, world, waitEndsAt) },
    failover: failoverOf(chosen),
    quiet,
    onTimeout,
    rule,
  }
}

function failoverOf({ failoverMs, failoverTo }: Policy): Plan['failover'] {
  if (failoverMs === 0 || failoverTo.length === 0) return undefined
  return { everyMs: failoverMs, people: failoverTo }
}

/**
 * A question that can only be answered at a terminal is still announced, unless nothing is to be
 * sent at all.
 */
function modeFor(
  { atTerminal }: PlanFacts,
  chosen: DeliveryMode,
  approvers: Approvers | undefined,
): DeliveryMode {
  return atTerminal && !approvers && chosen !== 'terminal_only' ? 'notify_only' : chosen
}

/** The call's own targeting, else the rule's tags, else the workspace's default. */
function targetingFor(own: Targeting, tags: string[] | undefined, otherwise: Targeting): Targeting {
  if (Object.keys(own).length > 0) return own
  return tags ? { tags } : otherwise
}

/**
 * A permission request without toolName and sessionId cannot be matched to a session (QS-RULE-5).
 */
function suppressionReason({
  test,
  permission,
  toolName,
  sessionId,
}: PlanFacts): SuppressionReason | undefined {
  if (test) return 'test_traffic'
  const attributed = toolName !== undefined || sessionId !== undefined
  return permission && !attributed ? 'unattributed' : undefined
}

/** In other modes nobody is waited for: the person is asked in the client. */
function waits(mode: DeliveryMode): boolean {
  return mode === 'push_first' || mode === 'push_only'
}

function isPaused(facts: PlanFacts, { policy, unanswered }: PlanWorld): boolean {
  const { pauseAfterUnanswered } = policy
  return facts.permission && pauseAfterUnanswered > 0 && unanswered >= pauseAfterUnanswered
}

/** Presence needs proof; if it is not known, the message is sent. */
function phoneDelayMs(facts: PlanFacts, world: PlanWorld, waitEndsAt: number): number {
  const { policy, terminalActiveAt: activeAt, now: createdAt } = world
  if (facts.localSurfaceAvailable === false || activeAt === undefined) return 0
  const { presenceMs } = policy
  return phoneDelayEnd({ createdAt, waitEndsAt }, { activeAt, presenceMs }) - createdAt
}

/** Rows to send at once, and rows to send later. */
type Routed = { now: DeliveryRow[]; later: DeliveryRow[] }

/**
 * Delays phones for the grace period and for an active terminal; all other rows are sent at once.
 */
export function routePhones(rows: DeliveryRow[], { phone }: Plan, openedAt: number): Routed {
  const delayMs = Math.max(phone.graceMs, phone.phoneDelayMs)
  if (delayMs === 0) return { now: rows, later: [] }
  const { now = [], later = [] } = Object.groupBy(rows, (row) => (isPhone(row) ? 'later' : 'now'))
  return { now, later: later.map((row) => delayed(row, openedAt + delayMs)) }
}

function isPhone({ kind, state }: DeliveryRow): boolean {
  return kind === 'phone' && state === 'waiting'
}

/** Claimed by nobody until it is due, so that any process sends it, also after a restart. */
function delayed(row: DeliveryRow, nextAt: number): DeliveryRow {
  return { ...row, nextAt, claimedBy: null, claimedUntil: 0 }
}

/** The facts that decide how long a call is held. */
type HoldFacts = {
  /** The call's own `timeoutMs`, which always wins. */
  timeoutMs: number | undefined
  /** The wait of the rule or the policy. */
  policyWaitMs: number
  /** How long the client waits for a stream, if it said so. */
  clientWaitsMs: number | undefined
  /** True if nobody is told, or a rule decides after its wait. */
  endsInTime: boolean
}

/**
 * How long a call is held, in milliseconds: up to the policy's `holdMs` (a departure from
 * QS-WHAT-5) if the client said that it waits so long, otherwise the usual wait. A rule with a wait
 * of its own keeps it.
 */
export function holdMsOf(policy: Pick<Policy, 'holdMs' | 'waitMs'>, facts: HoldFacts): number {
  const { timeoutMs, policyWaitMs, clientWaitsMs = 0, endsInTime } = facts
  if (timeoutMs !== undefined) return timeoutMs
  if (endsInTime || policyWaitMs !== policy.waitMs) return policyWaitMs
  return Math.max(policyWaitMs, Math.min(policy.holdMs, clientWaitsMs))
}
