import type { Db } from '../../platform/db/database.ts'
import type { AskDraft, Question, QuestionDetail } from '../questions/model/question.ts'
import { isPermission, withDetail } from '../questions/model/question.ts'
import { withPrograms } from '../questions/model/reading.ts'
import { findSessionByKey, terminalActiveAt } from '../sessions/model/store.ts'
import type { Policy } from './model/policy.ts'
import { nameOfRule } from './model/rule.ts'
import { ruleFactsOf } from './model/rule-facts.ts'
import type { Policies } from './model/store.ts'
import { type Plan, type PlanFacts, plan } from './plan.ts'
import { type Approvers, readApprovers, readTokenFacts, rulesWords } from './requirement.ts'
import { readWatched } from './watched.ts'

export type PlanDeps = { db: Db; policies: Policies }

/** Plans a question that is about to open, with policy, rules, presence and session. */
export async function planQuestion(
  deps: PlanDeps,
  draft: AskDraft,
  call: Pick<PlanFacts, 'timeoutMs' | 'clientWaitsMs'>,
): Promise<{ question: Question; plan: Plan; remindMs: number }> {
  const { workspaceId, createdAt: now } = draft
  const { policy, rules, watching } = await deps.policies.of(workspaceId)
  const token = await readTokenFacts(deps.db.read, rules, draft)
  const approvers = await readApprovers(deps.db.read, rules, draft, token)
  const facts = { ...factsOf(draft, call), ...token }
  const outcome = plan(facts, {
    policy,
    rules,
    now,
    approvers,
    terminalActiveAt: await terminalSeen(deps.db, draft),
    unanswered: await unansweredSoFar(deps.db, draft),
  })
  const question = withApprovers(withLife(planned(draft, outcome), policy), approvers)
  const watched = await readWatched(deps.db.read, { rules, watching, token }, draft)
  const { programs, remindMs } = policy
  const all = watched ? { ...question, watched } : question
  return { question: withPrograms(all, programs), plan: outcome, remindMs }
}

/**
 * The question with the life that its program wants, as far as the policy allows it: its agent
 * follows it from the start. If a rule says what happens without an answer, or nothing is sent, it
 * keeps its ten minutes.
 */
function withLife(question: Question, { longLifeMs }: Pick<Policy, 'longLifeMs'>): Question {
  const { createdAt, status, detail } = question
  const { lifeMs, paused, onTimeout } = detail
  if (lifeMs === undefined || status !== 'pending' || paused || onTimeout) return question
  const expiresAt = createdAt + Math.min(lifeMs, longLifeMs)
  return withDetail({ ...question, expiresAt }, { followedAt: createdAt, waitsUntil: expiresAt })
}

function factsOf(
  draft: AskDraft,
  { timeoutMs, clientWaitsMs }: Pick<PlanFacts, 'timeoutMs' | 'clientWaitsMs'>,
): PlanFacts {
  const { sessionId, targeting, test } = draft
  const { localSurfaceAvailable, hookWaitsUntil, atTerminal } = draft.detail
  return {
    ...ruleFactsOf(draft),
    sessionId,
    targeting,
    test,
    timeoutMs,
    clientWaitsMs,
    localSurfaceAvailable,
    hookWaitsUntil,
    permission: isPermission(draft) || atTerminal === true,
    atTerminal: atTerminal === true,
  }
}

function terminalSeen(db: Db, { workspaceId, machineId }: AskDraft) {
  if (machineId === undefined) return undefined
  return terminalActiveAt(db.read, workspaceId, machineId)
}

async function unansweredSoFar(db: Db, { workspaceId, machineId = '', sessionId }: AskDraft) {
  if (sessionId === undefined) return 0
  const session = await findSessionByKey(db.read, { workspaceId, machineId, sessionId })
  return session?.unanswered ?? 0
}

/** The question with what the plan decided: its mode, its wait, its target, and why it is held. */
function planned(draft: AskDraft, outcome: Plan): Question {
  const { deliveryMode, policyWaitMs, waitEndsAt, targeting, held, paused, quiet } = outcome
  const { atTerminal } = draft.detail
  const status = held && !atTerminal ? 'pending' : STATUS_BY_MODE[deliveryMode]
  return {
    ...draft,
    deliveryMode,
    policyWaitMs,
    waitEndsAt,
    targeting,
    held,
    status,
    endedAt: status === 'pending' ? undefined : draft.createdAt,
    detail: {
      ...draft.detail,
      ...(paused ? { paused } : {}),
      ...(quiet ? { quiet } : {}),
      ...afterTimeout(draft, outcome),
    },
  }
}

/** A scope that nobody agreed to enforces nothing, whatever a rule says. */
function afterTimeout({ origin }: AskDraft, { onTimeout, rule }: Plan): Partial<QuestionDetail> {
  if (!onTimeout || !rule || origin === 'scope') return {}
  return { onTimeout: { decision: onTimeout, rule: nameOfRule(rule) } }
}

/**
 * The question with who has to agree. If not enough people can, it is over as soon as it is asked:
 * nobody said no, and nobody can say yes.
 */
function withApprovers(question: Question, approvers: Approvers | undefined): Question {
  if (!approvers || question.held === 'test_traffic') return question
  const { requirement, lifeMs, undecidable } = approvers
  const { createdAt } = question
  const onTimeout = { decision: 'deny' as const, rule: rulesWords(requirement) }
  const detail = { ...question.detail, onTimeout }
  if (undecidable) {
    const over = { status: 'expired', endedAt: createdAt, expiresAt: createdAt } as const
    return { ...question, requirement, ...over, detail: { ...detail, undecidable } }
  }
  return { ...question, requirement, expiresAt: createdAt + lifeMs, detail }
}

const STATUS_BY_MODE = {
  push_first: 'pending',
  push_only: 'pending',
  notify_only: 'notified',
  terminal_only: 'terminal',
} as const
