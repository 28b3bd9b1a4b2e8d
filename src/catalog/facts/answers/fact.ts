import { isoTime } from '../../../platform/clock.ts'
import type { ProbeDay, ProbeResult } from '../../measured/probe-store.ts'
import type { ProbeOutcome } from '../../measured/table.ts'
import type { AuthoredTool } from '../../records/authored.ts'
import type { LiveProbe } from '../../records/live.ts'

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

/**
 * Whether a tool was there: a demand for credentials is an answer, and so is a
 * refusal of this way of asking. Undefined where the probe says nothing about the tool.
 */
const UP: Record<ProbeOutcome, boolean | undefined> = {
  open: true,
  gated: true,
  'wrong-transport': true,
  'not-mcp': false,
  dead: false,
  unknown: undefined,
}

export function isUp(outcome: ProbeOutcome): boolean | undefined {
  return UP[outcome]
}

/**
 * The smallest value that at least `share` of all values do not exceed (nearest rank), exact; null
 * without values. `share` is above 0, and at most 1.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null
}

/** Percent of `all` that `some` are, to two decimals; null of nothing. It is 100 only for all. */
export function percentOf(some: number, all: number): number | null {
  return all === 0 ? null : Math.floor((some / all) * 10_000) / 100
}

/**
 * What is asked whether a tool is there, and how: what its record says, else the address that
 * callers use. Undefined for what has no address, and for what is never to be measured.
 */
export function targetOf({
  probe = {},
  remoteUrl,
  transports,
}: AuthoredTool): ProbeTarget | undefined {
  const target = probe.target ?? remoteUrl
  if (probe.off || target === undefined) return undefined
  const isMcp = target === remoteUrl && transports?.includes('streamable-http')
  return { target, method: probe.method ?? (isMcp ? 'mcp' : 'GET') }
}
