import type { ServedFinding } from '../records/desk.ts'
import type { BreakdownItem } from '../records/grading.ts'

/** A criterion of one record: scored 0..10, or without a score (null). */
export type CriterionScore = {
  key: string
  name: string
  /** A whole number. */
  weight: number
  score: number | null
  state: 'scored' | 'pending' | 'not-applicable'
  reason: string
  evidence?: string[]
  date?: string
  findings?: ServedFinding[]
}

export type ScoreSum = {
  /** Weights in percent with two decimals, which sum to 100.00 (0 when nothing applies); points exact. */
  breakdown: BreakdownItem[]
  /** The score in tenths, 0..1000, to avoid rounding errors: the least that it can be. */
  tenths: number
  scoredWeight: number
  applicableWeight: number
}

// A point has 1,000 parts: a basis point times a tenth of a score.
const PARTS = 1000

/**
 * The score of a record: points of the scored criteria plus the negative (≤ 0), limited to 0..100,
 * to one decimal, half up. A pending criterion keeps its weight and has no points yet, so that
 * leaving one out never raises a score. Computed in integers (docs/catalog/grading.md).
 */
export function addUp(scores: readonly CriterionScore[], negative: number): ScoreSum {
  const scored = scores.filter(isScored)
  const applicable = scores.filter(({ state }) => state !== 'not-applicable')
  const weights = effectiveWeights(applicable)
  const rows = scores.map((criterion) => ({
    criterion,
    basisPoints: weights.get(criterion.key) ?? 0,
  }))
  const parts = rows.reduce((sum, row) => sum + partsOf(row), negative * PARTS)
  return {
    breakdown: rows.map((row) => {
      const { key, name, weight, score, reason, ...rest } = row.criterion
      const effectiveWeight = row.basisPoints / (WHOLE / 100)
      const points = partsOf(row) / PARTS
      const most = rest.state === 'pending' ? { pointsMost: effectiveWeight } : {}
      return { key, name, weight, effectiveWeight, score, points, ...most, reason, ...rest }
    }),
    tenths: Math.floor((clamp(parts, 0, 100 * PARTS) + PARTS / 20) / (PARTS / 10)),
    scoredWeight: weightOf(scored),
    applicableWeight: weightOf(applicable),
  }
}

type Row = { criterion: CriterionScore; basisPoints: number }

function isScored({ state }: CriterionScore): boolean {
  return state === 'scored'
}

function partsOf({ criterion, basisPoints }: Row): number {
  return (criterion.score ?? 0) * basisPoints
}

function weightOf(scores: readonly CriterionScore[]): number {
  return scores.reduce((sum, { weight }) => sum + weight, 0)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

/** A criterion and its weight, a whole number. */
type Weighed = { key: string; weight: number }

/** 100.00 % in basis points. */
const WHOLE = 10_000

/**
 * Spreads 100.00 % over the criteria in proportion to their weights: basis points by key,
 * which sum to exactly 10,000. The basis points left over go, one each, to the largest remainders;
 * of equal remainders to the first key in bytewise order, so that the order of the list does not
 * matter. All zero if there is no weight (docs/catalog/grading.md).
 */
export function effectiveWeights(criteria: readonly Weighed[]): Map<string, number> {
  const total = criteria.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return new Map(criteria.map(({ key }) => [key, 0]))
  const shares = criteria.map(({ key, weight }) => {
    const remainder = (weight * WHOLE) % total
    return { key, points: (weight * WHOLE - remainder) / total, remainder }
  })
  const remainder = WHOLE - shares.reduce((sum, { points }) => sum + points, 0)
  const byRemainder = shares.toSorted(
    (a, b) => b.remainder - a.remainder || (a.key < b.key ? -1 : 1),
  )
  const lucky = new Set(byRemainder.slice(0, remainder).map(({ key }) => key))
  return new Map(shares.map(({ key, points }) => [key, lucky.has(key) ? points + 1 : points]))
}
