/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Draft, readForm, type Wrong, WrongFields } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { SchemaField, SchemaFields } from '../../../platform/web/schema-field.tsx'
import { may, type Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { tagsInUse } from '../../subscribers/tags-in-use.ts'
import type { Targeting } from '../../wire/targeting.ts'
import { setPolicy } from '../change-policy.ts'
import { type Policy, presetInForce } from '../model/policy.ts'
import type { Policies } from '../model/store.ts'
import { CallPreview, readPreview } from './call-preview.tsx'
import { FailOverFields } from './fail-over-fields.tsx'
import { FromFile } from './from-file.tsx'
import { HOURS_FIELDS, POLICY_FIELDS, POLICY_TITLES, TAGS_FIELDS } from './policy-fields.tsx'
import { policyDraft, readPolicyForm } from './policy-form.ts'
import { alsoInForce, inForce } from './policy-words.ts'
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
  const { policy, rules, origin } = await deps.policies.of(workspaceId)
  const changes = may(visit.person, 'policy') && !origin
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
      <WrongFields wrong={wrong} labels={POLICY_TITLES} />
      <InForce policy={policy} people={people} now={visit.moment.now} />
      <Presets policy={policy} changes={changes} />
      {origin && <FromFile origin={origin} visit={visit} />}
      {!(changes || origin) && <OwnersChange what="the policy" />}
      <details class="more-fields" open={wrong.size > 0 || presetInForce(policy) === undefined}>
        <summary>
          <Icon name="chevron" />
          More: exact times, quiet hours, devices
        </summary>
        <PolicyForms changes={changes}>
          <Fields {...fields} />
        </PolicyForms>
      </details>
      <Programs programs={policy.programs} visit={visit} changes={changes} />
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
  const typed = { draft, wrong }
  const { deliveryMode, waitMs, longLifeMs, holdMs, graceMs, presenceMs } = POLICY_FIELDS
  const { pauseAfterUnanswered, failoverMs, remindMs, turnMs, chatAnswers } = POLICY_FIELDS
  return (
    <>
      <SchemaFields of={[deliveryMode, waitMs, longLifeMs, holdMs]} {...typed} />
      <h2>Phones</h2>
      <SchemaFields of={[graceMs, presenceMs]} {...typed} />
      <h2>When nobody is there</h2>
      <SchemaField field={pauseAfterUnanswered} {...typed} />
      <FailOverFields failover={failoverMs} people={people} {...typed} />
      <SchemaFields of={[remindMs, turnMs]} {...typed} />
      <QuietHoursFields zone={visit.moment.zone} {...typed} />
      <h2>Chats</h2>
      <SchemaField field={chatAnswers} {...typed} />
      <h2>Devices</h2>
      <SchemaField field={TAGS_FIELDS.tags} {...typed}>
        {tags}
        <OtherTargets targeting={policy.targeting} />
      </SchemaField>
    </>
  )
}

/** The form; members see the same values, which only an owner can change. */
function PolicyForms({ changes, children }: { changes: boolean; children: ComponentChildren }) {
  if (!changes) {
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

function QuietHoursFields(props: { draft: Draft; wrong: Wrong; zone: string }) {
  const { zone, ...typed } = props
  const { draft } = typed
  return (
    <>
      <h2 id="quiet">{POLICY_TITLES.quiet}</h2>
      <label class="check">
        <input type="checkbox" name="quiet" value="yes" checked={draft.quiet === 'yes'} />
        <span>
          Approvals ring nowhere at these times; the agent asks in the terminal. Errors, and
          questions that an agent asks on purpose, still get through.
        </span>
      </label>
      <div class="three">
        <SchemaFields of={[HOURS_FIELDS.from, HOURS_FIELDS.to]} {...typed} />
        <SchemaField field={HOURS_FIELDS.zone} offers={[...new Set([zone, 'UTC'])]} {...typed} />
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
