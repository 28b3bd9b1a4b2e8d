import { type Static, Type } from '@sinclair/typebox'
import type { Id } from '../../../platform/ids.ts'
import { oneOf } from '../../../platform/schema.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { CommandWords } from '../../wire/command-words.ts'
import { DeliveryMode, OnTimeout } from '../../wire/delivery-mode.ts'
import { type CallFacts, matchesCall } from '../../wire/matches-call.ts'
import { startsCommand } from '../../wire/starts-command.ts'
import { TAG_MAX, TAGS_MAX } from '../../wire/targeting.ts'
import { failoverMs, failoverTo, graceMs, waitMs } from './policy.ts'
import { exceptedOwners, type RuleApprove } from './rule-approve.ts'
import type { RuleMatch } from './rule-match.ts'

export type RuleId = Id<'rule'>

/** The changes of a rule to the policy for matching calls. */
export const RuleSet = Type.Object(
  {
    deliveryMode: Type.Optional(DeliveryMode),
    waitMs: Type.Optional(waitMs),
    graceMs: Type.Optional(graceMs),
    failoverMs: Type.Optional(failoverMs),
    failoverTo: Type.Optional(failoverTo),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: TAG_MAX }), {
        maxItems: TAGS_MAX,
        description: 'Deliver only to devices with any of these tags, unless the call says whom.',
      }),
    ),
    onTimeout: Type.Optional(OnTimeout),
  },
  { additionalProperties: false },
)
export type RuleSet = Static<typeof RuleSet>

/** For approvals from hooks: decide without asking, or always ask. */
const RULE_DECISIONS = ['allow', 'deny', 'ask'] as const
export const RuleDecision = oneOf(RULE_DECISIONS)
export type RuleDecision = Static<typeof RuleDecision>

/** Whether a rule acts, or is only counted and shown. */
export const RuleMode = oneOf(['enforce', 'watch'], {
  description: 'Whether the rule acts, or is only counted and shown; enforce by default.',
})
export type RuleMode = Static<typeof RuleMode>

/** A routing rule of a workspace. */
export type Rule = {
  id: RuleId
  workspaceId: WorkspaceId
  match: RuleMatch
  set: RuleSet
  decision: RuleDecision | undefined
  /** Who has to agree to matching calls. */
  approve?: RuleApprove | undefined
  /** It only watches: what it would ask for is counted, and nothing happens by it. */
  mode?: 'watch' | undefined
  /** Its id in the policy file, where it comes from one. */
  name?: string | undefined
  createdAt: number
}

/** What a rule says. */
export type RuleParts = Pick<Rule, 'match' | 'set' | 'decision' | 'approve' | 'mode'>

/** A rule that acts. Whatever decides, asks or sends takes these alone. */
export type EnforcedRule = Rule & { mode?: undefined }

/** Returns true for a rule that acts. */
export function isEnforced(rule: Rule): rule is EnforcedRule {
  return rule.mode === undefined
}

/** The same rule as it would be if it acted. */
export function asEnforced({ mode: _, ...rule }: Rule): EnforcedRule {
  return rule
}

/** The mode as it is stored: what acts has none. */
export function storedMode(mode: RuleMode | undefined): Rule['mode'] {
  return mode === 'watch' ? mode : undefined
}

/** Names a rule by what it is for, in short: `Bash on git push*`. */
export function nameOfRule({ match }: Pick<Rule, 'match'>): string {
  const { toolName, toolTarget } = match
  return `${toolName ?? 'every tool'}${toolTarget === undefined ? '' : ` on ${toolTarget}`}`
}

/** The name of a rule in the policy file, or what it is for. */
export function titleOfRule(rule: Pick<Rule, 'name' | 'match'>): string {
  return rule.name ?? nameOfRule(rule)
}

/** Returns true if it depends on the owner of a token whether the rule is for its calls. */
export function isAboutOwners({ match, approve }: Pick<Rule, 'match' | 'approve'>): boolean {
  return match.owner !== undefined || (approve !== undefined && exceptedOwners(approve).length > 0)
}

/** The facts of a call that the rules read. */
export type RuleFacts = CallFacts & {
  token?: string | undefined
  /** The owner of the token and their groups, by id; undefined if they are not known. */
  owners?: readonly string[] | undefined
  /** The words of its command; left out, or undefined, where there is none. */
  commandWords?: (() => CommandWords | undefined) | undefined
}

/**
 * Returns true if the rule is for the call. One that allows is for a whole line; one that restricts
 * is for a line in which one command is as it says (docs/policy.md#rules).
 */
export function isAbout(
  { match, decision, approve }: Pick<Rule, 'match' | 'decision' | 'approve'>,
  facts: RuleFacts,
  isMatch = matches,
): boolean {
  if (isMatch(match, facts)) return true
  const { toolTarget, ...others } = match
  const restricts = decision === 'deny' || decision === 'ask' || approve !== undefined
  if (!restricts || toolTarget === undefined || facts.toolTarget === undefined) return false
  if (!isMatch(others, facts)) return false
  const words = facts.commandWords?.()
  return words !== undefined && startsCommand(toolTarget, words)
}

/** Returns true if the call is one that the match names. */
export function matches(match: RuleMatch, facts: RuleFacts): boolean {
  const { owner } = match
  if (owner !== undefined && !facts.owners?.includes(owner)) return false
  return matchesBesideOwner(match, facts)
}

/** As `matches`, whoever owns the token. */
export function matchesBesideOwner(match: RuleMatch, facts: RuleFacts): boolean {
  if (match.token !== undefined && match.token !== facts.token) return false
  return matchesCall(match, facts)
}
