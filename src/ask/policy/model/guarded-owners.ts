import { type AgentToken, ownerOf } from '../../accounts/model/agent.ts'
import type { TokenId } from '../../accounts/model/ids.ts'
import { isAboutOwners, type Rule } from './rule.ts'

type Owned = Pick<AgentToken, 'id' | 'test' | 'revokedAt' | 'createdBy' | 'ownerGroup'>

/**
 * Returns the owner of each token for which it matters to an approver rule: whoever asks may be left
 * out, and a rule may be for the agents of some people alone.
 */
export function guardedOwners(
  rules: readonly Rule[],
  tokens: readonly Owned[],
): Map<TokenId, ReturnType<typeof ownerOf>> {
  const counting = rules.filter(dependsOnOwner)
  const owned = tokens.filter(
    ({ id, test, revokedAt }) =>
      !test &&
      revokedAt === null &&
      counting.some(({ match }) => match.token === undefined || match.token === id),
  )
  return new Map(owned.map((token) => [token.id, ownerOf(token)]))
}

function dependsOnOwner(rule: Rule): boolean {
  return rule.approve !== undefined && (isAboutOwners(rule) || rule.approve.asker !== 'counts')
}
