import { isTimeZone } from '../../../platform/wall-time.ts'
import { Unreadable } from './unreadable.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

/** A time of a calendar as it is written: by the clock on the wall of a zone, or a whole day. */
export type CalendarTime = {
  plain: Temporal.PlainDateTime
  zone: string
  isDay: boolean
}

/** A property as ical.js reads it: name, parameters, type, values. */
export type Property = [
  name: string,
  parameters: Record<string, string | string[]>,
  type: string,
  ...values: unknown[],
]

/**
 * The times of a property. A time without a zone, and a day, are of `zone`. Throws `Unreadable` for a
 * zone that is not known: no other may take its place, or people would be called hours off.
 */
export function timesOf([, parameters, type, ...values]: Property, zone: string): CalendarTime[] {
  return values.map((value) => timeOf(String(value), parameters.tzid, type, zone))
}

function timeOf(
  text: string,
  tzid: string | string[] | undefined,
  type: string,
  zone: string,
): CalendarTime {
  const isDay = type === 'date'
  const isUtc = text.endsWith('Z')
  const ofTime = isDay || isUtc || tzid === undefined ? undefined : zoneOf(String(tzid))
  try {
    const plain = Temporal.PlainDateTime.from(isUtc ? text.slice(0, -1) : text)
    return { plain, zone: isUtc ? 'UTC' : (ofTime ?? zone), isDay }
  } catch {
    throw new Unreadable(`it has the time “${short(text)}”, which is none`)
  }
}

/** The moment at which a time is. */
export function momentOfTime({ plain, zone }: Pick<CalendarTime, 'plain' | 'zone'>): number {
  try {
    return plain.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
  } catch {
    throw new Unreadable(`it has the time ${plain.toString()}, which is too far away`)
  }
}

// A path before the name, as some programs write it: /citadel.org/20210210_1/Europe/Berlin.
const PREFIXED = /^\/.*?\/([A-Z][A-Za-z]+\/[\w+/-]+)$/

// To look whether a zone exists takes a while, and a calendar names the same one everywhere.
const zones = new Map<string, string>()
const ZONES_MAX = 1_000

/** The zone of the IANA that a TZID names. Its VTIMEZONE, if there is one, is not read. */
function zoneOf(tzid: string): string {
  const name = tzid.trim()
  const existing = zones.get(name)
  if (existing !== undefined) return existing
  const other = WINDOWS_ZONES.get(name.toLowerCase()) ?? PREFIXED.exec(name)?.[1] ?? name
  const zone = [name, other].find(isTimeZone)
  if (zone !== undefined) {
    if (zones.size > ZONES_MAX) zones.clear()
    zones.set(name, zone)
    return zone
  }
  throw new Unreadable(`it has the time zone “${short(name)}”, which is not known here`)
}

const SHORT = 60

/** The beginning of a text of others, for a sentence. */
export function short(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return plain.length > SHORT ? `${plain.slice(0, SHORT).toWellFormed()}…` : plain
}
