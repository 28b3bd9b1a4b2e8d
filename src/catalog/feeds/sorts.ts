import type { Methodology } from '../records/methodology.ts'
import type { SortName } from '../records/parameters.ts'
import type { ToolDetail } from '../records/tool.ts'
import { byText, compareListingRanks, type ListingRank, listingRankOf } from './listing-order.ts'

/** A value to sort by; null and ended tools come last in both directions. */
type SortKey = string | number | null | ListingRank

type Bands = Methodology['bands']

type Sort = { keyOf(tool: ToolDetail, bands: Bands): SortKey; descending: boolean }

const BY_NAME: Record<SortName, Sort> = {
  // The best rank is the lowest.
  score: { keyOf: listingRankOf, descending: false },
  name: { keyOf: (tool) => tool.name.toLowerCase(), descending: false },
  slug: { keyOf: (tool) => tool.slug, descending: false },
  updated: { keyOf: (tool) => tool.updated ?? null, descending: true },
  released: { keyOf: (tool) => tool.lastRelease ?? null, descending: true },
  stars: { keyOf: (tool) => tool.popularity.githubStars, descending: true },
}

function sortOf(sort: string): Sort | undefined {
  return BY_NAME[sort.replace(/^-/, '') as SortName]
}

/** A position in a sorted list: the key, and the slug for equal keys. */
export type SortPosition = { key: SortKey; slug: string }

export function sortPositionOf(sort: string, tool: ToolDetail, bands: Bands): SortPosition {
  const key = sortOf(sort)?.keyOf(tool, bands)
  return { key: key ?? null, slug: tool.slug }
}

/** Negative if `a` comes before `b`. */
export function compareSortPositions(sort: string): (a: SortPosition, b: SortPosition) => number {
  const own = sortOf(sort)
  const turned = sort.startsWith('-') !== (own?.descending ?? false)
  const sign = turned ? -1 : 1
  return (a, b) => compareKeys(a.key, b.key, sign) || byText(a.slug, b.slug)
}

function compareKeys(a: SortKey, b: SortKey, sign: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'object' && typeof b === 'object') return compareTurned(a, b, sign)
  return a < b ? -sign : sign
}

/** In reverse order, ungraded and ended tools still come last. */
function compareTurned(a: ListingRank, b: ListingRank, sign: number): number {
  const group = compareListingRanks([a[0], a[1], 0, 0], [b[0], b[1], 0, 0])
  return group || sign * compareListingRanks(a, b)
}
