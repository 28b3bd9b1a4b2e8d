import { bandOf } from '../grading/bands.ts'
import { endedBy } from '../records/grading.ts'
import type { Methodology } from '../records/methodology.ts'
import type { ToolDetail } from '../records/tool.ts'

/** Bytewise, the same on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * The sort key of a record in the listing, lowest first: usable before ended, graded before
 * ungraded, better grade, higher score.
 */
export function listingRankOf({ catalog }: ToolDetail, bands: Methodology['bands']): ListingRank {
  const { grade, score } = catalog
  const ended = endedBy(catalog) ? 1 : 0
  if (grade === null || score === null) return [ended, 1, 0, 0]
  return [ended, 0, bandOf(bands, grade), -score]
}
export type ListingRank = readonly [ended: number, ungraded: number, band: number, score: number]

export function compareListingRanks(a: ListingRank, b: ListingRank): number {
  const at = a.findIndex((part, i) => part !== b[i])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** By rank, then by slug. */
export function listingOrder(bands: Methodology['bands']) {
  return (a: ToolDetail, b: ToolDetail): number =>
    compareListingRanks(listingRankOf(a, bands), listingRankOf(b, bands)) || byText(a.slug, b.slug)
}
