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
