import type { Check, CheckedTool, CheckResult } from './check.ts'
import { daysBetween } from './evidence.ts'
import { USE_CHECKS } from './use.ts'
import { VENDOR_CHECKS } from './vendor.ts'

/** Every check, in the order of the criteria. A new check is one entry in its list. */
export const CHECKS: readonly Check[] = [...USE_CHECKS, ...VENDOR_CHECKS]

/**
 * Scores that checks alone can show, lowest first: each needs the checks named, and those of the
 * scores before it. What an anchor asks beyond them, a person has to read.
 */
export const LADDERS: Readonly<
  Record<string, ReadonlyArray<readonly [score: number, checks: readonly string[]]>>
> = {
  maintenance: [
    [4, ['release-in-two-years']],
    [6, ['release-in-a-year', 'changelog']],
    [8, ['announced-ends']],
  ],
  transparency: [
    [2, ['vendor']],
    [4, ['terms']],
    [6, ['prices', 'privacy', 'limits']],
  ],
  schema: [
    [4, ['description']],
    // Each of the two is for other kinds of tools.
    [6, ['described-parameters', 'described-operations']],
  ],
  payments: [[8, ['call-payment']]],
}

/** What the checks of a criterion show: a least score with its reason, or why there is none. */
export type Proposal = {
  criterion: string
  /** Null: the checks alone show no score. */
  least: number | null
  /** Below 10 where a check says no. */
  most: number
  reason: string
  results: CheckResult[]
}

/** Half of the calls and 95 of 100 within these milliseconds, by score. */
const SPEEDS = [
  [10, 200, 500],
  [8, 500, 2_000],
  [6, 2_000, 5_000],
  [4, 5_000, Number.POSITIVE_INFINITY],
  [2, 30_000, Number.POSITIVE_INFINITY],
] as const
const SAMPLES_LEAST = 24

/** Runs the checks that apply to a tool. Evidence that is too old is not known any more. */
export function runChecks(checked: CheckedTool): CheckResult[] {
  const { kind } = checked.tool
  return CHECKS.filter(({ kinds }) => !kinds || kinds.includes(kind) || kind === 'unknown').map(
    ({ key, criterion, daysMost, look }) => {
      const evidence = look(checked)
      const { date, summary } = evidence
      const isOld = date !== undefined && daysBetween(date, checked.today) > daysMost
      const current = isOld
        ? { ...evidence, answer: 'unknown' as const, summary: `${summary} That was too long ago.` }
        : evidence
      return { key, criterion, ...current }
    },
  )
}

/** The proposals for the criteria of a methodology, in their order. */
export function proposeScores(
  checked: CheckedTool,
  criteria: ReadonlyArray<{ key: string; kinds?: readonly string[] }>,
): Proposal[] {
  const results = runChecks(checked)
  const { kind } = checked.tool
  return criteria
    .filter(({ kinds }) => !kinds || kind === 'unknown' || kinds.includes(kind))
    .map(({ key }) => {
      const own = results.filter(({ criterion }) => criterion === key)
      const score = key === 'performance' ? bySpeed(checked) : byLadder(LADDERS[key], own)
      return { criterion: key, ...score, results: own }
    })
}

type Range = Pick<Proposal, 'least' | 'most' | 'reason'>

function byLadder(
  ladder: (typeof LADDERS)[string] | undefined,
  results: readonly CheckResult[],
): Range {
  if (!ladder)
    return { least: null, most: 10, reason: 'No check shows a score of this; a person reads.' }
  const byKey = new Map(results.map((result) => [result.key, result]))
  let least: number | null = null
  let most = 10
  const reasons: string[] = []
  for (const [score, all] of ladder) {
    const keys = all.filter((key) => byKey.has(key))
    if (keys.length === 0) break
    const missing = keys.filter((key) => byKey.get(key)?.answer !== 'yes')
    if (missing.length > 0) {
      const isRefused = missing.some((key) => byKey.get(key)?.answer === 'no')
      if (isRefused) most = score - 1
      reasons.push(`${score} needs: ${missing.join(', ')}.`)
      break
    }
    least = score
    reasons.push(...keys.flatMap((key) => byKey.get(key)?.summary ?? []))
  }
  return { least, most, reason: reasons.join(' ') }
}

/** Only what was measured here says how fast it is. */
function bySpeed({ tool }: CheckedTool): Range {
  const { p50ms24h: half, p95ms24h: most, samples24h = 0 } = tool.live.probe ?? {}
  if (typeof half !== 'number' || typeof most !== 'number' || samples24h < SAMPLES_LEAST)
    return { least: null, most: 10, reason: 'Its speed was not measured here for a day.' }
  const [score] = SPEEDS.find(([, p50, p95]) => half <= p50 && most <= p95) ?? [0]
  const reason = `Half of ${samples24h} probes within ${half} ms, 95 of 100 within ${most} ms.`
  return { least: score, most: score, reason }
}
