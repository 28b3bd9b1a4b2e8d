import type { AgentToken } from '../../accounts/model/agent.ts'
import { isEnforced, type Rule } from './rule.ts'
import type { RuleApprove } from './rule-approve.ts'

/** A token of a group: of what it asks, nobody is left out as the one who asks. */
export type ServiceToken = Pick<AgentToken, 'id' | 'name' | 'ownerGroup'>

/** Returns the live tokens that belong to a group. */
export function serviceTokens(tokens: readonly AgentToken[]): ServiceToken[] {
  return tokens.filter(({ ownerGroup, revokedAt }) => ownerGroup !== null && revokedAt === null)
}

/**
 * Returns the approver rules by which one person may agree to what a service asks, though the rule
 * leaves out whoever asks: the person who runs the service may be that one. Two are needed.
 */
export function lonelyServiceRules(
  rules: readonly Rule[],
  services: readonly ServiceToken[],
): Array<{ rule: Rule; token: ServiceToken }> {
  return rules.filter(isEnforced).flatMap((rule) => {
    const { approve } = rule
    if (!approve || approve.asker === 'counts' || needIn(approve) > 1) return []
    const token = services.find((one) => mayBeFor(rule, one))
    return token ? [{ rule, token }] : []
  })
}

function needIn({ need = 1, and = [] }: RuleApprove): number {
  return and.reduce((sum, more) => sum + (more.need ?? 1), need)
}

function mayBeFor({ match }: Rule, { id, ownerGroup }: ServiceToken): boolean {
  const isToken = match.token === undefined || match.token === id
  return isToken && (match.owner === undefined || match.owner === ownerGroup)
}
