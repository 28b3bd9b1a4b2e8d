/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { DurationField } from '../../../platform/web/duration-field.tsx'
import { FormField, readForm, WrongFields } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { tagsInUse } from '../../subscribers/tags-in-use.ts'
import { addRule, changeRule } from '../change-policy.ts'
import { GRACE_LIMITS, WAIT_LIMITS } from '../model/policy.ts'
import type { Rule, RuleId } from '../model/rule.ts'
import type { Policies } from '../model/store.ts'
import { recentNames, type Trial, tryRule } from '../try-rule.ts'
import { FailOverFields } from './fail-over-fields.tsx'
import { DecisionField, ModeField, OnTimeoutField } from './rule-fields.tsx'
import { draftIn, RULE_LABELS, readRuleForm, ruleDraft, type TypedRule } from './rule-form.ts'
import { type FromQuestion, FromQuestionWords, ruleFromQuestion } from './rule-from-question.tsx'
import { TriedRule } from './tried-rule.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

const FINE: TypedRule['wrong'] = new Map()

/** `/settings/rules/new`, filled in with what the address names, or for the call of a question. */
export async function showNewRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const { searchParams } = visit.url
  const from = await ruleFromQuestion(deps, visit, searchParams.get('question'))
  const typed = { match: {}, set: {}, decision: undefined, wrong: FINE }
  const draft = from?.draft ?? draftIn(searchParams)
  return rulePage(deps, visit, { ...typed, draft }, undefined, from)
}

/** Adds the rule, tries it first where that was asked for, or shows it again with its errors. */
export async function saveNewRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = readRuleForm(form, undefined, await peopleOf(deps, visit))
  const from = await ruleFromQuestion(deps, visit, form.get('question'))
  if (typed.wrong.size > 0) return rulePage(deps, visit, typed, undefined, from)
  if (form.has('try')) return rulePage(deps, visit, typed, await tried(deps, visit, typed), from)
  const { match, set, decision } = typed
  const { workspaceId, id: by } = visit.person
  const { id } = await addRule(deps, workspaceId, { match, set, decision }, by)
  // It holds from the next call on: this one still waits.
  if (from) return seeOther(`${href.decide(from.question.id)}?ruled`)
  return seeOther(`${paths.rules}#rule-${id}`)
}

/** `/settings/rules/ID`. */
export async function showRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const rule = await find(deps, visit)
  const typed = { ...rule, draft: ruleDraft(rule), wrong: FINE }
  return rulePage(deps, visit, typed, await tried(deps, visit, rule))
}

/** As `saveNewRule`, for a rule that is there. */
export async function saveRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const rule = await find(deps, visit)
  const typed = readRuleForm(form, rule, await peopleOf(deps, visit))
  if (typed.wrong.size > 0) return rulePage(deps, visit, typed)
  if (form.has('try')) return rulePage(deps, visit, typed, await tried(deps, visit, typed))
  const { match, set, decision } = typed
  const { workspaceId, id: by } = visit.person
  await changeRule(deps, workspaceId, rule.id, { match, set, decision }, by)
  return seeOther(`${paths.rules}#rule-${rule.id}`)
}

async function find(deps: Deps, { person, params }: SignedIn): Promise<Rule> {
  const { rules } = await deps.policies.of(person.workspaceId)
  const rule = rules.find(({ id }) => id === params.id)
  if (!rule) throw notFound()
  return rule
}

function peopleOf({ db }: Deps, { person }: SignedIn): Promise<Person[]> {
  return listPeople(db.read, person.workspaceId)
}

/** A new rule is younger than all others: of equals, the older one decides. */
function tried(
  deps: Deps,
  visit: SignedIn,
  { match, set, decision }: Pick<Rule, 'match' | 'set' | 'decision'>,
): Promise<Trial> {
  const id = (visit.params.id ?? 'rule_~') as RuleId
  const { workspaceId } = visit.person
  return tryRule(deps, { id, workspaceId, match, set, decision, createdAt: visit.moment.now })
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
  const names = await recentNames(deps, workspaceId)
  const people = await peopleOf(deps, visit)
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
      <WrongFields wrong={wrong} labels={RULE_LABELS} />
      {trial && <TriedRule rule={typed} trial={trial} />}
      <form method="post" action={id ? href.rule(id) : paths.newRule} class="requests">
        {from && <input type="hidden" name="question" value={from.question.id} />}
        <MatchFields typed={typed} known={names} />
        <SetFields typed={typed} tags={await tagsInUse(deps, workspaceId)} people={people} />
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

type MatchProps = { typed: TypedRule; known: Awaited<ReturnType<typeof recentNames>> }

function MatchFields({ typed: { draft, wrong }, known: names }: MatchProps) {
  const fields = { draft, wrong }
  return (
    <>
      <h2>When all of this matches</h2>
      <p class="rule">Fields left empty match every call. What was seen lately is suggested.</p>
      <div class="two">
        <FormField
          name="toolName"
          label={RULE_LABELS.toolName}
          placeholder="Bash"
          offers={names.tools}
          {...fields}
        />
        <FormField
          name="toolTarget"
          label={RULE_LABELS.toolTarget}
          placeholder="git push*"
          offers={names.targets}
          {...fields}
        >
          A * at the end matches everything that begins like it.
        </FormField>
        <FormField
          name="agentName"
          label={RULE_LABELS.agentName}
          placeholder="Codex - shop"
          offers={names.agents}
          {...fields}
        />
        <FormField name="repoKey" label={RULE_LABELS.repoKey} offers={names.repos} {...fields} />
        <FormField
          name="machineId"
          label={RULE_LABELS.machineId}
          offers={names.machines}
          {...fields}
        />
      </div>
    </>
  )
}

type SetProps = { typed: TypedRule; tags: string; people: readonly Person[] }

function SetFields({ typed: { draft, wrong }, tags, people }: SetProps) {
  const fields = { draft, wrong }
  return (
    <>
      <h2>Then</h2>
      <p class="rule">Fields left empty follow the policy.</p>
      <DecisionField draft={draft} />
      <ModeField draft={draft} wrong={wrong} />
      <OnTimeoutField draft={draft} />
      <div class="two">
        <DurationField name="wait" label={RULE_LABELS.wait} {...WAIT_LIMITS} {...fields} />
        <DurationField name="grace" label={RULE_LABELS.grace} {...GRACE_LIMITS} {...fields} />
        <FormField name="tags" label={RULE_LABELS.tags} placeholder="work, phone" {...fields}>
          {tags || undefined}
        </FormField>
      </div>
      <FailOverFields {...fields} people={people} off="With 0 nobody else is told." />
    </>
  )
}
