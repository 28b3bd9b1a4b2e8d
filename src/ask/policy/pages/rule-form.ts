import type { Draft, Wrong } from '../../../platform/web/form.tsx'
import { draftOf, readFields } from '../../../platform/web/form-schema.ts'
import type { ListedPerson } from '../../accounts/model/person-store.ts'
import type { Group } from '../../groups/model/group.ts'
import { readDraft } from '../../pages/read-fields.ts'
import type { Voters } from '../../votes/model/standing.ts'
import type { Rule, RuleParts, RuleSet } from '../model/rule.ts'
import type { RuleApprove } from '../model/rule-approve.ts'
import type { RuleMatch } from '../model/rule-match.ts'
import { ownersAmong, stepFindings } from '../step-findings.ts'
import { wrongRule } from '../write-rule.ts'
import { approveDraft, approveIn, approveOf, wrongApprove } from './approver-fields.tsx'
import { nextIn, personIdsOf, wrongNext } from './fail-over-fields.tsx'
import { readProven } from './owner-field.tsx'
import {
  ACTS_FIELDS,
  DECISION_FIELDS,
  MATCH_FIELDS,
  RULE_TITLES,
  SET_FIELDS,
} from './rule-fields.ts'

/** A rule as form values. */
export function ruleDraft({ match, set, decision, approve, mode }: Rule): Draft {
  return {
    ...draftOf(MATCH_FIELDS, match),
    owner: match.owner ?? '',
    ...draftOf(DECISION_FIELDS, { decision }),
    ...draftOf(ACTS_FIELDS, { mode }),
    ...draftOf(SET_FIELDS, set),
    next: (set.failoverTo ?? []).join(' '),
    ...approveDraft(approve),
  }
}

/** Whom a rule can name. */
export type RulePeople = {
  people: readonly ListedPerson[]
  groups: readonly Group[]
  voters: Voters
}

/** A rule as it was typed, and what is wrong with it. */
export type TypedRule = { draft: Draft; wrong: Wrong } & RuleParts

/** The submitted form: the rule, and its errors. A form without a field leaves its value. */
export function readRuleForm(
  form: URLSearchParams,
  earlier: Rule | undefined,
  { people, groups, voters }: RulePeople,
): TypedRule {
  const before = earlier ? ruleDraft(earlier) : {}
  const names = [...groups, ...people]
  const matches = readFields(MATCH_FIELDS, form, before)
  const proven = readProven(form, earlier?.match, names)
  const decisions = readFields(DECISION_FIELDS, form, before)
  const acts = readFields(ACTS_FIELDS, form, before)
  const sets = readFields(SET_FIELDS, form, before)
  const draft: Draft = {
    ...matches.draft,
    ...proven.draft,
    ...decisions.draft,
    ...acts.draft,
    ...sets.draft,
    next: form.has('next') ? nextIn(form) : (before.next ?? ''),
    ...approveIn(form, before),
  }
  const next = personIdsOf(draft)
  const match: RuleMatch = { ...matches.value, ...proven.value }
  const set: RuleSet = { ...sets.value, ...(next.length > 0 ? { failoverTo: next } : {}) }
  const { decision } = decisions.value
  const { mode } = acts.value
  const approve = approveOf(draft, earlier?.approve, names)
  const wrong = new Map([
    ...wrongTogether({ match, set, decision, approve, mode }),
    ...wrongSteps(approve, { people, voters }),
    ...wrongApprove(draft, names),
    ...matches.wrong,
    ...proven.wrong,
    ...decisions.wrong,
    ...acts.wrong,
    ...sets.wrong,
  ])
  const wrongPeople = form.has('next') ? wrongNext(next, people) : undefined
  if (wrongPeople) wrong.set('next', wrongPeople)
  return { draft, match, set, decision, approve, mode, wrong }
}

/** Steps that tell nobody who may decide. */
function wrongSteps(
  approve: RuleApprove | undefined,
  { people, voters }: Pick<RulePeople, 'people' | 'voters'>,
): Array<[string, string]> {
  if (!approve) return []
  const owners = ownersAmong(people)
  const findings = stepFindings(approve, { voters, owners })
  const [first] = findings.filter(({ level }) => level === 'error')
  return first ? [['escalate', `Line ${first.at + 1} ${first.must}.`]] : []
}

/** The fields that an address names, for a new rule; nothing of it is saved. */
export function draftIn(address: URLSearchParams): Draft {
  return readDraft(address, Object.keys(RULE_TITLES))
}

// The fields of the form and what they say, by what is wrong with the rule.
const TOGETHER: Readonly<Record<string, readonly [field: string, sentence: string]>> = {
  match: ['agentName', 'Name at least one thing. What holds for all calls is the policy.'],
  'match.toolName': ['toolName', 'Name the tool that may be used without asking.'],
  approve: ['decision', 'Either people decide or the rule does: leave one of them out.'],
  mode: ['acts', 'Only a rule that says who decides, or that declines, can watch.'],
  set: ['mode', 'Change at least one thing, or the rule does nothing.'],
}

/** The errors of a rule that the rules of single fields do not catch. */
function wrongTogether(parts: RuleParts): Map<string, string> {
  const all = wrongRule(parts).map(({ field }) => TOGETHER[field])
  return new Map(all.filter((one) => one !== undefined))
}
