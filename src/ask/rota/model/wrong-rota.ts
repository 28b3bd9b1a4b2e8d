import type { WrongField } from '../../../platform/failure.ts'
import { isTimeZone } from '../../../platform/wall-time.ts'
import { wrongName } from '../../../platform/wrong-name.ts'
import type { Schedule } from './rota.ts'

export const ROTA_LIMITS = { rotas: 50, name: 60, people: 50, days: 365, overrides: 100 } as const

const DATE = /^(20\d\d)-\d\d-\d\d$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const URL_MAX = 2_000

/** What is wrong with the name of a rota. An @ would look like somebody’s address. */
export function wrongRotaName(name: string): WrongField[] {
  if (name.includes('@')) return [{ field: 'name', must: 'must not contain an @' }]
  return wrongName(name, ROTA_LIMITS.name)
}

export function wrongZone(zone: string): WrongField[] {
  if (isTimeZone(zone)) return []
  return [{ field: 'zone', must: 'must be a time zone like Europe/Berlin' }]
}

/** What is wrong with a schedule; `from`, `at`, `every` and `people` are the fields of forms and files. */
export function wrongSchedule({ startsOn, at, everyDays, people }: Schedule): WrongField[] {
  const wrong: WrongField[] = []
  const { people: most, days } = ROTA_LIMITS
  if (!isDate(startsOn)) wrong.push({ field: 'from', must: 'must be a date like 2026-10-19' })
  if (!TIME.test(at)) wrong.push({ field: 'at', must: 'must be a time like 09:00' })
  if (!(Number.isInteger(everyDays) && everyDays >= 1 && everyDays <= days))
    wrong.push({ field: 'every', must: `must be whole days, from 1 to ${days}` })
  if (people.length === 0 || people.length > most)
    wrong.push({ field: 'people', must: `must be from 1 to ${most} people` })
  if (new Set(people).size < people.length)
    wrong.push({ field: 'people', must: 'must have each person once' })
  return wrong
}

/** The address of a calendar as it is fetched; undefined if it is none. */
export function calendarUrl(text: string): string | undefined {
  const url = URL.parse(text.replace(/^webcals?:/i, 'https:'))
  if (!url || !/^https?:$/.test(url.protocol) || text.length > URL_MAX) return undefined
  return url.username || url.password ? undefined : url.href
}

/**
 * The moment of a local time like `2026-10-19T09:00` in a zone, or of one in UTC that ends with `Z`;
 * undefined for something else.
 */
export function momentOf(local: string, zone: string): number | undefined {
  if (local.endsWith('Z')) return Date.parse(local) || undefined
  const [date = '', time = ''] = local.split('T')
  if (!isDate(date) || !TIME.test(time)) return undefined
  const moment = Temporal.PlainDateTime.from(`${date}T${time}`)
  return moment.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
}

function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
