import { oncePer } from '../../platform/once.ts'
import { cutText } from '../../platform/text.ts'
import { upWord } from '../facts/answers/fact.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { findable, fits } from '../feeds/filter.ts'
import { searchList } from '../feeds/search-list.ts'
import { GRADES } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import { x402Word } from '../records/x402.ts'
import { foldText } from '../search/match.ts'
import { contextOf, toolName } from './words.ts'

/** The filters by their names in the address. */
export const FILTERS = [
  'category',
  'grade',
  'pricing',
  'auth',
  'kind',
  'transport',
  'where',
  'x402',
  'up',
  'agentReady',
  'capability',
  'tag',
] as const
export type FilterName = (typeof FILTERS)[number]

export const DIRECTORY_SORTS = [
  'best',
  'score',
  'name',
  'category',
  'price',
  'context',
  'uptime',
  'updated',
  'stars',
] as const
export type Sort = (typeof DIRECTORY_SORTS)[number]

export type Query = {
  q: string
  picked: ReadonlyMap<FilterName, readonly string[]>
  sort: Sort
  /** From 1. */
  page: number
}

// Longer than any word of a record.
const SEARCH_CHARS = 100
const PICKED_MAX = 30

/**
 * Reads the query of the directory. People type addresses and follow old links, so unknown values
 * are ignored. Several values of one name are alternatives.
 */
export function readDirectoryQuery(search: URLSearchParams, snapshot: CatalogSnapshot): Query {
  const picked = FILTERS.flatMap((name) => {
    const values = search.getAll(name).flatMap((value) => value.split(','))
    const pickedValues = [...new Set(values)].filter(Boolean).slice(0, PICKED_MAX)
    return pickedValues.length > 0 ? [[name, pickedValues] as const] : []
  })
  const q = cutText((search.get('q') ?? '').trim(), SEARCH_CHARS)
  const sort = DIRECTORY_SORTS.find((name) => name === search.get('sort'))
  return {
    q,
    picked: new Map(picked),
    sort: sort && (sort !== 'best' || q !== '') ? sort : usualSort(snapshot, q),
    page: Math.max(1, Number.parseInt(search.get('page') ?? '', 10) || 1),
  }
}

/** A search begins with the best match; else by score, or by category while nothing is graded. */
export function usualSort({ tools }: CatalogSnapshot, q: string): Sort {
  if (q !== '') return 'best'
  return tools.some(({ graded }) => graded) ? 'score' : 'category'
}

/** The values of a tool under a filter; a list counts for each of its values. */
function valuesOf(tool: ToolDetail, name: FilterName): readonly string[] {
  if (name === 'transport') return tool.transports
  if (name === 'grade') return [tool.catalog.graded ? (tool.catalog.grade ?? 'none') : 'none']
  if (name === 'x402') return [x402Word(tool)]
  if (name === 'up') return [upWord(tool.live.probe)]
  if (name === 'agentReady') return [tool.catalog.agentReady ? 'true' : 'false']
  if (name === 'capability') return tool.capabilities
  if (name === 'tag') return tool.tags
  return [tool[name]]
}

/** The tools that the query asks for, in its order. */
export function selectTools(snapshot: CatalogSnapshot, query: Query): ToolDetail[] {
  const words = new Map([...query.picked].map(([name, values]) => [name, values.map(foldText)]))
  const matches = searchList(snapshot, query.q).filter((tool) => fits({ words }, findable(tool)))
  return sorted(matches, query.sort)
}

/** Like `selectTools` without the filter `name`, to count its choices. */
export function countChoices(
  snapshot: CatalogSnapshot,
  query: Query,
  name: FilterName,
): Map<string, number> {
  const picked = new Map(query.picked)
  picked.delete(name)
  const isWhole = picked.size === 0 && query.q === ''
  if (isWhole) return new Map(countsOfAll(snapshot).get(name))
  return countValues(selectTools(snapshot, { ...query, picked, sort: 'best' }), name)
}

// Every page of the directory shows these; a large catalog has hundreds of pages.
const countsOfAll = oncePer(
  ({ tools }: CatalogSnapshot) => new Map(FILTERS.map((name) => [name, countValues(tools, name)])),
)

function countValues(tools: readonly ToolDetail[], name: FilterName): Map<string, number> {
  const counts = new Map<string, number>()
  for (const tool of tools) {
    for (const value of valuesOf(tool, name)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

function sorted(tools: ToolDetail[], sort: Sort): ToolDetail[] {
  const order = ORDERS[sort]
  return order ? tools.toSorted(order) : tools
}

type Order = (a: ToolDetail, b: ToolDetail) => number

const ORDERS: Partial<Record<Sort, Order>> = {
  name: (a, b) => compare(keyOf(a), keyOf(b)),
  category: (a, b) => compare(a.category, b.category),
  price: byPrice,
  context: descending(contextOf),
  uptime: descending(({ live }) => live.probe?.uptime30d ?? undefined),
  updated: (a, b) => compare(b.updated ?? '', a.updated ?? ''),
  stars: descending(({ popularity }) => popularity.githubStars ?? undefined),
}

/** The largest first, and last what is not known. */
function descending(numberOf: (tool: ToolDetail) => number | undefined): Order {
  return (a, b) => (numberOf(b) ?? -1) - (numberOf(a) ?? -1)
}

const PRICE_ORDER = ['free', 'freemium', 'usage', 'subscription']

/** Free first, then by kind of price. Amounts are compared within one unit alone. */
function byPrice(a: ToolDetail, b: ToolDetail): number {
  const place = ({ pricing }: ToolDetail) => PRICE_ORDER.indexOf(pricing) >>> 0
  const [[first], [second]] = [a.unitPrices, b.unitPrices]
  return (
    place(a) - place(b) ||
    Number(first === undefined) - Number(second === undefined) ||
    compare(first?.unit ?? '', second?.unit ?? '') ||
    (first?.usd ?? 0) - (second?.usd ?? 0)
  )
}

function keyOf(tool: ToolDetail): string {
  return foldText(toolName(tool))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Grades from best to worst, other values by frequency. */
export function inFilterOrder(name: FilterName, counts: ReadonlyMap<string, number>): string[] {
  const values = [...counts.keys()]
  if (name === 'grade') {
    const place = (grade: string) => (GRADES as readonly string[]).indexOf(grade)
    return values.toSorted((a, b) => (place(a) >>> 0) - (place(b) >>> 0))
  }
  const count = (value: string) => counts.get(value) ?? 0
  return values.toSorted((a, b) => count(b) - count(a) || compare(a, b))
}
