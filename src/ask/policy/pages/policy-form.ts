import { durationWords, readDuration } from '../../../platform/duration.ts'
import { shape } from '../../../platform/schema.ts'
import { wrongDuration } from '../../../platform/web/duration-field.tsx'
import type { Draft, Wrong } from '../../../platform/web/form.tsx'
import type { Person } from '../../accounts/model/person.ts'
import { readDraft, tagsOf, wrongTags } from '../../pages/read-fields.ts'
import type { DeliveryMode } from '../../wire/delivery-mode.ts'
import {
  FAILOVER_LIMITS,
  GRACE_LIMITS,
  HOLD_LIMITS,
  isTimeZone,
  LONG_LIFE_LIMITS,
  type Policy,
  PolicyChanges,
  PRESENCE_LIMITS,
  QuietHours,
  REMIND_LIMITS,
  TURN_LIMITS,
  WAIT_LIMITS,
} from '../model/policy.ts'
import { FAILOVER_LABELS, nextIn, personIdsOf, wrongNext } from './fail-over-fields.tsx'

/** The labels of the policy page's fields; docs/policy.md has the same terms. */
export const POLICY_LABELS = {
  mode: 'Delivery mode',
  wait: 'Wait',
  grace: 'Phone delay',
  presence: 'Presence',
  life: 'Life of followed questions',
  hold: 'Longer calls',
  remind: 'Reminders',
  turn: 'Ended turns',
  pause: 'Pause',
  quiet: 'Quiet hours',
  from: 'From',
  to: 'To',
  zone: 'Time zone',
  tags: 'Only devices tagged',
  ...FAILOVER_LABELS,
}

type Name = keyof typeof POLICY_LABELS

const NAMES = Object.keys(POLICY_LABELS) as Name[]

const FIELDS: Record<string, [Name, string]> = {
  deliveryMode: ['mode', 'Choose one of the four.'],
  waitMs: ['wait', wrongDuration(WAIT_LIMITS)],
  graceMs: ['grace', wrongDuration(GRACE_LIMITS)],
  presenceMs: ['presence', wrongDuration(PRESENCE_LIMITS)],
  pauseAfterUnanswered: ['pause', 'Must be a whole number, 0 to 100.'],
  longLifeMs: ['life', wrongDuration(LONG_LIFE_LIMITS)],
  holdMs: ['hold', wrongDuration(HOLD_LIMITS)],
  remindMs: ['remind', wrongDuration(REMIND_LIMITS)],
  turnMs: ['turn', wrongDuration(TURN_LIMITS)],
  failoverMs: ['failover', wrongDuration(FAILOVER_LIMITS)],
  from: ['from', 'Must be a time like 22:30.'],
  to: ['to', 'Must be a time like 07:00.'],
}

const changesShape = shape(PolicyChanges)
const hoursShape = shape(QuietHours)

/** The policy as form values; `zone` is preselected if none is chosen. */
export function policyDraft(policy: Policy, zone: string, people: readonly Person[]): Draft {
  const { quietHours, targeting } = policy
  return {
    mode: policy.deliveryMode,
    wait: durationWords(policy.waitMs),
    grace: durationWords(policy.graceMs),
    presence: durationWords(policy.presenceMs),
    life: durationWords(policy.longLifeMs),
    hold: durationWords(policy.holdMs),
    remind: durationWords(policy.remindMs),
    turn: durationWords(policy.turnMs),
    pause: String(policy.pauseAfterUnanswered),
    quiet: quietHours ? 'yes' : '',
    from: quietHours?.from ?? '22:00',
    to: quietHours?.to ?? '07:00',
    zone: quietHours?.zone ?? zone,
    tags: (targeting.tags ?? []).join(', '),
    failover: durationWords(policy.failoverMs),
    next: stillHere(policy, people).join(' '),
  }
}

/** The submitted form: the changes, and its errors. A form without a field leaves its value. */
export function readPolicyForm(form: URLSearchParams, before: Policy, people: readonly Person[]) {
  const draft: Record<Name, string> = {
    ...(readDraft(form, NAMES) as Record<Name, string>),
    next: form.has('next') ? nextIn(form) : stillHere(before, people).join(' '),
  }
  const { from, to, zone } = draft
  const tags = tagsOf(draft.tags)
  const { tags: _, ...others } = before.targeting
  const changes: PolicyChanges = {
    deliveryMode: draft.mode as DeliveryMode,
    waitMs: readDuration(draft.wait),
    graceMs: readDuration(draft.grace),
    presenceMs: readDuration(draft.presence),
    pauseAfterUnanswered: draft.pause === '' ? Number.NaN : Number(draft.pause),
    quietHours: draft.quiet === 'yes' ? { from, to, zone } : null,
    targeting: tags.length > 0 ? { ...others, tags } : others,
    longLifeMs: form.has('life') ? readDuration(draft.life) : before.longLifeMs,
    holdMs: form.has('hold') ? readDuration(draft.hold) : before.holdMs,
    remindMs: form.has('remind') ? readDuration(draft.remind) : before.remindMs,
    turnMs: form.has('turn') ? readDuration(draft.turn) : before.turnMs,
    failoverMs: form.has('failover') ? readDuration(draft.failover) : before.failoverMs,
    failoverTo: personIdsOf(draft),
  }
  const wrong = wrongOf(changes, tags)
  const wrongPeople = wrongNext(personIdsOf(draft), people)
  if (wrongPeople) wrong.set('next', wrongPeople)
  return { draft: draft as Draft, changes, wrong: wrong as Wrong }
}

/** Those of the fail-over who have not left; the policy keeps ids of people who did. */
function stillHere({ failoverTo }: Policy, people: readonly Person[]): string[] {
  return failoverTo.filter((id) => people.some((person) => person.id === id))
}

function wrongOf({ quietHours, ...changes }: PolicyChanges, tags: string[]) {
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
