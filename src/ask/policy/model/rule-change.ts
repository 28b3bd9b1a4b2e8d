import type { RuleParts } from './rule.ts'

/** What happened to a rule: its parts now, and those before. */
export type RuleChange = { now?: RuleParts; before?: RuleParts }

/** Words a change as the detail of its row, `added: {…}`, for people and for programs. */
export function ruleChangeDetail({ now, before }: RuleChange): string {
  const parts = now && partsOf(now)
  if (!parts) return before ? `removed: ${JSON.stringify(partsOf(before))}` : 'removed'
  if (!before) return `added: ${JSON.stringify(parts)}`
  return `changed: ${JSON.stringify({ ...parts, before: partsOf(before) })}`
}

function partsOf({ match, set, decision, approve, mode }: RuleParts): RuleParts {
  return { match, set, decision, ...(approve && { approve }), ...(mode && { mode }) }
}

const DETAIL = /^(added|changed|removed): (\{.*\})$/s

/** Reads the detail of a row back; undefined if it says something else. */
export function readRuleChange(detail: string): RuleChange | undefined {
  const [, how, json = ''] = DETAIL.exec(detail) ?? []
  if (how === undefined) return undefined
  try {
    const { before, ...parts } = JSON.parse(json) as RuleParts & { before?: RuleParts }
    if (how === 'removed') return { before: parts }
    return before ? { now: parts, before } : { now: parts }
  } catch {
    return undefined
  }
}
