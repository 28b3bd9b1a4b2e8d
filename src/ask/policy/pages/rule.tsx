/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm, WrongFields } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { SchemaField, SchemaFields } from '../../../platform/web/schema-field.tsx'
import type { Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import type { Group } from '../../groups/model/group.ts'
import { listGroups } from '../../groups/model/store.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { tagsInUse } from '../../subscribers/tags-in-use.ts'
import { readVoters } from '../../votes/read-voters.ts'
import { addRule, changeRule } from '../change-policy.ts'
import type { Rule, RuleId } from '../model/rule.ts'
import type { Policies } from '../model/store.ts'
import { recentNames, type Trial, tryRule } from '../try-rule.ts'
import { moreWords } from './approve-words.tsx'
import { ApproverFields } from './approver-fields.tsx'
import { FailOverFields } from './fail-over-fields.tsx'
import type { Nameable } from './nameable.ts'
import { OwnerField } from './owner-field.tsx'
import type { RuleNames } from './policy-words.ts'
import {
  ACTS_FIELDS,
  DECISION_FIELDS,
  MATCH_FIELDS,
  RULE_TITLES,
  SET_FIELDS,
} from './rule-fields.ts'
import { draftIn, type RulePeople, readRuleForm, ruleDraft, type TypedRule } from './rule-form.ts'
import { type FromQuestion, FromQuestionWords, ruleFromQuestion } from './rule-from-question.tsx'
import { TriedRule } from './tried-rule.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

const FINE: TypedRule['wrong'] = new Map()

/** `/settings/rules/new`, filled in with what the address names, or for the call of a question. */
export async function showNewRule(deps: Deps, visit: SignedIn): Promise<Response> {
  if (await comesFromFile(deps, visit)) return seeOther(paths.rules)
  const { searchParams } = visit.url
  const from = await ruleFromQuestion(deps, visit, searchParams.get('question'))
  const typed = { match: {}, set: {}, decision: undefined, wrong: FINE }
  const draft = from?.draft ?? draftIn(searchParams)
  return rulePage(deps, visit, { ...typed, draft }, undefined, from)
}

/** Adds the rule, tries it first where that was asked for, or shows it again with its errors. */
export async function saveNewRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = readRuleForm(form, undefined, await readRulePeople(deps, visit))
  const from = await ruleFromQuestion(deps, visit, form.get('question'))
  if (typed.wrong.size > 0) return rulePage(deps, visit, typed, undefined, from)
  if (form.has('try')) return rulePage(deps, visit, typed, await tried(deps, visit, typed), from)
  const { workspaceId, id: by } = visit.person
  const { id } = await addRule(deps, workspaceId, partsOf(typed), by)
  // It holds from the next call on: this one still waits.
  if (from) return seeOther(`${href.decide(from.question.id)}?ruled`)
  return seeOther(`${paths.rules}#rule-${id}`)
}

/** `/settings/rules/ID`. */
export async function showRule(deps: Deps, visit: SignedIn): Promise<Response> {
  if (await comesFromFile(deps, visit)) return seeOther(paths.rules)
  const rule = await find(deps, visit)
  const typed = { ...rule, draft: ruleDraft(rule), wrong: FINE }
  return rulePage(deps, visit, typed, await tried(deps, visit, rule))
}

/** As `saveNewRule`, for a rule that is there. */
export async function saveRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const rule = await find(deps, visit)
  if (form.has('act')) return makeAct(deps, visit, rule)
  const typed = readRuleForm(form, rule, await readRulePeople(deps, visit))
  if (typed.wrong.size > 0) return rulePage(deps, visit, typed)
  if (form.has('try')) return rulePage(deps, visit, typed, await tried(deps, visit, typed))
  const { workspaceId, id: by } = visit.person
  await changeRule(deps, workspaceId, rule.id, partsOf(typed), by)
  return seeOther(`${paths.rules}#rule-${rule.id}`)
}

/** "Make it act" in the list: nothing else of the rule changes. */
async function makeAct(deps: Deps, { person }: SignedIn, { id }: Rule): Promise<Response> {
  await changeRule(deps, person.workspaceId, id, { mode: 'enforce' }, person.id)
  return seeOther(`${paths.rules}#rule-${id}`)
}

function partsOf({ match, set, decision, approve, mode }: TypedRule) {
  return { match, set, decision, approve, mode }
}

async function find(deps: Deps, { person, params }: SignedIn): Promise<Rule> {
  const { allRules } = await deps.policies.of(person.workspaceId)
  const rule = allRules.find(({ id }) => id === params.id)
  if (!rule) throw notFound()
  return rule
}

/** Then there is nothing to change here; the list says so. */
async function comesFromFile({ policies }: Deps, { person }: SignedIn): Promise<boolean> {
  return (await policies.of(person.workspaceId)).origin !== undefined
}

async function readRulePeople({ db }: Deps, { person }: SignedIn): Promise<RulePeople> {
  const { workspaceId } = person
  return {
    people: await listPeople(db.read, workspaceId),
    groups: await listGroups(db.read, workspaceId),
    voters: await readVoters(db.read, workspaceId),
  }
}

/** A new rule is younger than all others: of equals, the older one decides. */
function tried(
  deps: Deps,
  visit: SignedIn,
  { match, set, decision, approve }: Pick<Rule, 'match' | 'set' | 'decision' | 'approve'>,
): Promise<Trial> {
  const id = (visit.params.id ?? 'rule_~') as RuleId
  const { workspaceId } = visit.person
  const createdAt = visit.moment.now
  return tryRule(deps, { id, workspaceId, match, set, decision, approve, createdAt })
}

async function rulePage(
  deps: Deps,
  visit: SignedIn,
  typed: TypedRule,
  trial?: Trial,
  from?: FromQuestion,
): Promise<Response> {
  const { workspaceId } = visit.person
  const { wrong } = typed
  const id = visit.params.id as RuleId | undefined
  const names = await recentNames(deps, visit.person)
  const { people, groups } = await readRulePeople(deps, visit)
  const title = id ? 'Change the rule' : 'New rule'
  return html(
    <Layout
      visit={visit}
      title={title}
      section="settings"
      back={{ to: paths.rules, name: 'Back to the rules' }}
    >
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      {from && <FromQuestionWords {...from} />}
      <WrongFields wrong={wrong} labels={RULE_TITLES} />
      {trial && <TriedRule rule={typed} trial={trial} names={namesById(groups, people)} />}
      <form method="post" action={id ? href.rule(id) : paths.newRule} class="requests">
        {from && <input type="hidden" name="question" value={from.question.id} />}
        <MatchFields typed={typed} known={names} owners={[...groups, ...people]} />
        <SetFields
          typed={typed}
          tags={await tagsInUse(deps, workspaceId)}
          people={people}
          groups={groups}
        />
        <div class="thing-do">
          <button type="submit" class="primary">
            {id ? 'Save the rule' : 'Add the rule'}
          </button>
          <button type="submit" name="try" value="yes">
            Try it on the last calls
          </button>
        </div>
      </form>
    </Layout>,
    wrong.size > 0 ? 422 : 200,
  )
}

function namesById(
  ...lists: ReadonlyArray<ReadonlyArray<{ id: string; name: string }>>
): RuleNames {
  return new Map(lists.flat().map(({ id, name }) => [id, name]))
}

type MatchProps = {
  typed: TypedRule
  known: Awaited<ReturnType<typeof recentNames>>
  owners: readonly Nameable[]
}

function MatchFields({ typed: { draft, wrong, match }, known: names, owners }: MatchProps) {
  const typed = { draft, wrong }
  const { toolName, toolTarget, agentName, repoKey, machineId } = MATCH_FIELDS
  return (
    <>
      <h2>When all of this matches</h2>
      <p class="rule">Fields left empty match every call. What was seen lately is suggested.</p>
      <div class="two">
        <SchemaField field={toolName} offers={names.tools} {...typed} />
        <SchemaField field={toolTarget} offers={names.targets} {...typed} />
        <SchemaField field={agentName} offers={names.agents} {...typed} />
        <SchemaField field={repoKey} offers={names.repos} {...typed} />
        <SchemaField field={machineId} offers={names.machines} {...typed} />
        <OwnerField names={owners} {...typed} />
      </div>
      {match.token !== undefined && (
        <p class="rule">It is for one token alone. Saving the form keeps that.</p>
      )}
    </>
  )
}

type SetProps = {
  typed: TypedRule
  tags: string
  people: readonly Person[]
  groups: readonly Group[]
}

function SetFields({ typed: { draft, wrong, set, approve }, tags, people, groups }: SetProps) {
  const typed = { draft, wrong }
  const { deliveryMode, onTimeout, waitMs, graceMs, failoverMs } = SET_FIELDS
  // Values that are there stay in sight, whatever is decided.
  const isPlain = Object.keys(set).length === 0 && wrong.size === 0
  return (
    <>
      <h2>Then</h2>
      <SchemaFields of={[DECISION_FIELDS.decision]} {...typed} />
      <ApproverFields
        people={people}
        groups={groups}
        more={approve ? moreWords(approve, namesById(groups, people)) : ''}
        {...typed}
      />
      <SchemaFields of={[ACTS_FIELDS.mode]} {...typed} />
      <p class="rule when-allowed">What deserves a second look is asked, as the policy says.</p>
      <div class={isPlain ? 'when-asked' : undefined}>
        <p class="rule">How it is asked. Fields left empty follow the policy.</p>
        <SchemaFields of={[deliveryMode, onTimeout]} {...typed} />
        <div class="two">
          <SchemaFields of={[waitMs, graceMs]} {...typed} />
          <SchemaField field={SET_FIELDS.tags} {...typed}>
            {tags}
          </SchemaField>
        </div>
        <FailOverFields failover={failoverMs} people={people} {...typed} />
      </div>
    </>
  )
}
