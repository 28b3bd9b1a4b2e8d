import type { SpeedDay } from '../fact.ts'

/** The days that the page draws. */
export const SPEED_DAYS = 90
const DAY_MS = 86_400_000

/** Response times in milliseconds, a value for each day, oldest first; -1 where none is known. */
export type SpeedHistory = { p50ms: Int32Array; p95ms: Int32Array }

/** The response times of one tool for the days up to `today` (`YYYY-MM-DD`), which is the last. */
export function speedHistory(days: readonly SpeedDay[], today: string): SpeedHistory {
  const history = {
    p50ms: new Int32Array(SPEED_DAYS).fill(-1),
    p95ms: new Int32Array(SPEED_DAYS).fill(-1),
  }
  for (const { date, p50ms, p95ms } of days) {
    const index = SPEED_DAYS - 1 - (Date.parse(today) - Date.parse(date)) / DAY_MS
    if (index < 0 || index >= SPEED_DAYS) continue
    history.p50ms[index] = p50ms
    history.p95ms[index] = p95ms
  }
  return history
}

/** The day after which `speedHistory` needs rows. */
export function dayBeforeSpeeds(today: string): string {
  return new Date(Date.parse(today) - SPEED_DAYS * DAY_MS).toISOString().slice(0, 10)
}
