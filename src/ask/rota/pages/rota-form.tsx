/** @jsxImportSource preact */

import type { Failure } from '../../../platform/failure.ts'
import { wrongFields } from '../../../platform/failure.ts'
import {
  type Draft,
  FieldFrame,
  FormField,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form.tsx'
import type { RotaDraft } from '../change-rotas.ts'
import type { Crew } from '../model/on-call.ts'
import type { Rota } from '../model/rota.ts'
import { ROTA_LIMITS } from '../model/wrong-rota.ts'
import { rotaHref, rotaPaths } from '../paths.ts'

export const ROTA_FIELDS = ['kind', 'name', 'zone', 'from', 'at', 'every', 'people', 'url'] as const

const LABELS: Record<string, string> = {
  name: 'Name',
  zone: 'Time zone',
  from: 'From',
  at: 'At',
  every: 'Every (days)',
  people: 'People, in their order',
  url: 'Address of the calendar',
}

/** The form of a rota as it is; the address of its calendar is never shown again. */
export function draftOfRota({ name, zone, schedule }: Rota, crew: Crew): Draft {
  if (!schedule) return { kind: 'calendar', name, zone }
  const { startsOn, at, everyDays, people } = schedule
  const emails = people.flatMap((id) => crew.get(id)?.email ?? [])
  const more = { from: startsOn, at, every: `${everyDays}`, people: emails.join('\n') }
  return { kind: 'turns', name, zone, ...more }
}

/** What a form says. Throws `invalid_input` for addresses of nobody here. */
export function readRotaForm(draft: Draft, crew: Crew): RotaDraft {
  const { name = '', zone = '', kind } = draft
  if (kind !== 'calendar') {
    const { from: startsOn = '', at = '', every = '', people = '' } = draft
    const ids = idsOf(people, crew)
    return { name, zone, schedule: { startsOn, at, everyDays: Number(every || NaN), people: ids } }
  }
  return { name, zone, ...(draft.url && { url: draft.url }) }
}

function idsOf(text: string, crew: Crew): string[] {
  const emails = text.split(/[\s,]+/).filter((one) => one !== '')
  const byEmail = new Map([...crew.values()].map(({ email, id }) => [email.toLowerCase(), id]))
  const strange = emails.find((one) => !byEmail.has(one.toLowerCase()))
  if (strange === undefined) return emails.flatMap((one) => byEmail.get(one.toLowerCase()) ?? [])
  const must = `must be addresses of people here, and ${strange.slice(0, 100)} is none`
  throw wrongFields([{ field: 'people', must }])
}

/** The sentence for each field that a failure names. */
export function wrongOf({ fields, message }: Failure): Wrong {
  if (fields.length === 0) return new Map([['name', message]])
  return new Map(fields.map(({ field, must }) => [field, `It ${must}.`]))
}

type Props = {
  to: string
  draft: Draft
  wrong: Wrong
  crew: Crew
  /** The time zone of this browser. */
  zone: string
  isNew?: boolean
}

/** Sets up or changes a rota: in turns, or from a calendar. */
export function RotaForm({ to, draft, wrong, crew, zone, isNew = false }: Props) {
  const fits = { draft, wrong }
  const isCalendar = draft.kind === 'calendar'
  return (
    <form method="post" action={to} class="requests">
      <WrongFields wrong={wrong} labels={LABELS} />
      {isNew && <OtherKind isCalendar={isCalendar} />}
      <input type="hidden" name="kind" value={isCalendar ? 'calendar' : 'turns'} />
      <FormField name="name" label="Name" maxLength={ROTA_LIMITS.name} required {...fits}>
        Such as platform. Who is told names it so: oncall:platform.
      </FormField>
      {isCalendar ? (
        <CalendarFields {...fits} isNew={isNew} />
      ) : (
        <TurnFields {...fits} crew={crew} />
      )}
      <FormField
        name="zone"
        label="Time zone"
        maxLength={64}
        required
        offers={[...new Set([zone, 'UTC'])]}
        {...fits}
      >
        {isCalendar
          ? 'Of days and times in the calendar that have none.'
          : 'Of the time of handovers.'}
      </FormField>
      <button type="submit" class="primary">
        {isNew ? 'Add' : 'Save'}
      </button>
    </form>
  )
}

function OtherKind({ isCalendar }: { isCalendar: boolean }) {
  if (isCalendar) {
    return (
      <p class="rule">
        A calendar elsewhere says who is on call. <a href={rotaPaths.rotas}>Set turns here</a>
      </p>
    )
  }
  return (
    <p class="rule">
      People take turns. <a href={rotaHref.calendar}>Read a calendar instead</a>, such as one of
      PagerDuty, Opsgenie, Google or Outlook.
    </p>
  )
}

type Fits = { draft: Draft; wrong: Wrong }

function TurnFields({ crew, ...fits }: Fits & { crew: Crew }) {
  return (
    <>
      <FieldFrame
        name="people"
        label="People, in their order"
        rule={`Their addresses, one a line. The first has the first turn. Here: ${addressesOf(crew)}`}
        wrong={fits.wrong}
      >
        {(attributes) => (
          <textarea {...attributes} rows={4} autocapitalize="off" spellcheck={false} required>
            {fits.draft.people}
          </textarea>
        )}
      </FieldFrame>
      <div class="two">
        <FormField name="from" label="First handover on" type="date" required {...fits} />
        <FormField name="at" label="Handover at" type="time" required {...fits} />
      </div>
      <FormField
        name="every"
        label="Every (days)"
        type="number"
        min={1}
        max={ROTA_LIMITS.days}
        required
        {...fits}
      />
    </>
  )
}

// The addresses that are shown for copying.
const ADDRESSES_MAX = 8

function addressesOf(crew: Crew): string {
  const emails = [...crew.values()].flatMap(({ isAbsent, email }) => (isAbsent ? [] : [email]))
  const more = emails.length - ADDRESSES_MAX
  const words = emails.slice(0, ADDRESSES_MAX).join(', ')
  return more > 0 ? `${words} and ${more} more` : words
}

function CalendarFields({ isNew, ...fits }: Fits & { isNew: boolean }) {
  return (
    <FormField
      name="url"
      label="Address of the calendar (iCalendar)"
      type="password"
      required={isNew}
      {...fits}
    >
      {isNew
        ? 'From PagerDuty, Opsgenie, Google, Outlook or another. It is not shown again.'
        : 'Leave it empty to keep the one that is stored.'}
    </FormField>
  )
}
