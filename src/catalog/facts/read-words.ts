import { isoTime } from '../../platform/clock.ts'
import { cleanLine, cutText } from '../../platform/text.ts'

/** Text of a stranger on one line, without what steers a terminal or turns the direction. */
export function line(text: string, most: number): string {
  return cutText(cleanLine(text), most).trim()
}

// RFC 3339, as registries and registrars write it; small letters are allowed.
const INSTANT =
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,12})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** An RFC 3339 instant in milliseconds since 1970; undefined when it is none. */
export function instantOf(text: string): number | undefined {
  if (!INSTANT.test(text) || !isRealDay(text.slice(0, 10))) return undefined
  // A leap second is the one that JavaScript does not know.
  const time = Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  return Number.isNaN(time) ? undefined : time
}

function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const FIRST_DAY = Date.UTC(1980, 0, 1)
const LAST_DAY = Date.UTC(2200, 0, 1)
const DAY_MS = 24 * 3_600_000

/** The day (UTC) of an instant; undefined for what is none, before 1980 (a zero) or after 2200. */
export function dayOf(text: unknown): string | undefined {
  const time = typeof text === 'string' ? instantOf(text) : undefined
  if (time === undefined || time < FIRST_DAY || time > LAST_DAY) return undefined
  return isoTime(time).slice(0, 10)
}

/**
 * The day of something that has happened: undefined also when it is more than a day ahead of our
 * clock, for then a clock is wrong, theirs or ours.
 */
export function pastDay(text: unknown, now: number): string | undefined {
  const day = dayOf(text)
  return day !== undefined && Date.parse(day) <= now + DAY_MS ? day : undefined
}
