/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { shape } from '../../../platform/schema.ts'
import { readForm } from '../../../platform/web/form.ts'
import {
  type Draft,
  FormField,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form-field.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { SecondsField } from '../../../platform/web/seconds-field.tsx'
import { may } from '../../accounts/model/may.ts'
import { OwnersChange } from '../../accounts/pages/owners-change.tsx'
import type { Targeting } from '../../devices/model/subscriber.ts'
import { tagsInUse } from '../../devices/pages/tags-in-use.ts'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import { msOf, readDraft, secondsOf, tagsOf, wrongTags } from '../../pages/read-fields.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { setPolicy } from '../change-policy.ts'
import type { Policies } from '../model/policies.ts'
import { DELIVERY_MODES, type DeliveryMode, type Policy, PolicyChanges } from '../model/policy.ts'
import { isTimeZone, QuietHours } from '../model/quiet-hours.ts'
import { CallPreview } from './call-preview.tsx'
import { MODE_WORDS } from './policy-words.ts'
import { readPreview } from './read-preview.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

const FINE: Wrong = new Map()

/** `/settings/policy`: how agents may reach the people of this workspace. */
export async function showPolicy(deps: Deps, visit: SignedIn): Promise<Response> {
  const { policy } = await deps.policies.of(visit.person.workspaceId)
  return policyPage(deps, visit, policyDraft(policy, visit.moment.zone), FINE)
}

/** Saves the form, or shows it again with what was typed and its errors. */
export async function savePolicy(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { workspaceId, id } = visit.person
  const { policy } = await deps.policies.of(workspaceId)
  const { draft, changes, wrong } = readPolicyForm(form, policy)
  if (wrong.size > 0) return policyPage(deps, visit, draft, wrong)
  await setPolicy(deps, workspaceId, changes, id)
  return seeOther(`${paths.policy}?saved`)
}

async function policyPage(deps: Deps, visit: SignedIn, draft: Draft, wrong: Wrong) {
  const { policy, rules } = await deps.policies.of(visit.person.workspaceId)
  const preview = await readPreview(deps, visit)
  const tags = await tagsInUse(deps, visit.person.workspaceId)
  const saved = wrong.size === 0 && visit.url.searchParams.has('saved')
  return html(
    <Layout
      visit={visit}
      title="Policy"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Policy</h1>
        <p class="sub">
          How agents may reach you. <a href={paths.rules}>{rulesSentence(rules.length)}</a>
        </p>
      </div>
      {saved && (
        <p class="result good" role="status">
          <Icon name="check" />
          <span>Saved. It applies from the next question on.</span>
        </p>
      )}
      <WrongFields wrong={wrong} labels={POLICY_LABELS} />
      <Wishes visit={visit}>
        <Modes draft={draft} />
        <SecondsField name="wait" label={POLICY_LABELS.wait} draft={draft} wrong={wrong}>
          The agent waits this long. The question stays open for ten minutes in any case.
        </SecondsField>
        <h2>Phones</h2>
        <SecondsField name="grace" label={POLICY_LABELS.grace} draft={draft} wrong={wrong}>
          Browsers are notified at once. With 0, phones ring at the same time.
        </SecondsField>
        <FormField
          name="presence"
          label={POLICY_LABELS.presence}
          type="number"
          min={0}
          max={3600}
          draft={draft}
          wrong={wrong}
        >
          Phones stay silent for this long after you typed a prompt at the agent’s machine, but
          never longer than a minute or half of the agent’s wait. With 0 they always ring at once.
        </FormField>
        <h2>When nobody is there</h2>
        <FormField
          name="pause"
          label={POLICY_LABELS.pause}
          type="number"
          min={0}
          max={100}
          draft={draft}
          wrong={wrong}
        >
          After this many in a row a session’s approvals are no longer sent, until you answer one or
          resume it. With 0 it never pauses.
        </FormField>
        <QuietHoursFields draft={draft} wrong={wrong} zone={visit.moment.zone} />
        <h2>Which devices</h2>
        <FormField
          name="tags"
          label={POLICY_LABELS.tags}
          placeholder="All devices"
          draft={draft}
          wrong={wrong}
        >
          Only devices with one of these tags, separated by commas. A call that names its own
          devices takes precedence. {tags}
          <AlsoNamed targeting={policy.targeting} />
        </FormField>
      </Wishes>
      <CallPreview preview={preview} action={paths.policy} />
    </Layout>,
    wrong.size > 0 ? 422 : 200,
  )
}

/** The form; members see the same values, which only an owner can change. */
function Wishes({ visit, children }: { visit: SignedIn; children: ComponentChildren }) {
  if (!may(visit.person, 'policy')) {
    return (
      <>
        <OwnersChange what="the policy" />
        <fieldset class="wishes fixed" disabled>
          {children}
        </fieldset>
      </>
    )
  }
  return (
    <form method="post" action={paths.policy} class="wishes">
      {children}
      <button type="submit" class="primary">
        Save the policy
      </button>
    </form>
  )
}

function Modes({ draft }: { draft: Draft }) {
  return (
    <fieldset class="choices" id="mode">
      <legend>{POLICY_LABELS.mode}</legend>
      {DELIVERY_MODES.map((mode) => {
        const { name, what } = MODE_WORDS[mode]
        return (
          <label class="choice">
            <input type="radio" name="mode" value={mode} checked={draft.mode === mode} />
            <span class="choice-text">
              <b>{name}</b>
              <small>{what}</small>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

function QuietHoursFields(props: { draft: Draft; wrong: Wrong; zone: string }) {
  const { draft, wrong, zone } = props
  return (
    <>
      <h2 id="quiet">{POLICY_LABELS.quiet}</h2>
      <label class="check">
        <input type="checkbox" name="quiet" value="yes" checked={draft.quiet === 'yes'} />
        <span>
          Approvals ring nowhere at these times; the agent asks in its own window. Errors, and
          questions that an agent asks on purpose, still get through.
        </span>
      </label>
      <div class="three">
        <FormField name="from" label={POLICY_LABELS.from} type="time" draft={draft} wrong={wrong} />
        <FormField name="to" label={POLICY_LABELS.to} type="time" draft={draft} wrong={wrong} />
        <FormField
          name="zone"
          label={POLICY_LABELS.zone}
          offers={[...new Set([zone, 'UTC'])]}
          maxLength={64}
          draft={draft}
          wrong={wrong}
        />
      </div>
      {draft.zone !== zone && (
        <p class="rule">
          This browser is in <b>{zone}</b>.
        </p>
      )}
    </>
  )
}

/** Values that programs set over REST and this page has no fields for. */
function AlsoNamed({
  targeting: { externalIds = [], subscriberIds = [] },
}: {
  targeting: Targeting
}) {
  const named = externalIds.length + subscriberIds.length
  if (named === 0) return null
  return <> {named} more named one by one over REST are kept.</>
}

function rulesSentence(count: number): string {
  if (count === 0) return 'Rules make exceptions for some calls.'
  return count === 1 ? 'One rule makes an exception.' : `${count} rules make exceptions.`
}

/** The labels of the policy page's fields. */
const POLICY_LABELS = {
  mode: 'When an agent asks',
  wait: 'Seconds a call waits',
  grace: 'Seconds before phones ring',
  presence: 'Seconds a terminal counts as in use',
  pause: 'Unanswered approvals before a pause',
  quiet: 'Quiet hours',
  from: 'From',
  to: 'To',
  zone: 'Time zone',
  tags: 'Tags',
}

type Name = keyof typeof POLICY_LABELS

const NAMES = Object.keys(POLICY_LABELS) as Name[]

const FIELDS: Record<string, [Name, string]> = {
  deliveryMode: ['mode', 'Choose one of the four.'],
  waitMs: ['wait', 'Must be between 1 and 55.'],
  graceMs: ['grace', 'Must be between 0 and 55.'],
  presenceMs: ['presence', 'Must be between 0 and 3600.'],
  pauseAfterUnanswered: ['pause', 'Must be a whole number between 0 and 100.'],
  from: ['from', 'Must be a time like 22:30.'],
  to: ['to', 'Must be a time like 07:00.'],
}

const changesShape = shape(PolicyChanges)
const hoursShape = shape(QuietHours)

/** The policy as form values; `zone` is preselected if none is chosen. */
function policyDraft(policy: Policy, zone: string): Draft {
  const { quietHours, targeting } = policy
  return {
    mode: policy.deliveryMode,
    wait: secondsOf(policy.waitMs),
    grace: secondsOf(policy.graceMs),
    presence: secondsOf(policy.presenceMs),
    pause: String(policy.pauseAfterUnanswered),
    quiet: quietHours ? 'yes' : '',
    from: quietHours?.from ?? '22:00',
    to: quietHours?.to ?? '07:00',
    zone: quietHours?.zone ?? zone,
    tags: (targeting.tags ?? []).join(', '),
  }
}

/** The submitted form: the changes, and its errors. */
function readPolicyForm(form: URLSearchParams, before: Policy) {
  const draft = readDraft(form, NAMES) as Record<Name, string>
  const { from, to, zone } = draft
  const tags = tagsOf(draft.tags)
  const { tags: _, ...others } = before.targeting
  const changes: PolicyChanges = {
    deliveryMode: draft.mode as DeliveryMode,
    waitMs: msOf(draft.wait),
    graceMs: msOf(draft.grace),
    presenceMs: msOf(draft.presence),
    pauseAfterUnanswered: draft.pause === '' ? Number.NaN : Number(draft.pause),
    quietHours: draft.quiet === 'yes' ? { from, to, zone } : null,
    targeting: tags.length > 0 ? { ...others, tags } : others,
  }
  return { draft: draft as Draft, changes, wrong: wrongOf(changes, tags) }
}

function wrongOf({ quietHours, ...changes }: PolicyChanges, tags: string[]): Wrong {
  const wrong = new Map<string, string>()
  const hours = quietHours ? hoursShape.wrong(quietHours) : []
  for (const { field } of [...changesShape.wrong(changes), ...hours]) {
    const [name, sentence] = FIELDS[field] ?? [field, 'Is not valid.']
    wrong.set(name, sentence)
  }
  if (quietHours) {
    const { from, to, zone } = quietHours
    if (from === to) wrong.set('to', 'Must differ from when they begin.')
    if (!isTimeZone(zone)) wrong.set('zone', 'Must be a time zone like Europe/Berlin.')
  }
  const tagsProblem = wrongTags(tags)
  if (tagsProblem) wrong.set('tags', tagsProblem)
  return wrong
}
