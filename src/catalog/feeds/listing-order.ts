import { bandOf } from '../grading/bands.ts'
import { endedBy } from '../records/grading.ts'
import type { Methodology } from '../records/methodology.ts'
import type { SortName } from '../records/parameters.ts'
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
function listingRankOf(
  { catalog }: Pick<ToolDetail, 'catalog'>,
  bands: Methodology['bands'],
): ListingRank {
  const { grade, score } = catalog
  const ended = endedBy(catalog) ? 1 : 0
  if (grade === null || score === null) return [ended, 1, 0, 0]
  return [ended, 0, bandOf(bands, grade), -score]
}
type ListingRank = readonly [ended: number, ungraded: number, band: number, score: number]

function compareListingRanks(a: ListingRank, b: ListingRank): number {
  const at = a.findIndex((part, i) => part !== b[i])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

/** By rank, then by slug. */
export function listingOrder(bands: Methodology['bands']) {
  type Listed = Pick<ToolDetail, 'slug' | 'catalog'>
  return (a: Listed, b: Listed): number =>
    compareListingRanks(listingRankOf(a, bands), listingRankOf(b, bands)) || byText(a.slug, b.slug)
}

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
