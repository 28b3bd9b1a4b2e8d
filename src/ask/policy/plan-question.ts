import type { Db } from '../../platform/db/database.ts'
import type { Question, QuestionDetail } from '../questions/model/question.ts'
import { isPermission } from '../questions/model/question.ts'
import { withPrograms } from '../questions/model/reading.ts'
import { findSessionByKey, terminalActiveAt } from '../sessions/model/store.ts'
import { ruleNamed } from './model/rule.ts'
import type { Policies } from './model/store.ts'
import { type Plan, type PlanFacts, plan } from './plan.ts'

export type PlanDeps = { db: Db; policies: Policies }

/** Plans a question that is about to open, with policy, rules, presence and session. */
export async function planQuestion(
  deps: PlanDeps,
  asked: Question,
  call: Pick<PlanFacts, 'timeoutMs' | 'clientWaitsMs'>,
): Promise<{ question: Question; plan: Plan }> {
  const { workspaceId, createdAt: now } = asked
  const { policy, rules } = await deps.policies.of(workspaceId)
  const made = plan(factsOf(asked, call), {
    policy,
    rules,
    now,
    terminalActiveAt: await terminalSeen(deps.db, asked),
    unanswered: await unansweredSoFar(deps.db, asked),
  })
  return { question: withPrograms(planned(asked, made), policy.programs), plan: made }
}

function factsOf(
  asked: Question,
  { timeoutMs, clientWaitsMs }: Pick<PlanFacts, 'timeoutMs' | 'clientWaitsMs'>,
): PlanFacts {
  const { agentName, machineId, sessionId, repoKey, targeting, test } = asked
  const { toolName, toolTarget, localSurfaceAvailable, hookWaitsUntil, atTerminal } = asked.detail
  return {
    agentName,
    machineId,
    sessionId,
    repoKey,
    targeting,
    test,
    timeoutMs,
    clientWaitsMs,
    toolName,
    toolTarget,
    localSurfaceAvailable,
    hookWaitsUntil,
    permission: isPermission(asked) || atTerminal === true,
    atTerminal: atTerminal === true,
  }
}

function terminalSeen(db: Db, { workspaceId, machineId }: Question) {
  if (machineId === undefined) return undefined
  return terminalActiveAt(db.read, workspaceId, machineId)
}

async function unansweredSoFar(db: Db, { workspaceId, machineId = '', sessionId }: Question) {
  if (sessionId === undefined) return 0
  const session = await findSessionByKey(db.read, { workspaceId, machineId, sessionId })
  return session?.unanswered ?? 0
}

/** The question with what the plan decided: its mode, its wait, its target, and why it is held. */
function planned(asked: Question, made: Plan): Question {
  const { deliveryMode, policyWaitMs, waitEndsAt, targeting, held, paused, quiet } = made
  const { atTerminal } = asked.detail
  const status = held && !atTerminal ? 'pending' : STATUS_BY_MODE[deliveryMode]
  return {
    ...asked,
    deliveryMode,
    policyWaitMs,
    waitEndsAt,
    targeting,
    held,
    status,
    endedAt: status === 'pending' ? undefined : asked.createdAt,
    detail: {
      ...asked.detail,
      ...(paused ? { paused } : {}),
      ...(quiet ? { quiet } : {}),
      ...afterTimeout(asked, made),
    },
  }
}

/** A scope that nobody agreed to enforces nothing, whatever a rule says. */
function afterTimeout({ origin }: Question, { onTimeout, rule }: Plan): Partial<QuestionDetail> {
  if (!onTimeout || !rule || origin === 'scope') return {}
  return { onTimeout: { decision: onTimeout, rule: ruleNamed(rule) } }
}

const STATUS_BY_MODE = {
  push_first: 'pending',
  push_only: 'pending',
  notify_only: 'notified',
  terminal_only: 'terminal',
} as const
