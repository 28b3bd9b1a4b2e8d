/** A scored criterion and its weight, a whole number. */
export type Weighed = { key: string; weight: number }

/** All of it, in basis points: 100.00 %. */
export const WHOLE = 10_000

/**
 * Spreads 100.00 % over the scored criteria in proportion to their weights: basis points by key,
 * which sum to exactly 10,000. What whole basis points leave over goes, one each, to the largest
 * remainders; of equal remainders to the key that comes first in bytewise order, so that the order
 * of the list never matters. All zero when there is no weight at all (docs/catalog/grading.md).
 */
export function effectiveWeights(scored: readonly Weighed[]): Map<string, number> {
  const total = scored.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return new Map(scored.map(({ key }) => [key, 0]))
  const shares = scored.map(({ key, weight }) => {
    const remainder = (weight * WHOLE) % total
    return { key, points: (weight * WHOLE - remainder) / total, remainder }
  })
  const left = WHOLE - shares.reduce((sum, { points }) => sum + points, 0)
  const byRemainder = shares.toSorted(
    (a, b) => b.remainder - a.remainder || (a.key < b.key ? -1 : 1),
  )
  const lucky = new Set(byRemainder.slice(0, left).map(({ key }) => key))
  return new Map(shares.map(({ key, points }) => [key, lucky.has(key) ? points + 1 : points]))
}
