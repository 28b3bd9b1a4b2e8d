import { shape } from '../../../platform/schema.ts'
import type { Draft, Wrong } from '../../../platform/web/form-field.tsx'
import { msOf, readDraft, secondsOf, tagsOf, wrongTags } from '../../pages/read-fields.ts'
import { type DeliveryMode, type Policy, PolicyChanges } from '../policy.ts'
import { isTimeZone, QuietHours } from '../quiet-hours.ts'

/** The fields of the policy page by what the person calls them. */
export const POLICY_LABELS = {
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

/** The policy as the form shows it; `zone` is offered where none is chosen. */
export function policyDraft(policy: Policy, zone: string): Draft {
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

/** The posted form: the changes it means, and what is wrong with them. */
export function readPolicyForm(form: URLSearchParams, before: Policy) {
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
