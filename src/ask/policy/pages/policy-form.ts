import { isTimeZone } from '../../../platform/wall-time.ts'
import type { Draft, Wrong } from '../../../platform/web/form.tsx'
import { formField } from '../../../platform/web/form.tsx'
import { draftOf, readFields } from '../../../platform/web/form-schema.ts'
import type { Person } from '../../accounts/model/person.ts'
import type { QuietHours } from '../../subscribers/model/quiet-hours.ts'
import type { Policy, PolicyChanges } from '../model/policy.ts'
import { nextIn, personIdsOf, wrongNext } from './fail-over-fields.tsx'
import { HOURS_FIELDS, POLICY_FIELDS, TAGS_FIELDS } from './policy-fields.tsx'

/** The policy as form values; `zone` is preselected if none is chosen. */
export function policyDraft(policy: Policy, zone: string, people: readonly Person[]): Draft {
  const { quietHours, targeting } = policy
  return {
    ...draftOf(POLICY_FIELDS, policy),
    ...draftOf(HOURS_FIELDS, quietHours ?? { from: '22:00', to: '07:00', zone }),
    ...draftOf(TAGS_FIELDS, targeting),
    quiet: quietHours ? 'yes' : '',
    next: stillHere(policy, people).join(' '),
  }
}

/** The submitted form: the changes, and its errors. A form without a field leaves its value. */
export function readPolicyForm(form: URLSearchParams, before: Policy, people: readonly Person[]) {
  const draftBefore = policyDraft(before, '', people)
  const values = readFields(POLICY_FIELDS, form, draftBefore)
  const hours = readFields(HOURS_FIELDS, form, draftBefore)
  const targets = readFields(TAGS_FIELDS, form, draftBefore)
  const draft: Draft = {
    ...values.draft,
    ...hours.draft,
    ...targets.draft,
    quiet: formField(form, 'quiet'),
    next: form.has('next') ? nextIn(form) : (draftBefore.next ?? ''),
  }
  const isQuiet = draft.quiet === 'yes'
  const { tags: _, ...others } = before.targeting
  const changes: PolicyChanges = {
    ...values.value,
    quietHours: isQuiet ? hours.value : null,
    targeting: { ...others, ...targets.value },
    failoverTo: personIdsOf(draft),
  }
  const wrongQuiet = isQuiet ? [...hours.wrong, ...wrongHours(hours.value)] : []
  const wrong = new Map([...values.wrong, ...wrongQuiet, ...targets.wrong])
  const wrongPeople = wrongNext(personIdsOf(draft), people)
  if (wrongPeople) wrong.set('next', wrongPeople)
  return { draft, changes, wrong: wrong as Wrong }
}

/** Those of the fail-over who have not left; the policy keeps ids of people who did. */
function stillHere({ failoverTo }: Policy, people: readonly Person[]): string[] {
  return failoverTo.filter((id) => people.some((person) => person.id === id))
}

/** The errors of quiet hours that their schema does not catch. */
export function wrongHours({ from, to, zone }: QuietHours) {
  const wrong = new Map<string, string>()
  if (from === to) wrong.set('to', 'Must differ from when they begin.')
  if (!isTimeZone(zone)) wrong.set('zone', 'Must be a time zone like Europe/Berlin.')
  return wrong
}
