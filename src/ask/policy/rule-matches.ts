import type { Caller } from '../accounts/model/agent.ts'
import { isTest } from '../questions/model/read-ask.ts'
import type { CallMatch } from '../wire/call-match.ts'
import { isAboutOwners, matches, type Rule } from './model/rule.ts'
import type { PlanDeps } from './plan-question.ts'
import { readOwners, type TokenFacts } from './requirement.ts'

/**
 * The calls of a token that a rule may decline or leave to certain people, whether or not their
 * client asks: a hook sends them here before they run. There may be more than rules decide, never
 * fewer.
 */
export async function readRuleMatches(
  { db, policies }: PlanDeps,
  caller: Caller,
): Promise<CallMatch[]> {
  const { workspaceId, tokenId } = caller
  const { rules } = await policies.of(workspaceId)
  const test = isTest(undefined, caller)
  // Test traffic reaches nobody who could agree.
  const deciding = rules.filter((rule) => rule.decision === 'deny' || (rule.approve && !test))
  const owners = deciding.some(isAboutOwners)
    ? await readOwners(db.read, workspaceId, tokenId)
    : undefined
  const about = deciding.filter((rule) => mayBeOf(rule, { token: tokenId, owners }))
  return distinct(about.map(callMatchOf))
}

/** Returns true unless the rule is for other tokens, or never for this one. */
function mayBeOf({ match, approve }: Rule, token: TokenFacts): boolean {
  const { token: of, owner } = match
  if (of !== undefined && of !== token.token) return false
  // Where the owner is not known, it may be about them.
  if (owner !== undefined && token.owners && !token.owners.includes(owner)) return false
  return !approve?.except?.some((one) => isForEveryCall(one) && matches(one, token))
}

/** Returns true if a match says nothing but whose calls it names. */
function isForEveryCall(match: Rule['match']): boolean {
  return Object.keys(callMatchOf({ match })).length === 0
}

function callMatchOf({ match }: Pick<Rule, 'match'>): CallMatch {
  const { token: _, owner: __, ...call } = match
  return call
}

function distinct(all: readonly CallMatch[]): CallMatch[] {
  return [...new Map(all.map((match) => [JSON.stringify(match), match])).values()]
}
