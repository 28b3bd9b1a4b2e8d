import { type CalendarRule, readRule } from './calendar-rule.ts'
import { type CalendarTime, momentOfTime, type Property, short, timesOf } from './calendar-time.ts'
import { dayOf, repeatsOf } from './recurrence.ts'
import type { FeedShift } from './rota.ts'
import { Unreadable } from './unreadable.ts'

/** An event as it is written, with the moments at which it is not, and those at which it is besides. */
export type CalendarEvent = {
  uid: string
  start: CalendarTime
  /** How long it lasts: on the clock on the wall where it ends by it. */
  endOf(start: CalendarTime): number
  rules: CalendarRule[]
  /** Occurrences that are left out, and further ones. */
  without: CalendarTime[]
  more: CalendarTime[]
  /** Set if this replaces one occurrence of the event with its `uid`. */
  replaces: CalendarTime | undefined
  isCancelled: boolean
  who: Pick<FeedShift, 'attendees' | 'organizer' | 'summary'>
}

const PEOPLE_MAX = 20
const EMAIL_MAX = 254

/** Reads an event; undefined for one without a beginning. Throws `Unreadable`. */
export function readEvent(
  properties: readonly Property[],
  zone: string,
): CalendarEvent | undefined {
  const all = (name: string) => properties.filter((one) => one[0] === name)
  const text = (name: string) => String(all(name)[0]?.[3] ?? '')
  const times = (name: string) => all(name).flatMap((one) => timesOf(withStarts(one), zone))
  const [begin] = all('dtstart')
  const [start] = begin ? timesOf(begin, zone) : []
  if (!start) return undefined
  const [replaces] = times('recurrence-id')
  const [replacing] = all('recurrence-id')
  if (replacing?.[1].range !== undefined)
    throw new Unreadable('it changes an event from one time on, which is not read')
  if (all('exrule').length > 0) throw new Unreadable('it has an EXRULE, which is not read')
  return {
    ...{ uid: text('uid'), start, replaces },
    endOf: endOf(start, times('dtend')[0], text('duration')),
    rules: all('rrule').map((one) => readRule(one, start)),
    ...{ without: times('exdate'), more: times('rdate') },
    isCancelled: text('status').toUpperCase() === 'CANCELLED',
    who: whoOf(all('attendee'), all('organizer'), text('summary')),
  }
}

/** Of a period, only its beginning: it lasts as long as the event. */
function withStarts(property: Property): Property {
  const [name, parameters, type, ...values] = property
  if (type !== 'period') return property
  return [
    name,
    parameters,
    'date-time',
    ...values.map((one) => (Array.isArray(one) ? one[0] : one)),
  ]
}

function endOf(
  start: CalendarTime,
  end: CalendarTime | undefined,
  duration: string,
): CalendarEvent['endOf'] {
  if (end && end.zone === start.zone) {
    // From nine on Monday to nine on Monday, also in the week in which summer time ends.
    const length = start.plain.until(end.plain, { largestUnit: 'day' })
    return ({ plain, zone }) => momentOfTime({ plain: plain.add(length), zone })
  }
  if (end) {
    const ms = momentOfTime(end) - momentOfTime(start)
    return (time) => momentOfTime(time) + ms
  }
  if (duration === '') {
    const days = start.isDay ? 1 : 0
    return ({ plain, zone }) => momentOfTime({ plain: plain.add({ days }), zone })
  }
  const length = durationOf(duration)
  return ({ plain, zone }) => plain.toZonedDateTime(zone).add(length).epochMilliseconds
}

function durationOf(text: string): Temporal.Duration {
  try {
    return Temporal.Duration.from(text)
  } catch {
    throw new Unreadable(`it lasts “${short(text)}”, which is no duration`)
  }
}

function whoOf(
  attendees: readonly Property[],
  [organizer]: readonly Property[],
  summary: string,
): CalendarEvent['who'] {
  const coming = attendees.filter(
    ([, { partstat }]) => String(partstat).toUpperCase() !== 'DECLINED',
  )
  return {
    attendees: coming.slice(0, PEOPLE_MAX).flatMap((one) => emailOf(one) ?? []),
    organizer: (organizer && emailOf(organizer)) ?? '',
    summary: short(summary),
  }
}

function emailOf([, { email }, , value]: Property): string | undefined {
  const [, address] = /^mailto:(.+)$/i.exec(String(value)) ?? []
  const text = (address ?? String(email ?? '')).trim().toLowerCase()
  return text !== '' && text.length <= EMAIL_MAX ? text : undefined
}

type Window = { from: number; to: number }
const DAY_MS = 86_400_000

/** Throws if that is too much work, in days looked at and beginnings worked out. */
type Spend = (days: number, occurrences?: number) => void

/** The occurrences of an event that are within a window, without those that are left out. */
export function* occurrencesOf(
  event: CalendarEvent,
  replaced: readonly CalendarTime[],
  window: Window,
  spend: Spend,
): Generator<Window> {
  const without = createLeftOut([...event.without, ...replaced])
  const seen = new Set<number>()
  for (const time of startsOf(event, window, spend)) {
    spend(0, 1)
    const from = momentOfTime(time)
    if (seen.has(from) || without(time, from)) continue
    seen.add(from)
    const to = event.endOf(time)
    if (from < window.to && to > window.from && from < to) yield { from, to }
  }
}

function* startsOf(
  { start, rules, more, endOf }: CalendarEvent,
  window: Window,
  spend: Spend,
): Generator<CalendarTime> {
  if (rules.length === 0) yield start
  yield* more
  const { year, month, day: date } = start.plain
  const first = dayOf(year, month - 1, date)
  const length = Math.max(0, endOf(start) - momentOfTime(start))
  // A day more on each side: the window is in no zone.
  const from = Math.floor((window.from - length) / DAY_MS) - 2
  const to = Math.ceil(window.to / DAY_MS) + 2
  for (const { recurrence, until = Number.POSITIVE_INFINITY } of rules) {
    for (const day of repeatsOf(recurrence, first, { from, to }, spend)) {
      const time = { ...start, plain: start.plain.add({ days: day - first }) }
      if (momentOfTime(time) > until) break
      yield time
    }
  }
}

/** A whole day that is left out leaves out what begins on it. */
function createLeftOut(times: readonly CalendarTime[]) {
  const moments = new Set(times.filter(({ isDay }) => !isDay).map(momentOfTime))
  const days = new Set(times.filter(({ isDay }) => isDay).map(dateText))
  return (time: CalendarTime, moment: number) => moments.has(moment) || days.has(dateText(time))
}

function dateText({ plain }: CalendarTime): string {
  return plain.toPlainDate().toString()
}
