import { codePoints } from '../../../platform/text.ts'
import { coversCommands } from '../../questions/model/command-rule.ts'
import type { AskDraft } from '../../questions/model/question.ts'
import { readingOf } from '../../questions/model/reading.ts'
import { isLegible } from '../../questions/model/shown-whole.ts'
import { JOINED } from '../../wire/command-words.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import { widens } from '../../wire/tool-settings.ts'
import type { EnforcedRule, Rule, RuleFacts } from './rule.ts'
import { ruleFactsOf } from './rule-facts.ts'
import { mostSpecific } from './rule-index.ts'

/** A rule decided an approval instead of a person. */
export type RuleDecided = { decision: 'allow' | 'deny'; rule: Rule }

// As much as a hook reports of a target: one this long may be incomplete.
const TARGET_MAX = 80
// The same for its name.
const NAME_MAX = 100

/**
 * Returns the decision of the rules about an approval before anybody is asked: the best matching
 * rule decides, if it decides at all. A rule never allows what looks hard to undo, what is not
 * whole in the question, what a setting widens, nor a path outside the agreed scope. It allows a
 * command only if that was read to its end and every part of it fits (docs/policy.md#rules).
 */
export function decidedByRule(
  rules: readonly EnforcedRule[],
  draft: AskDraft,
  token: Pick<RuleFacts, 'token' | 'owners'> = {},
): RuleDecided | undefined {
  const rule = mostSpecific(rules, { ...ruleFactsOf(draft), ...token })
  if (!rule) return undefined
  if (rule.decision === 'deny') return { decision: 'deny', rule }
  return rule.decision === 'allow' && mayAllow(rule, draft)
    ? { decision: 'allow', rule }
    : undefined
}

/**
 * Returns the match of a rule that allows exactly this command from now on; undefined if no rule
 * could. A rule for a file would allow any change of it, and one that ends in * is for more than
 * this.
 */
export function exactRule(draft: AskDraft): Rule['match'] | undefined {
  const { repoKey, workspaceId, createdAt, detail } = draft
  const { toolName, toolTarget, action } = detail
  if (toolName === undefined || toolTarget === undefined || toolTarget !== action) return undefined
  if (toolTarget.endsWith('*')) return undefined
  const match = { toolName, toolTarget, ...(repoKey === undefined ? {} : { repoKey }) }
  const rule = { id: 'rule_', workspaceId, match, set: {}, decision: 'allow', createdAt } as const
  return decidedByRule([rule], draft) ? match : undefined
}

function mayAllow({ match }: Rule, draft: AskDraft): boolean {
  const { scopePath, toolName = '', toolTarget = '', action = '' } = draft.detail
  if (scopePath !== undefined || !isLegible(draft)) return false
  if (codePoints(toolName) >= NAME_MAX) return false
  if (draft.detail.toolSettings?.some(widens)) return false
  if (looksDestructive(withoutRuleTool(match, draft))) return false
  const reading = readingOf(draft)
  if (reading && reading.open.length > 0) return false
  const { toolTarget: pattern } = match
  if (pattern === undefined) return true
  if (toolTarget.length >= TARGET_MAX) return false
  if (reading) return !pattern.endsWith('*') || coversCommands(pattern, reading)
  return !JOINED.test(toolTarget) && !JOINED.test(action) && isSpelledOut(pattern, toolTarget)
}

/** Whoever made a rule for a tool by name has read that name, and what its server says of it. */
function withoutRuleTool({ toolName }: Rule['match'], { question, detail }: AskDraft) {
  if (toolName === undefined || toolName.includes('*')) return { question, detail }
  const { toolName: _, gate, ...rest } = detail
  return { question, detail: gate?.cut ? { ...rest, gate: { cut: gate.cut } } : rest }
}

/**
 * Returns true if the pattern matches a path or a name, rather than a command, and the match ends
 * at the end of a word.
 */
function isSpelledOut(pattern: string, target: string): boolean {
  if (!pattern.endsWith('*')) return true
  const prefix = pattern.slice(0, -1)
  const rest = target.slice(prefix.length)
  const isPlain = !/[$`*?[\]{}~]/.test(rest) && !rest.split('/').includes('..')
  return isPlain && (!/[\p{L}\p{N}_]$/u.test(prefix) || /^(\s|$)/.test(rest))
}
