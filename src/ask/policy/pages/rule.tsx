/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { durationWords, readDuration } from '../../../platform/duration.ts'
import type { WorkspaceId } from '../../../platform/ids.ts'
import { shape } from '../../../platform/schema.ts'
import { cleanLine } from '../../../platform/text.ts'
import { DurationField, wrongDuration } from '../../../platform/web/duration-field.tsx'
import { readForm } from '../../../platform/web/form.ts'
import {
  type Draft,
  FieldProblem,
  FormField,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form-field.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { tagsInUse } from '../../devices/pages/tags-in-use.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import { readDraft, tagsOf, wrongTags } from '../../pages/read-fields.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { readSessions } from '../../sessions/read-sessions.ts'
import { addRule, changeRule } from '../change-policy.ts'
import type { Policies } from '../model/policies.ts'
import { DELIVERY_MODES, type DeliveryMode, GRACE_LIMITS, WAIT_LIMITS } from '../model/policy.ts'
import {
  ON_TIMEOUT,
  type OnTimeout,
  RULE_DECISIONS,
  type Rule,
  RuleMatch,
  RuleSet,
} from '../model/rule.ts'
import { MODE_WORDS, ON_TIMEOUT_WORDS } from './policy-words.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

const FINE: Wrong = new Map()

/** `/settings/rules/new`. */
export function showNewRule(deps: Deps, visit: SignedIn): Promise<Response> {
  return rulePage(deps, visit, undefined, NO_RULE, FINE)
}

export async function saveNewRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { draft, match, set, decision, wrong } = readRuleForm(form, undefined)
  if (wrong.size > 0) return rulePage(deps, visit, undefined, draft, wrong)
  const { workspaceId, id: by } = visit.person
  const { id } = await addRule(deps, workspaceId, { match, set, decision }, by)
  return seeOther(`${paths.rules}#rule-${id}`)
}

/** `/settings/rules/ID`. */
export async function showRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const rule = await find(deps, visit)
  return rulePage(deps, visit, rule, ruleDraft(rule), FINE)
}

export async function saveRule(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const rule = await find(deps, visit)
  const { draft, match, set, decision, wrong } = readRuleForm(form, rule.decision)
  if (wrong.size > 0) return rulePage(deps, visit, rule, draft, wrong)
  const changes = { match, set, decision }
  await changeRule(deps, visit.person.workspaceId, rule.id, changes, visit.person.id)
  return seeOther(`${paths.rules}#rule-${rule.id}`)
}

async function find(deps: Deps, { person, params }: SignedIn): Promise<Rule> {
  const { rules } = await deps.policies.of(person.workspaceId)
  const rule = rules.find(({ id }) => id === params.id)
  if (!rule) throw notFound()
  return rule
}

async function rulePage(
  deps: Deps,
  visit: SignedIn,
  rule: Rule | undefined,
  draft: Draft,
  wrong: Wrong,
): Promise<Response> {
  const known = await knownNames(deps, visit.person.workspaceId)
  const tags = await tagsInUse(deps, visit.person.workspaceId)
  const fields = { draft, wrong }
  const title = rule ? 'Change the rule' : 'New rule'
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
      <WrongFields wrong={wrong} labels={RULE_LABELS} />
      <form method="post" action={rule ? href.rule(rule.id) : paths.newRule} class="wishes">
        <h2>When all of this matches</h2>
        <p class="rule">Fields left empty match every call.</p>
        <div class="two">
          <FormField name="toolName" label={RULE_LABELS.toolName} placeholder="Bash" {...fields} />
          <FormField
            name="toolTarget"
            label={RULE_LABELS.toolTarget}
            placeholder="git push*"
            {...fields}
          >
            A * at the end matches everything that begins like it.
          </FormField>
          <FormField
            name="agentName"
            label={RULE_LABELS.agentName}
            placeholder="Codex - shop"
            offers={known.agents}
            {...fields}
          />
          <FormField name="repoKey" label={RULE_LABELS.repoKey} offers={known.repos} {...fields} />
          <FormField
            name="machineId"
            label={RULE_LABELS.machineId}
            offers={known.machines}
            {...fields}
          />
        </div>
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
        <button type="submit" class="primary">
          {rule ? 'Save the rule' : 'Add the rule'}
        </button>
      </form>
    </Layout>,
    wrong.size > 0 ? 422 : 200,
  )
}

function DecisionField({ draft }: { draft: Draft }) {
  return (
    <div class="field">
      <label for="decision">{RULE_LABELS.decision}</label>
      <p class="rule" id="decision-what">
        For what a hook asks before the tool is used. Nothing that looks hard to undo is allowed
        this way, nor a command with others joined to it.
      </p>
      <select id="decision" name="decision" aria-describedby="decision-what">
        {Object.entries(DECISION_CHOICES).map(([decision, words]) => (
          <option value={decision} selected={(draft.decision ?? '') === decision}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

const DECISION_CHOICES = {
  '': 'Ask me',
  allow: 'Allow without asking',
  deny: 'Decline without asking',
  ask: 'Ask me, whatever another rule says',
}

function ModeField({ draft, wrong }: { draft: Draft; wrong: Wrong }) {
  const problem = wrong.get('mode')
  return (
    <div class="field">
      <label for="mode">How it asks</label>
      <select
        id="mode"
        name="mode"
        aria-describedby={problem && 'mode-wrong'}
        aria-invalid={problem ? 'true' : undefined}
      >
        <option value="">As the policy says</option>
        {DELIVERY_MODES.map((mode) => (
          <option value={mode} selected={draft.mode === mode}>
            {MODE_WORDS[mode].name}
          </option>
        ))}
      </select>
      <FieldProblem name="mode" wrong={wrong} />
    </div>
  )
}

function OnTimeoutField({ draft }: { draft: Draft }) {
  return (
    <div class="field">
      <label for="onTimeout">{RULE_LABELS.onTimeout}</label>
      <p class="rule" id="onTimeout-what">
        Declined this way, the agent is told that nobody answered, and that no person said no.
      </p>
      <select id="onTimeout" name="onTimeout" aria-describedby="onTimeout-what">
        <option value="">As the policy says</option>
        {ON_TIMEOUT.map((value) => (
          <option value={value} selected={draft.onTimeout === value}>
            {ON_TIMEOUT_WORDS[value].name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Names that agents used lately, to choose from. */
async function knownNames(deps: Deps, workspaceId: WorkspaceId) {
  const sessions = (await readSessions(deps, workspaceId)).map(({ session }) => session)
  const distinct = (texts: Array<string | undefined>) =>
    [...new Set(texts)].filter((text) => text !== undefined && text !== '').slice(0, 30) as string[]
  return {
    agents: distinct(sessions.map(({ agentName }) => agentName)),
    repos: distinct(sessions.map(({ repoKey }) => repoKey)),
    machines: distinct(sessions.map(({ machineId }) => machineId)),
  }
}

/** The labels of a rule's fields. */
const RULE_LABELS = {
  agentName: 'Agent',
  toolName: 'Tool',
  toolTarget: 'On what',
  repoKey: 'Repository',
  machineId: 'Machine',
  decision: 'Approvals of this tool',
  mode: 'Then',
  onTimeout: 'On no answer',
  wait: 'Wait',
  grace: 'Phone delay',
  tags: 'Only devices tagged',
}

type Name = keyof typeof RULE_LABELS

const NAMES = Object.keys(RULE_LABELS) as Name[]
const MATCHES = ['agentName', 'toolName', 'toolTarget', 'repoKey', 'machineId'] as const

const SENTENCES: Record<string, [Name, string]> = {
  deliveryMode: ['mode', 'Choose one of those offered.'],
  waitMs: ['wait', wrongDuration(WAIT_LIMITS)],
  graceMs: ['grace', wrongDuration(GRACE_LIMITS)],
  onTimeout: ['onTimeout', 'Choose one of those offered.'],
}

const matchShape = shape(RuleMatch)
const setShape = shape(RuleSet)

const NO_RULE: Draft = {}

/** A rule as form values. */
function ruleDraft({ match, set, decision }: Rule): Draft {
  const { deliveryMode = '', waitMs, graceMs, tags = [], onTimeout = '' } = set
  return {
    ...match,
    decision: decision ?? '',
    mode: deliveryMode,
    onTimeout,
    wait: waitMs === undefined ? '' : durationWords(waitMs),
    grace: graceMs === undefined ? '' : durationWords(graceMs),
    tags: tags.join(', '),
  }
}

/** The submitted form: the rule, and its errors. A form without a decision leaves it as it was. */
function readRuleForm(form: URLSearchParams, earlier: Rule['decision']) {
  const decision = form.has('decision') ? decisionIn(form) : earlier
  const draft = readDraft(form, NAMES) as Record<Name, string>
  const named = MATCHES.map((name) => [name, cleanLine(draft[name])] as const)
  const match: RuleMatch = Object.fromEntries(named.filter(([, text]) => text !== ''))
  const tags = tagsOf(draft.tags)
  const set: RuleSet = {
    ...(draft.mode === '' ? {} : { deliveryMode: draft.mode as DeliveryMode }),
    ...(draft.wait === '' ? {} : { waitMs: readDuration(draft.wait) }),
    ...(draft.grace === '' ? {} : { graceMs: readDuration(draft.grace) }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(draft.onTimeout === '' ? {} : { onTimeout: draft.onTimeout as OnTimeout }),
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
