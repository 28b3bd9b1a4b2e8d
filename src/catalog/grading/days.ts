const DAY = 86_400_000
const MONTHS: Record<string, number> = { month: 1, quarter: 3, year: 12 }

/**
 * Whole days from one date to another, both `YYYY-MM-DD`; negative when `to` is earlier. Dates are
 * days of the calendar, without a time zone.
 */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY
}

/** The last day that a date of this precision may mean: 2026-05-01 by quarter → 2026-06-30. */
export function lastDayMeant(date: string, precision: string | undefined): string {
  const length = MONTHS[precision ?? 'day']
  if (length === undefined) return date
  const [year = 0, month = 1] = date.split('-').map(Number)
  const next = Math.floor((month - 1) / length + 1) * length
  return new Date(Date.UTC(year, next, 0)).toISOString().slice(0, 10)
}
