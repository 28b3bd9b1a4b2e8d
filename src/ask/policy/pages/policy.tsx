/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { DurationField } from '../../../platform/web/duration-field.tsx'
import {
  type Draft,
  FormField,
  readForm,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may, type Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { tagsInUse } from '../../subscribers/tags-in-use.ts'
import { DELIVERY_MODES } from '../../wire/delivery-mode.ts'
import type { Targeting } from '../../wire/targeting.ts'
import { setPolicy } from '../change-policy.ts'
import {
  GRACE_LIMITS,
  HOLD_LIMITS,
  LONG_LIFE_LIMITS,
  type Policy,
  PRESENCE_LIMITS,
  presetInForce,
  REMIND_LIMITS,
  TURN_LIMITS,
  WAIT_LIMITS,
} from '../model/policy.ts'
import type { Policies } from '../model/store.ts'
import { CallPreview, readPreview } from './call-preview.tsx'
import { FailOverFields } from './fail-over-fields.tsx'
import { POLICY_LABELS, policyDraft, readPolicyForm } from './policy-form.ts'
import { alsoInForce, inForce, MODE_WORDS } from './policy-words.ts'
import { Presets, SavedPolicy } from './presets.tsx'
import { Programs } from './programs.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

const FINE: Wrong = new Map()

/** `/settings/policy`: how agents may reach the people of this workspace. */
export async function showPolicy(deps: Deps, visit: SignedIn): Promise<Response> {
  const { workspaceId } = visit.person
  const { policy } = await deps.policies.of(workspaceId)
  const people = await listPeople(deps.db.read, workspaceId)
  return policyPage(deps, visit, policyDraft(policy, visit.moment.zone, people), FINE)
}

/** Saves the form, or shows it again with what was typed and its errors. */
export async function savePolicy(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { workspaceId, id } = visit.person
  const { policy } = await deps.policies.of(workspaceId)
  const people = await listPeople(deps.db.read, workspaceId)
  const { draft, changes, wrong } = readPolicyForm(form, policy, people)
  if (wrong.size > 0) return policyPage(deps, visit, draft, wrong)
  await setPolicy(deps, workspaceId, changes, id)
  return seeOther(`${paths.policy}?saved`)
}

async function policyPage(deps: Deps, visit: SignedIn, draft: Draft, wrong: Wrong) {
  const { workspaceId } = visit.person
  const { policy, rules } = await deps.policies.of(workspaceId)
  const preview = await readPreview(deps, visit)
  const people = await listPeople(deps.db.read, workspaceId)
  const fields = { draft, wrong, people, policy, visit, tags: await tagsInUse(deps, workspaceId) }
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
      {wrong.size === 0 && <SavedPolicy visit={visit} />}
      <WrongFields wrong={wrong} labels={POLICY_LABELS} />
      <InForce policy={policy} people={people} now={visit.moment.now} />
      <Presets policy={policy} changes={may(visit.person, 'policy')} />
      {!may(visit.person, 'policy') && <OwnersChange what="the policy" />}
      <details class="more-fields" open={wrong.size > 0 || presetInForce(policy) === undefined}>
        <summary>
          <Icon name="chevron" />
          More: exact times, quiet hours, devices
        </summary>
        <PolicyForms visit={visit}>
          <Fields {...fields} />
        </PolicyForms>
      </details>
      <Programs programs={policy.programs} visit={visit} />
      <CallPreview preview={preview} action={paths.policy} />
    </Layout>,
    wrong.size > 0 ? 422 : 200,
  )
}

type InForceProps = { policy: Policy; people: readonly Person[]; now: number }

function InForce({ policy, people, now }: InForceProps) {
  return (
    <section class="part" id="in-force">
      <h2>Now</h2>
      <p class="verdict">{inForce(policy, now)}</p>
      <p class="soft">{alsoInForce(policy, people).join(' ')}</p>
    </section>
  )
}

type FieldsProps = {
  draft: Draft
  wrong: Wrong
  people: readonly Person[]
  policy: Policy
  visit: SignedIn
  tags: string
}

/** Every field of the policy, with its limits. */
function Fields({ draft, wrong, people, policy, visit, tags }: FieldsProps) {
  const fields = { draft, wrong }
  return (
    <>
      <Modes draft={draft} />
      <DurationField name="wait" label={POLICY_LABELS.wait} {...WAIT_LIMITS} {...fields}>
        How long a call waits for an answer. The question stays open for ten minutes in any case.
      </DurationField>
      <DurationField name="life" label={POLICY_LABELS.life} {...LONG_LIFE_LIMITS} {...fields}>
        How long a question stays open when its agent ends the call and follows the question
        instead, as Claude Code does. It gets the answer whenever it is given.
      </DurationField>
      <DurationField name="hold" label={POLICY_LABELS.hold} {...HOLD_LIMITS} {...fields}>
        How long calls of clients are held that <code>beckon setup</code> told to wait longer, so
        that their agents spend no turns on waiting. With 0 no call is held longer than 55 seconds.
      </DurationField>
      <h2>Phones</h2>
      <DurationField name="grace" label={POLICY_LABELS.grace} {...GRACE_LIMITS} {...fields}>
        How long phones wait after browsers before they ring. With 0 they ring at the same time.
      </DurationField>
      <DurationField
        name="presence"
        label={POLICY_LABELS.presence}
        {...PRESENCE_LIMITS}
        {...fields}
      >
        How long phones stay silent after you typed a prompt at the agent’s machine, but never
        longer than a minute or half of the wait. With 0 they always ring at once.
      </DurationField>
      <h2>When nobody is there</h2>
      <FormField
        name="pause"
        label={POLICY_LABELS.pause}
        type="number"
        min={0}
        max={100}
        {...fields}
      >
        This many unanswered approvals in a row pause a session: its approvals are no longer sent
        until you answer one or resume it. 0 to 100; with 0 it never pauses.
      </FormField>
      <FailOverFields {...fields} people={people} off="With 0 nobody else is told." />
      <DurationField name="remind" label={POLICY_LABELS.remind} {...REMIND_LIMITS} {...fields}>
        After which time without an answer you are reminded of a question that its agent follows:
        three times at most, not in quiet hours, and not if you chose “Later”. With 0 you never are.
      </DurationField>
      <TurnField {...fields} />
      <QuietHoursFields draft={draft} wrong={wrong} zone={visit.moment.zone} />
      <h2>Devices</h2>
      <FormField
        name="tags"
        label={POLICY_LABELS.tags}
        placeholder="All devices"
        maxLength={2000}
        {...fields}
      >
        Tags, separated by commas. A call that names its own devices takes precedence. {tags}
        <OtherTargets targeting={policy.targeting} />
      </FormField>
    </>
  )
}

/** The form; members see the same values, which only an owner can change. */
function PolicyForms({ visit, children }: { visit: SignedIn; children: ComponentChildren }) {
  if (!may(visit.person, 'policy')) {
    return (
      <fieldset class="requests fixed" disabled>
        {children}
      </fieldset>
    )
  }
  return (
    <form method="post" action={paths.policy} class="requests">
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
          Approvals ring nowhere at these times; the agent asks in the terminal. Errors, and
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
function OtherTargets({
  targeting: { externalIds = [], subscriberIds = [] },
}: {
  targeting: Targeting
}) {
  const count = externalIds.length + subscriberIds.length
  if (count === 0) return null
  return <> {count} more named one by one over REST are kept.</>
}

function rulesSentence(count: number): string {
  if (count === 0) return 'Rules make exceptions for some calls.'
  return count === 1 ? 'One rule makes an exception.' : `${count} rules make exceptions.`
}

/** After which time people are told of the end of a turn. */
function TurnField(fields: { draft: Draft; wrong: Wrong }) {
  return (
    <DurationField name="turn" label={POLICY_LABELS.turn} {...TURN_LIMITS} {...fields}>
      You are told that an agent’s turn ended if it took this long and nobody was at its terminal
      for as long. With 0 you never are.
    </DurationField>
  )
}
