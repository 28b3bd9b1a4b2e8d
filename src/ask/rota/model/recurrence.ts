/** How an event repeats, by days; its time of day stays. */
export type Recurrence = {
  freq: (typeof FREQUENCIES)[number]
  /** At least 1. */
  interval: number
  count: number | undefined
  /** Weekdays from 1, Monday, to 7; `nth` is the second or the last one of a month or year. */
  byDay: Array<{ nth: number | undefined; weekday: number }>
  byMonth: number[]
  byMonthDay: number[]
  bySetPos: number[]
  weekStart: number
}

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

const DAYS_OF = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 } as const

/**
 * Yields the days, as numbers since 1970, on which an event repeats that begins on `start`: those from
 * `from` to `to`, in order. Without a count it begins to look shortly before `from`, however long ago
 * the event began. Calls `spend` with the number of days before it looks at them; that may throw.
 */
export function* repeatsOf(
  rule: Recurrence,
  start: number,
  { from, to }: { from: number; to: number },
  spend: (days: number) => void,
): Generator<number> {
  let counted = 0
  let period = rule.count === undefined ? firstPeriod(rule, start, from) : 0
  for (; beginOf(rule, start, period) <= to; period++) {
    spend(DAYS_OF[rule.freq])
    for (const day of chosen(daysIn(rule, start, period), rule.bySetPos)) {
      if (day < start) continue
      counted++
      if (day > to || (rule.count !== undefined && counted > rule.count)) return
      if (day >= from) yield day
    }
  }
}

/** A period that is over before `from`, or the first. */
function firstPeriod({ freq, interval }: Recurrence, start: number, from: number): number {
  return Math.max(0, Math.floor((from - start) / DAYS_OF[freq] / interval) - 1)
}

/** The first day of a period: of a day, week, month or year. */
function beginOf({ freq, interval, weekStart }: Recurrence, start: number, period: number) {
  const steps = period * interval
  const { year, month } = dateOf(start)
  if (freq === 'DAILY') return start + steps
  if (freq === 'WEEKLY') return start - ((weekdayOf(start) - weekStart + 7) % 7) + 7 * steps
  return freq === 'MONTHLY' ? dayOf(year, month + steps, 1) : dayOf(year + steps, 0, 1)
}

/** The days of a period on which the event may be, in order. */
function daysIn(rule: Recurrence, start: number, period: number): number[] {
  const begin = beginOf(rule, start, period)
  const { byMonth } = rule
  const fits = (day: number) => byMonth.length === 0 || byMonth.includes(dateOf(day).month + 1)
  if (rule.freq === 'DAILY') return [begin].filter(fits).filter((day) => isChosenDay(rule, day))
  if (rule.freq === 'WEEKLY') {
    const weekdays = rule.byDay.map(({ weekday }) => weekday)
    const on = weekdays.length > 0 ? weekdays : [weekdayOf(start)]
    const week = Array.from({ length: 7 }, (_, at) => begin + at)
    return week.filter((day) => on.includes(weekdayOf(day))).filter(fits)
  }
  const { year, month } = dateOf(begin)
  if (rule.freq === 'MONTHLY')
    return daysOf(rule, start, [year, month], [year, month + 1]).filter(fits)
  return daysOfYear(rule, start, year).filter(fits)
}

function daysOfYear(rule: Recurrence, start: number, year: number): number[] {
  const { byMonth, byDay, byMonthDay } = rule
  const isByYear = byMonth.length === 0 && byMonthDay.length === 0
  if (isByYear && byDay.length > 0) return daysOf(rule, start, [year, 0], [year + 1, 0])
  const same = [dateOf(start).month + 1]
  const every = Array.from({ length: 12 }, (_, at) => at + 1)
  const months = byMonth.length > 0 ? byMonth : isByYear ? same : every
  return [...new Set(months)]
    .sort((a, b) => a - b)
    .flatMap((month) => daysOf(rule, start, [year, month - 1], [year, month]))
}

type Month = [year: number, month: number]

/** The days from the first of one month to the first of another that the rule names. */
function daysOf(rule: Recurrence, start: number, first: Month, end: Month): number[] {
  const [begin, after] = [dayOf(...first, 1), dayOf(...end, 1)]
  const days = Array.from({ length: after - begin }, (_, at) => begin + at)
  const { byDay, byMonthDay } = rule
  if (byDay.length === 0 && byMonthDay.length === 0) {
    return days.filter((day) => dateOf(day).date === dateOf(start).date)
  }
  return days.filter((day) => isMonthDay(rule, day) && isNthDay(rule, day, begin, after))
}

function isChosenDay(rule: Recurrence, day: number): boolean {
  const weekdays = rule.byDay.map(({ weekday }) => weekday)
  return isMonthDay(rule, day) && (weekdays.length === 0 || weekdays.includes(weekdayOf(day)))
}

function isMonthDay({ byMonthDay }: Recurrence, day: number): boolean {
  if (byMonthDay.length === 0) return true
  const { year, month, date } = dateOf(day)
  const fromEnd = date - 1 - (dayOf(year, month + 1, 1) - dayOf(year, month, 1))
  return byMonthDay.includes(date) || byMonthDay.includes(fromEnd)
}

/** True if a day is the weekday that the rule names, in the month or year from `begin` to `after`. */
function isNthDay({ byDay }: Recurrence, day: number, begin: number, after: number): boolean {
  if (byDay.length === 0) return true
  const nth = Math.floor((day - begin) / 7) + 1
  const fromEnd = -Math.floor((after - 1 - day) / 7) - 1
  return byDay.some(
    (one) =>
      one.weekday === weekdayOf(day) &&
      (one.nth === undefined || one.nth === nth || one.nth === fromEnd),
  )
}

function chosen(days: readonly number[], positions: readonly number[]): readonly number[] {
  if (positions.length === 0) return days
  return days.filter((_, at) => positions.includes(at + 1) || positions.includes(at - days.length))
}

const DAY_MS = 86_400_000

/** A day as a number since 1970; `month` from 0, also beyond a year. */
export function dayOf(year: number, month: number, date: number): number {
  return Date.UTC(year, month, date) / DAY_MS
}

function dateOf(day: number): { year: number; month: number; date: number } {
  const at = new Date(day * DAY_MS)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() }
}

/** From 1, Monday, to 7. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}
