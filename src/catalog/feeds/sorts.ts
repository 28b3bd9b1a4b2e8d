import type { SortName } from '../record/parameters.ts'
import type { ToolDetail } from '../record/tool.ts'
import { byText } from './listing-order.ts'

/** What a list is ordered by; null comes last either way round. */
export type SortKey = string | number | null

type Sort = { keyOf(tool: ToolDetail): SortKey; descending: boolean }

const BY_NAME: Record<SortName, Sort> = {
  score: { keyOf: (tool) => tool.catalog.score, descending: true },
  name: { keyOf: (tool) => tool.name.toLowerCase(), descending: false },
  slug: { keyOf: (tool) => tool.slug, descending: false },
  updated: { keyOf: (tool) => tool.updated ?? null, descending: true },
  released: { keyOf: (tool) => tool.lastRelease ?? null, descending: true },
  stars: { keyOf: (tool) => tool.popularity.githubStars, descending: true },
}

function sortOf(sort: string): Sort | undefined {
  return BY_NAME[sort.replace(/^-/, '') as SortName]
}

/** One place in an ordered list: its key, with the slug where keys are equal. */
export type Place = { key: SortKey; slug: string }

export function placeOf(sort: string, tool: ToolDetail): Place {
  const key = sortOf(sort)?.keyOf(tool)
  return { key: key ?? null, slug: tool.slug }
}

/** Below zero when `a` stands before `b`. */
export function comparePlaces(sort: string): (a: Place, b: Place) => number {
  const own = sortOf(sort)
  const turned = sort.startsWith('-') !== (own?.descending ?? false)
  const sign = turned ? -1 : 1
  return (a, b) => compareKeys(a.key, b.key, sign) || byText(a.slug, b.slug)
}

function compareKeys(a: SortKey, b: SortKey, sign: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -sign : sign
}
