import type { CalendarTime, Property } from './calendar-time.ts'
import { momentOfTime, short, timesOf } from './calendar-time.ts'
import { FREQUENCIES, type Recurrence } from './recurrence.ts'
import { Unreadable } from './unreadable.ts'

/** How an event repeats, and the last moment at which it may begin. */
export type CalendarRule = { recurrence: Recurrence; until: number | undefined }

// What is understood of a rule; by hour, minute and second is not, nor by week or day of the year.
const PARTS: ReadonlySet<string> = new Set(
  'freq interval count until byday bymonth bymonthday bysetpos wkst'.split(' '),
)
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const LIST_MAX = 400
const COUNT_MAX = 10_000

/** Reads an RRULE. Throws `Unreadable` for one that is not understood as a whole. */
export function readRule([, , , value]: Property, start: CalendarTime): CalendarRule {
  const parts = (value ?? {}) as Record<string, unknown>
  const strange = Object.keys(parts).find((part) => !PARTS.has(part))
  if (strange !== undefined) throw refused(`has ${short(strange).toUpperCase()}`)
  const freq = FREQUENCIES.find((one) => one === String(parts.freq).toUpperCase())
  if (!freq) throw refused(`is ${short(String(parts.freq))}; daily and slower ones are read`)
  const byDay = listOf(parts.byday).map((one) => readDay(String(one)))
  if (byDay.some(({ nth }) => nth !== undefined) && !/^(MONTHLY|YEARLY)$/.test(freq))
    throw refused('numbers weekdays, but not in a month or year')
  const recurrence: Recurrence = {
    freq,
    interval: parts.interval === undefined ? 1 : whole(parts.interval, 1, 10_000),
    count: parts.count === undefined ? undefined : whole(parts.count, 1, COUNT_MAX),
    byDay,
    byMonth: listOf(parts.bymonth).map((one) => whole(one, 1, 12)),
    byMonthDay: listOf(parts.bymonthday).map((one) => whole(one, -31, 31)),
    bySetPos: listOf(parts.bysetpos).map((one) => whole(one, -366, 366)),
    weekStart: weekStartOf(parts.wkst),
  }
  if (freq === 'WEEKLY' && recurrence.byMonthDay.length > 0)
    throw refused('has days of a month in weeks')
  return { recurrence, until: untilOf(parts.until, start) }
}

/** A day without a time is the last day; a time without a zone is of the zone of the event. */
function untilOf(value: unknown, { zone }: CalendarTime): number | undefined {
  if (value === undefined) return undefined
  const text = String(value)
  const isDay = !text.includes('T')
  const [time] = timesOf(['until', {}, isDay ? 'date' : 'date-time', text], zone)
  if (!time) return undefined
  const last = isDay ? time.plain.with({ hour: 23, minute: 59, second: 59 }) : time.plain
  return momentOfTime({ plain: last, zone: time.zone })
}

function readDay(text: string): Recurrence['byDay'][number] {
  const [, nth, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text.toUpperCase()) ?? []
  const weekday = WEEKDAYS.indexOf(name) + 1
  if (weekday === 0 || Number(nth) === 0) throw refused(`has the day ${short(text)}`)
  return { weekday, nth: nth === undefined ? undefined : Number(nth) }
}

// ical.js numbers weekdays from 1, Sunday.
function weekStartOf(value: unknown): number {
  if (value === undefined) return 1
  if (typeof value === 'number') return value === 1 ? 7 : whole(value, 2, 7) - 1
  return readDay(String(value)).weekday
}

function listOf(value: unknown): unknown[] {
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value]
  if (list.length > LIST_MAX) throw refused('has too long a list')
  return list
}

function whole(value: unknown, least: number, most: number): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= least && number <= most && number !== 0) return number
  throw refused(`has the number ${short(String(value))}`)
}

function refused(why: string): Unreadable {
  return new Unreadable(`it repeats in a way that is not understood: it ${why}`)
}
