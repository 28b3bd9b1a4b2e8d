import { shape } from '../../../platform/schema.ts'
import { cleanLine } from '../../../platform/text.ts'
import type { Draft, Wrong } from '../../../platform/web/form-field.tsx'
import { msOf, readDraft, secondsOf, tagsOf, wrongTags } from '../../pages/read-fields.ts'
import type { DeliveryMode } from '../policy.ts'
import { RULE_DECISIONS, type Rule, RuleMatch, RuleSet } from '../rule.ts'

/** The fields of a rule by what the person calls them. */
export const RULE_LABELS = {
  agentName: 'Agent',
  toolName: 'Tool',
  toolTarget: 'On what',
  repoKey: 'Repository',
  machineId: 'Machine',
  decision: 'Approvals of this tool',
  mode: 'Then',
  wait: 'Seconds a call waits',
  grace: 'Seconds before phones ring',
  tags: 'Only devices tagged',
}

type Name = keyof typeof RULE_LABELS

const NAMES = Object.keys(RULE_LABELS) as Name[]
const MATCHES = ['agentName', 'toolName', 'toolTarget', 'repoKey', 'machineId'] as const

const SENTENCES: Record<string, [Name, string]> = {
  deliveryMode: ['mode', 'Choose one of those offered.'],
  waitMs: ['wait', 'Must be between 1 and 55.'],
  graceMs: ['grace', 'Must be between 0 and 55.'],
}

const matchShape = shape(RuleMatch)
const setShape = shape(RuleSet)

export const NO_RULE: Draft = {}

/** A rule as the form shows it. */
export function ruleDraft({ match, set, decision }: Rule): Draft {
  const { deliveryMode = '', waitMs, graceMs, tags = [] } = set
  return {
    ...match,
    decision: decision ?? '',
    mode: deliveryMode,
    wait: waitMs === undefined ? '' : secondsOf(waitMs),
    grace: graceMs === undefined ? '' : secondsOf(graceMs),
    tags: tags.join(', '),
  }
}

/**
 * The posted form: the rule it means, and what is wrong with it. One that does not speak of the
 * decision leaves it as it was.
 */
export function readRuleForm(form: URLSearchParams, earlier: Rule['decision']) {
  const decision = form.has('decision') ? decisionIn(form) : earlier
  const draft = readDraft(form, NAMES) as Record<Name, string>
  const named = MATCHES.map((name) => [name, cleanLine(draft[name])] as const)
  const match: RuleMatch = Object.fromEntries(named.filter(([, text]) => text !== ''))
  const tags = tagsOf(draft.tags)
  const set: RuleSet = {
    ...(draft.mode === '' ? {} : { deliveryMode: draft.mode as DeliveryMode }),
    ...(draft.wait === '' ? {} : { waitMs: msOf(draft.wait) }),
    ...(draft.grace === '' ? {} : { graceMs: msOf(draft.grace) }),
    ...(tags.length === 0 ? {} : { tags }),
  }
  return { draft: draft as Draft, match, set, decision, wrong: wrongOf(match, set, decision) }
}

function decisionIn(form: URLSearchParams): Rule['decision'] {
  return RULE_DECISIONS.find((decision) => decision === form.get('decision'))
}

function wrongOf(match: RuleMatch, set: RuleSet, decision: Rule['decision']): Wrong {
  const wrong = new Map<string, string>()
  if (Object.keys(match).length === 0) {
    wrong.set('agentName', 'Name at least one thing. What holds for all calls is the policy.')
  }
  if (decision === 'allow' && match.toolName === undefined) {
    wrong.set('toolName', 'Name the tool that may be used without asking.')
  }
  for (const { field, must } of matchShape.wrong(match)) wrong.set(field, `It ${must}.`)
  if (Object.keys(set).length === 0 && decision === undefined) {
    wrong.set('mode', 'Change at least one thing, or the rule does nothing.')
  }
  for (const { field } of setShape.wrong(set)) {
    const [name, sentence] = SENTENCES[field] ?? ['tags', wrongTags(set.tags ?? [])]
    wrong.set(name, sentence ?? 'Is not valid.')
  }
  return wrong
}
