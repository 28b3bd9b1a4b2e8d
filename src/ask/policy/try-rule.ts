import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { isPermission, type Question } from '../questions/model/question.ts'
import { listQuestions } from '../questions/model/store.ts'
import { LOOK_BACK_MS, SESSIONS_MAX } from '../sessions/model/session.ts'
import { listSessions } from '../sessions/model/store.ts'
import type { CallFacts } from '../wire/matches-call.ts'
import {
  asEnforced,
  type EnforcedRule,
  isAbout,
  type Rule,
  type RuleFacts,
  type RuleId,
} from './model/rule.ts'
import { decidedByRule } from './model/rule-decision.ts'
import { ruleFactsOf } from './model/rule-facts.ts'
import { mostSpecific } from './model/rule-index.ts'
import type { Policies } from './model/store.ts'

// As many as somebody reads through.
const CALLS = 50

/**
 * The decision that a rule would have made about a call; `asked` if it would have been asked
 * anyway.
 */
export type Tried = { question: Question; would: 'allow' | 'deny' | 'asked' | 'set' }

/** A rule tried against the last calls: how many there were, and those that it would have decided. */
export type Trial = {
  calls: number
  decided: Tried[]
  /** The number of matches that a more specific rule decides. */
  beaten: number
}

/**
 * Tries a rule on the last 50 real calls, together with the saved rules. Changes nothing. Scopes
 * are ignored, because they no longer hold for past calls. A rule that only watches is tried as if it
 * acted.
 */
export async function tryRule(
  { db, policies }: { db: Db; policies: Policies },
  tried: Rule,
): Promise<Trial> {
  const rule = asEnforced(tried)
  const { rules } = await policies.of(rule.workspaceId)
  const all = [...rules.filter(({ id }) => id !== rule.id), rule]
  const calls = await lastCalls(db, { workspaceId: rule.workspaceId }, CALLS)
  const matched = calls.filter((question) => isAbout(rule, factsOf(question)))
  // All approver rules that match apply; of the others one.
  const decided = matched.filter(
    (question) => rule.approve || mostSpecific(all, factsOf(question)) === rule,
  )
  return {
    calls: calls.length,
    decided: decided.map((question) => ({ question, would: wouldBe(rule, question) })),
    beaten: matched.length - decided.length,
  }
}

// Reading more would make the list of rules slow.
export const CALLS_OF_USE = 100

/** When each rule last decided about one of the last 100 calls, or changed how it was asked. */
export async function lastUses(
  { db, policies }: { db: Db; policies: Policies },
  viewer: Viewer,
): Promise<Map<RuleId, number>> {
  const { rules } = await policies.of(viewer.workspaceId)
  const uses = new Map<RuleId, number>()
  for (const call of await lastCalls(db, viewer, CALLS_OF_USE)) {
    const rule = mostSpecific(rules, factsOf(call))
    if (rule && call.createdAt >= rule.createdAt && !uses.has(rule.id)) {
      uses.set(rule.id, call.createdAt)
    }
  }
  return uses
}

function wouldBe(rule: EnforcedRule, question: Question): Tried['would'] {
  const decides = rule.decision === 'allow' || rule.decision === 'deny'
  if (!decides || !isPermission(question)) return 'set'
  return decidedByRule([rule], question)?.decision ?? 'asked'
}

async function lastCalls(db: Db, viewer: Viewer, limit: number): Promise<Question[]> {
  // Test traffic and scopes are left out, so some more are read.
  const questions = await listQuestions(db.read, viewer, {
    before: undefined,
    limit: limit * 2,
  })
  return questions.filter(({ test, origin }) => !test && origin === 'ask').slice(0, limit)
}

function factsOf(question: Question): RuleFacts {
  return { ...ruleFactsOf(question), token: question.tokenId }
}

// A list that a browser offers is of no use when it is longer.
const NAMES = 30

/** Names that were seen in a workspace lately, at most 30 of each kind, the latest first. */
export async function recentNames(deps: { db: Db; clock: Clock }, viewer: Viewer) {
  const since = deps.clock.now() - LOOK_BACK_MS
  const sessions = await listSessions(deps.db.read, viewer, since, SESSIONS_MAX)
  const calls = (await lastCalls(deps.db, viewer, CALLS)).map(factsOf)
  const all: CallFacts[] = [...calls, ...sessions]
  const names = (field: keyof CallFacts) =>
    [...new Set(all.flatMap((one) => one[field] || []))].slice(0, NAMES)
  return {
    tools: names('toolName'),
    targets: names('toolTarget'),
    agents: names('agentName'),
    repos: names('repoKey'),
    machines: names('machineId'),
  }
}
