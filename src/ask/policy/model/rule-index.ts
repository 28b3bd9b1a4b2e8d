import { isPrefix } from '../../wire/matches-call.ts'
import { type EnforcedRule, isAbout, isAboutOwners, type Rule, type RuleFacts } from './rule.ts'

/** Rules of one kind that could be for a call of this tool, in their order. */
type ByTool = (toolName: string | undefined) => readonly EnforcedRule[]

/** The rules of a workspace, prepared for look-ups. */
type RuleIndex = {
  /** Those that say how a call is asked or decided, the most specific first. */
  routing: ByTool
  /** Those that say who has to agree. */
  approving: ByTool
  /** Those for the tokens of certain people. */
  owned: ByTool
}

// Every ask looks through the list, which is the same for as long as it is cached.
const indexes = new WeakMap<readonly EnforcedRule[], RuleIndex>()

/** The index of a list of rules, made once. */
export function ruleIndex(rules: readonly EnforcedRule[]): RuleIndex {
  return indexes.getOrInsertComputed(rules, () => ({
    routing: byTool(
      bySpecificity(rules.filter(({ approve, set }) => !approve || Object.keys(set).length > 0)),
    ),
    approving: byTool(rules.filter(({ approve }) => approve)),
    owned: byTool(rules.filter(isAboutOwners)),
  }))
}

function byTool(rules: readonly EnforcedRule[]): ByTool {
  const forAll = rules.filter(({ match }) => match.toolName === undefined)
  const tools = new Set(rules.flatMap(({ match }) => match.toolName ?? []))
  const lists = new Map(
    [...tools].map((tool) => [
      tool,
      rules.filter(({ match }) => match.toolName === undefined || match.toolName === tool),
    ]),
  )
  return (tool) => (tool === undefined ? undefined : lists.get(tool)) ?? forAll
}

/**
 * The rule that decides: the most specific match; of equals, the older one (docs/policy.md#rules).
 */
export function mostSpecific(
  rules: readonly EnforcedRule[],
  facts: RuleFacts,
): EnforcedRule | undefined {
  return ruleIndex(rules)
    .routing(facts.toolName)
    .find((rule) => isAbout(rule, facts))
}

/** The most specific first: of the rules that match a call, the first decides. */
export function bySpecificity<R extends Pick<Rule, 'id' | 'match'>>(rules: readonly R[]): R[] {
  return rules.toSorted((a, b) => compare(rank(b.match), rank(a.match)) || byAge(a, b))
}

/**
 * Exact target, then the longer prefix, then tool, then repository, then the number of named
 * fields.
 */
function rank(match: Rule['match']): number[] {
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

function byAge(a: Pick<Rule, 'id'>, b: Pick<Rule, 'id'>): number {
  return a.id < b.id ? -1 : 1
}
