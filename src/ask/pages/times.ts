import { wallTime } from '../../platform/wall-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()

function format(zone: string, name: string, options: Intl.DateTimeFormatOptions) {
  const key = `${zone} ${name}`
  const existing = formats.get(key)
  if (existing) return existing
  const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  formats.set(key, formatter)
  return formatter
}

/** `14:02` in the person's zone. */
export function clockTime(at: number, zone: string): string {
  return wallTime(at, zone)
}

/** `31 January 2026 at 14:02:10 UTC`: for the tooltip, and wherever it may be another day. */
export function exactTime(at: number, zone: string): string {
  return format(zone, 'exact', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(at)
}

/** `just now`, `4 min ago`, `3 h ago`, then the date. */
export function relativeTime(at: number, now: number, zone: string): string {
  const ago = now - at
  if (ago < MINUTE) return 'just now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h ago`
  return shortDay(at, now, zone)
}

function shortDay(at: number, now: number, zone: string): string {
  const sameYear = now - at < 300 * DAY
  return format(zone, sameYear ? 'day' : 'year', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(at)
}

/** `Today`, `Yesterday` or `29 January`: headings of a list by day. */
export function dayName(at: number, now: number, zone: string): string {
  const day = format(zone, 'heading', { weekday: 'long', day: 'numeric', month: 'long' })
  const name = day.format(at)
  if (name === day.format(now)) return 'Today'
  return name === day.format(now - DAY) ? 'Yesterday' : name
}

/** The day of an instant in a zone, like `2026-11-23`. */
export function calendarDay(at: number, zone: string): string {
  const options = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
  return format(zone, 'calendar', options).format(at).split('/').reverse().join('-')
}

// Every time zone of today begins its days at a quarter of an hour.
const QUARTER = 15 * MINUTE

/** When a day like `2026-11-23` begins in a zone. */
export function dayStart(day: string, zone: string): number {
  let before = Date.parse(day) - 16 * HOUR
  let start = before + 32 * HOUR
  while (start - before > QUARTER) {
    const middle = before + Math.floor((start - before) / 2 / QUARTER) * QUARTER
    if (calendarDay(middle, zone) < day) before = middle
    else start = middle
  }
  return start
}

/** The day `count` days after a day like `2026-11-23`. */
export function dayAfter(day: string, count = 1): string {
  return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)
}

/** The last `count` days until `day`, the earliest first. */
export function daysUntil(day: string, count: number): string[] {
  const last = Date.parse(day)
  return Array.from({ length: count }, (_, i) =>
    new Date(last - (count - 1 - i) * DAY).toISOString().slice(0, 10),
  )
}

/** `Mon 23 Nov`, of a day like `2026-11-23`. */
export function dayLabel(day: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const
  return format('UTC', 'label', options).format(Date.parse(day)).replace(',', '')
}

/** How long something took, rounded: `0.4 seconds`, `12 seconds`, `3 minutes 5 seconds`, `2 hours`, `4 days`. */
export function measuredTime(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000
  if (seconds < 9.95) return words(Math.round(seconds * 10) / 10, 'second')
  const [whole, minutes, hours] = [seconds, seconds / 60, seconds / 3600].map(Math.round) as [
    number,
    number,
    number,
  ]
  if (whole < 60) return words(whole, 'second')
  if (whole < 600) return two(Math.floor(whole / 60), 'minute', whole % 60, 'second')
  if (minutes < 60) return words(minutes, 'minute')
  if (minutes < 600) return two(Math.floor(minutes / 60), 'hour', minutes % 60, 'minute')
  return hours < 48 ? words(hours, 'hour') : words(Math.round(hours / 24), 'day')
}

function words(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}

function two(number: number, unit: string, rest: number, small: string): string {
  return rest === 0 ? words(number, unit) : `${words(number, unit)} ${words(rest, small)}`
}

/** `7 h 20 min left`, `8 min left`, `42 s left`, as the line under the header shows it. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return 'time is up'
  if (ms < MINUTE) return `${Math.ceil(ms / 1000)} s left`
  const minutes = Math.ceil(ms / MINUTE)
  if (minutes <= 90) return `${minutes} min left`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

/** The time zone if this machine knows it, otherwise UTC. */
export function validZone(name: string | undefined): string {
  if (!name || !/^[\w+/-]{1,64}$/.test(name)) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
