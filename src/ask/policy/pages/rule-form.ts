import { durationWords, readDuration } from '../../../platform/duration.ts'
import { shape } from '../../../platform/schema.ts'
import { cleanLine } from '../../../platform/text.ts'
import { wrongDuration } from '../../../platform/web/duration-field.tsx'
import type { Draft, Wrong } from '../../../platform/web/form.tsx'
import { formField } from '../../../platform/web/form.tsx'
import type { Person } from '../../accounts/model/person.ts'
import { readDraft, tagsOf, wrongTags } from '../../pages/read-fields.ts'
import type { DeliveryMode, OnTimeout } from '../../wire/delivery-mode.ts'
import { FAILOVER_LIMITS, GRACE_LIMITS, WAIT_LIMITS } from '../model/policy.ts'
import { RULE_DECISIONS, type Rule, RuleMatch, RuleSet } from '../model/rule.ts'
import { FAILOVER_LABELS, nextIn, personIdsOf, wrongNext } from './fail-over-fields.tsx'

/** The labels of a rule's fields. */
export const RULE_LABELS = {
  agentName: 'Agent',
  toolName: 'Tool',
  toolTarget: 'On what',
  repoKey: 'Repository',
  machineId: 'Machine',
  decision: 'Decision',
  mode: 'Delivery mode',
  onTimeout: 'On no answer',
  wait: 'Wait',
  grace: 'Phone delay',
  tags: 'Only devices tagged',
  ...FAILOVER_LABELS,
}

type Name = keyof typeof RULE_LABELS

const NAMES = Object.keys(RULE_LABELS) as Name[]
const MATCHES = ['agentName', 'toolName', 'toolTarget', 'repoKey', 'machineId'] as const

const SENTENCES: Record<string, [Name, string]> = {
  deliveryMode: ['mode', 'Choose one of those offered.'],
  waitMs: ['wait', wrongDuration(WAIT_LIMITS)],
  graceMs: ['grace', wrongDuration(GRACE_LIMITS)],
  failoverMs: ['failover', wrongDuration(FAILOVER_LIMITS)],
  onTimeout: ['onTimeout', 'Choose one of those offered.'],
}

const matchShape = shape(RuleMatch)
const setShape = shape(RuleSet)

/** A rule as form values. */
export function ruleDraft({ match, set, decision }: Rule): Draft {
  const { deliveryMode = '', waitMs, graceMs, tags = [], onTimeout = '' } = set
  const { failoverMs, failoverTo = [] } = set
  return {
    ...match,
    decision: decision ?? '',
    mode: deliveryMode,
    onTimeout,
    wait: waitMs === undefined ? '' : durationWords(waitMs),
    grace: graceMs === undefined ? '' : durationWords(graceMs),
    tags: tags.join(', '),
    failover: failoverMs === undefined ? '' : durationWords(failoverMs),
    next: failoverTo.join(' '),
  }
}

/** A rule as it was typed, and what is wrong with it. */
export type TypedRule = { draft: Draft; wrong: Wrong } & Pick<Rule, 'match' | 'set' | 'decision'>

/**
 * The submitted form: the rule, and its errors. A form without a decision or a fail-over leaves
 * them as they were.
 */
export function readRuleForm(
  form: URLSearchParams,
  earlier: Rule | undefined,
  people: readonly Person[],
): TypedRule {
  const decision = form.has('decision') ? decisionIn(form) : earlier?.decision
  const before = earlier ? ruleDraft(earlier) : {}
  const draft: Record<Name, string> = {
    ...(readDraft(form, NAMES) as Record<Name, string>),
    failover: form.has('failover') ? formField(form, 'failover') : (before.failover ?? ''),
    next: form.has('next') ? nextIn(form) : (before.next ?? ''),
  }
  const next = personIdsOf(draft)
  const pairs = MATCHES.map((name) => [name, cleanLine(draft[name])] as const)
  const match: RuleMatch = Object.fromEntries(pairs.filter(([, text]) => text !== ''))
  const tags = tagsOf(draft.tags)
  const set: RuleSet = {
    ...(draft.mode === '' ? {} : { deliveryMode: draft.mode as DeliveryMode }),
    ...(draft.wait === '' ? {} : { waitMs: readDuration(draft.wait) }),
    ...(draft.grace === '' ? {} : { graceMs: readDuration(draft.grace) }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(draft.failover === '' ? {} : { failoverMs: readDuration(draft.failover) }),
    ...(next.length === 0 ? {} : { failoverTo: next }),
    ...(draft.onTimeout === '' ? {} : { onTimeout: draft.onTimeout as OnTimeout }),
  }
  const wrong = wrongOf(match, set, decision)
  const wrongPeople = form.has('next') ? wrongNext(next, people) : undefined
  if (wrongPeople) wrong.set('next', wrongPeople)
  return { draft, match, set, decision, wrong }
}

/** The fields that an address names, for a new rule; nothing of it is saved. */
export function draftIn(address: URLSearchParams): Draft {
  return readDraft(address, NAMES)
}

function decisionIn(form: URLSearchParams): Rule['decision'] {
  return RULE_DECISIONS.find((decision) => decision === form.get('decision'))
}

function wrongOf(match: RuleMatch, set: RuleSet, decision: Rule['decision']) {
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
