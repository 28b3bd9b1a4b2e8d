import { type Static, Type } from '@sinclair/typebox'
import type { Id } from '../../../platform/ids.ts'
import { oneOf } from '../../../platform/schema.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { DeliveryMode, OnTimeout } from '../../wire/delivery-mode.ts'
import { TAG_MAX, TAGS_MAX } from '../../wire/targeting.ts'
import { failoverMs, failoverTo, graceMs, waitMs } from './policy.ts'
import type { RuleApprove } from './rule-approve.ts'

export type RuleId = Id<'rule'>

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

/** The calls that a rule is for; every given field must match. */
export const RuleMatch = Type.Object(
  {
    repoKey: text(200, 'The repository.'),
    toolName: text(100, 'The tool.'),
    toolTarget: text(
      80,
      'What the tool is used on; a * at the end matches everything that begins like it.',
    ),
    agentName: text(100, 'The agent, by its whole name.'),
    machineId: text(128, 'The machine.'),
    token: text(64, 'The token, by its id. The server knows it; callers cannot claim another.'),
    owner: text(64, 'Whose token it is: a person or a group, by id. The server knows this too.'),
  },
  { additionalProperties: false },
)
export type RuleMatch = Static<typeof RuleMatch>

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

/** A routing rule of a workspace. */
export type Rule = {
  id: RuleId
  workspaceId: WorkspaceId
  match: RuleMatch
  set: RuleSet
  decision: RuleDecision | undefined
  /** Who has to agree to matching calls. */
  approve?: RuleApprove | undefined
  /** Its id in the policy file, where it comes from one. */
  name?: string | undefined
  createdAt: number
}

/** Names a rule by what it is for, in short: `Bash on git push*`. */
export function nameOfRule({ match }: Pick<Rule, 'match'>): string {
  const { toolName, toolTarget } = match
  return `${toolName ?? 'every tool'}${toolTarget === undefined ? '' : ` on ${toolTarget}`}`
}

/** The facts of a call that the rules read. */
export type RuleFacts = {
  repoKey?: string | undefined
  toolName?: string | undefined
  toolTarget?: string | undefined
  agentName?: string | undefined
  machineId?: string | undefined
  token?: string | undefined
  /** The owner of the token and their groups, by id; undefined if they are not known. */
  owners?: readonly string[] | undefined
}

/**
 * The rule that decides: the most specific match; of equals, the older one (docs/policy.md#rules).
 */
export function mostSpecific(rules: readonly Rule[], facts: RuleFacts): Rule | undefined {
  return routing(rules).find((rule) => matches(rule.match, facts))
}

// Every ask looks through the list, which is sorted once for as long as it is cached.
const sorted = new WeakMap<readonly Rule[], Rule[]>()

/** The most specific first, without rules that only say who has to agree. */
function routing(rules: readonly Rule[]): Rule[] {
  return sorted.getOrInsertComputed(rules, () =>
    bySpecificity(rules.filter(({ approve, set }) => !approve || Object.keys(set).length > 0)),
  )
}

/** The most specific first: of the rules that match a call, the first decides. */
export function bySpecificity(rules: readonly Rule[]): Rule[] {
  return rules.toSorted((a, b) => compare(rank(b.match), rank(a.match)) || byAge(a, b))
}

/** Returns true if the call is one that the rule is for. */
export function matches(match: RuleMatch, facts: RuleFacts): boolean {
  const { toolTarget, owner, ...exact } = match
  for (const field in exact) {
    const name = field as keyof typeof exact
    if (facts[name] !== exact[name]) return false
  }
  if (owner !== undefined && !facts.owners?.includes(owner)) return false
  if (toolTarget === undefined) return true
  if (facts.toolTarget === undefined) return false
  if (!isPrefix(toolTarget)) return facts.toolTarget === toolTarget
  return facts.toolTarget.startsWith(toolTarget.slice(0, -1))
}

function isPrefix(target: string): boolean {
  return target.endsWith('*')
}

/**
 * Exact target, then the longer prefix, then tool, then repository, then the number of named
 * fields.
 */
function rank(match: RuleMatch): number[] {
  const { toolTarget = '', toolName, repoKey } = match
  const exactTarget = toolTarget !== '' && !isPrefix(toolTarget)
  return [
    exactTarget ? 1 : 0,
    exactTarget ? 0 : toolTarget.length,
    toolName === undefined ? 0 : 1,
    repoKey === undefined ? 0 : 1,
    Object.keys(match).length,
  ]
}

function compare(a: number[], b: number[]): number {
  for (const [i, part] of a.entries()) {
    const difference = part - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function byAge(a: Rule, b: Rule): number {
  return a.id < b.id ? -1 : 1
}
