import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import type { AuthoredTool } from '../../records/authored.ts'
import type { MarkdownKit } from '../../records/output-kits.ts'
import {
  closed,
  countField,
  day,
  instantField,
  link,
  openWord,
  orNull,
} from '../../records/words.ts'
import {
  defineFact,
  type FactHistory,
  type ProbeDay,
  type ProbeOutcome,
  type ProbeResult,
  UNKNOWN_REASONS,
} from '../fact.ts'

const share = (description: string) =>
  orNull(Type.Number({ minimum: 0, maximum: 100, description }))

export const LiveProbe = closed({
  target: link('What is asked.'),
  method: openWord('How it is asked.', ['GET', 'HEAD', 'POST', 'mcp']),
  lastAt: instantField('When it was last probed.'),
  lastOk: Type.Optional(
    Type.Boolean({
      description: 'Whether it is up; a demand for credentials says so. Absent: not known.',
    }),
  ),
  unknown: Type.Optional(openWord('Why it is not known whether it is up.', UNKNOWN_REASONS)),
  lastStatus: orNull(Type.Integer({ description: 'HTTP status of the last answer.' })),
  lastMs: orNull(countField('Milliseconds of the last answer.')),
  authRequired: Type.Optional(
    Type.Boolean({
      description: 'Whether it asked for credentials or payment. Absent: not known.',
    }),
  ),
  uptime24h: share('Percent of answered probes in 24 hours.'),
  uptime30d: share('Percent of answered probes in 30 days.'),
  p50ms24h: orNull(countField('Median milliseconds in 24 hours.')),
  p95ms24h: orNull(countField('95th percentile of milliseconds in 24 hours.')),
  samples24h: countField('Probes in 24 hours.'),
  samples30d: countField('Probes in 30 days.'),
  days: Type.Array(
    closed({
      date: day('Day.'),
      probes: countField('Probes of the day.'),
      ok: countField('Those that were answered.'),
    }),
    { description: 'One row a day, oldest first.' },
  ),
})
export type LiveProbe = Static<typeof LiveProbe>

/** `yes`, `no` or `unknown`: whether the tool was up when it was last probed. */
export function upWord(probe: Pick<LiveProbe, 'lastOk'> | undefined): 'yes' | 'no' | 'unknown' {
  if (probe?.lastOk === undefined) return 'unknown'
  return probe.lastOk ? 'yes' : 'no'
}

type Unclear = Pick<LiveProbe, 'target' | 'lastStatus' | 'unknown'>

const REASONS: Record<string, (probe: Unclear) => string> = {
  'opted-out': () => 'asked not to be measured',
  'rate-limited': () => 'rate limited',
  'private-address': () => 'not asked: private address',
  'address-not-allowed': () => 'not asked: not a public https address',
  'not-found': ({ target }) =>
    URL.parse(target)?.pathname === '/' ? 'answers 404 at its root' : 'answers 404 at its address',
  'not-mcp': () => 'answers, but not with MCP',
  'unclear-answer': ({ lastStatus }) => `answers ${lastStatus}, which does not say`,
}

/** Why it is not known whether a tool is up: `asked not to be measured`. */
export function unknownWords(probe: Unclear): string {
  const { unknown = '' } = probe
  return Object.hasOwn(REASONS, unknown)
    ? (REASONS[unknown]?.(probe) ?? '')
    : 'the last try did not say'
}

/** The request of a probe: its address and method. */
export type ProbeTarget = { target: string; method: string }
type AskedProbe = ProbeTarget & { unknown?: string }

const DAY_MS = 86_400_000
/** The days that are served and that `uptime30d` covers. */
export const DAYS_SHOWN = 30

/** The address that is probed; each attempt is stored separately. */
export const ANSWERS = defineFact({
  name: 'probe',
  value: Type.Pick(LiveProbe, ['target', 'method', 'unknown'], { additionalProperties: false }),
  live: { probe: Type.Optional(LiveProbe) },
  async read([target], history) {
    const probe = target && (await readProbe(target.value, history))
    return probe ? { probe } : {}
  },
  markdown: ({ probe }, kit) => (probe ? probeLines(probe, kit) : []),
})

async function readProbe(target: AskedProbe, history: FactHistory): Promise<LiveProbe | undefined> {
  const results = await history.results(history.now - DAY_MS)
  const last = results.at(-1) ?? (await history.lastResult())
  if (!last) return undefined
  const firstDay = isoTime(history.now - DAYS_SHOWN * DAY_MS).slice(0, 10)
  return liveProbe(target, last, results, await history.days(firstDay))
}

function probeLines(probe: LiveProbe, { fact, text, address }: MarkdownKit): string[] {
  const words = { yes: 'yes', no: 'no', unknown: `not known: ${unknownWords(probe)}` }
  const asks = probe.authRequired ? ', asks for credentials or payment' : ''
  return [
    ...fact('Endpoint', `${address(probe.target)} (${text(probe.lastAt)})`),
    ...fact('Up', text(`${words[upWord(probe)]}${asks}`)),
    ...fact('Uptime in 30 days', probe.uptime30d === null ? undefined : `${probe.uptime30d} %`),
    ...fact('Median answer', probe.p50ms24h === null ? undefined : `${probe.p50ms24h} ms`),
  ]
}

/**
 * Sums up the probes of a tool: `results` of the last 24 hours, `days` of the last 30, and `last`,
 * the newest. Probes that say nothing about the tool are not counted.
 */
export function liveProbe(
  { target, method, unknown }: AskedProbe,
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
    ...verdictOf(last, unknown),
    lastStatus: last.status,
    lastMs: last.ms,
    ...authRequiredOf(last),
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

function verdictOf({ outcome }: ProbeResult, unknown: string | undefined) {
  const lastOk = isUp(outcome)
  if (lastOk !== undefined) return { lastOk }
  return unknown === undefined ? {} : { unknown }
}

/** Absent where the answer does not say it: what was refused for another reason may need them or not. */
export function authRequiredOf({
  authRequired,
  outcome,
  status,
}: Pick<ProbeResult, 'authRequired' | 'outcome' | 'status'>) {
  if (authRequired) return { authRequired }
  const isGranted = outcome === 'open' && status !== null && status >= 200 && status < 300
  return isGranted ? { authRequired: false } : {}
}

/**
 * True for each outcome that counts as up: a demand for credentials does, and so does a refusal of
 * this kind of request. Undefined if the outcome says nothing about the tool.
 */
const UP: Record<ProbeOutcome, boolean | undefined> = {
  open: true,
  gated: true,
  'wrong-transport': true,
  'not-mcp': undefined,
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

/** `some` in percent of `all`, to two decimals; null if `all` is 0. 100 only if they are equal. */
export function percentOf(some: number, all: number): number | null {
  return all === 0 ? null : Math.floor((some / all) * 10_000) / 100
}

/**
 * Returns the target to probe: the one in the record, or else the address that callers use.
 * Undefined if there is none, or if probing is off.
 */
export function probeTargetOf({
  probe = {},
  remoteUrl,
  transports,
}: AuthoredTool): ProbeTarget | undefined {
  const target = probe.target ?? remoteUrl
  if (probe.off || target === undefined) return undefined
  const isMcp = target === remoteUrl && transports?.includes('streamable-http')
  return { target, method: probe.method ?? (isMcp ? 'mcp' : 'GET') }
}
