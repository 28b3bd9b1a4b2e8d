import { isoTime } from '../../platform/clock.ts'
import type { LiveProbe } from '../records/live.ts'
import { percentile, percentOf } from './percentile.ts'
import type { ProbeDay, ProbeResult } from './probe-store.ts'
import { isUp } from './up.ts'

/** What is asked, and how. */
export type ProbeTarget = { target: string; method: string }

export const DAY_MS = 86_400_000
/** Days that are served, and that `uptime30d` is of. */
export const DAYS_SHOWN = 30

/**
 * What the probes of a tool come to: `results` of the last 24 hours, `days` of the last 30, `last`
 * the newest of all. What says nothing about the tool is not counted.
 */
export function liveProbe(
  { target, method }: ProbeTarget,
  last: ProbeResult,
  results: readonly ProbeResult[],
  days: readonly ProbeDay[],
): LiveProbe {
  const counted = results.filter(({ outcome }) => isUp(outcome) !== undefined)
  const answered = counted.filter(({ outcome }) => isUp(outcome))
  const times = answered.flatMap(({ ms }) => ms ?? [])
  const sum = (of: (day: ProbeDay) => number) => days.reduce((all, day) => all + of(day), 0)
  const samples30d = sum(({ probes }) => probes)
  return {
    target,
    method,
    lastAt: isoTime(last.at),
    lastOk: isUp(last.outcome) ?? false,
    lastStatus: last.status,
    lastMs: last.ms,
    authRequired: last.authRequired,
    uptime24h: percentOf(answered.length, counted.length),
    uptime30d: percentOf(
      sum(({ ok }) => ok),
      samples30d,
    ),
    p50ms24h: percentile(times, 0.5),
    p95ms24h: percentile(times, 0.95),
    samples24h: counted.length,
    samples30d,
    days: days.map(({ date, probes, ok }) => ({ date, probes, ok })),
  }
}
