import { oncePer } from '../../platform/once-per.ts'
import { endedBy } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import type { QueryReply, QueryRoute } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { listName, readCursor, writeListingCursor } from './cursor.ts'
import { type Findable, findable, fits } from './filter.ts'
import { JSON_TYPE, withArray } from './json-document.ts'
import { countsOf, LISTING } from './listing.ts'
import { type ListingQuery, readListingQuery } from './listing-query.ts'
import { feedMeta } from './meta.ts'
import { recordText } from './record-text.ts'
import { compareSortPositions, sortPositionOf } from './sorts.ts'

/** The listing with parameters: the keys of the whole one, with `page` and `filters`. */
export const askListing: QueryRoute = {
  path: LISTING,
  reply: (snapshot, query) => filteredListing(snapshot, readListingQuery(query), query),
}

function filteredListing(
  snapshot: CatalogSnapshot,
  asked: ListingQuery,
  query: URLSearchParams,
): QueryReply {
  const bound = {
    list: listName(asked.filters),
    revision: `${snapshot.revision} ${snapshot.today}`,
  }
  const after = asked.cursor === undefined ? undefined : readCursor(asked.cursor, bound)
  const matching = orderedTools(snapshot, asked.sort)
    .filter((one) => fits(asked, one))
    .map(({ tool }) => tool)
  const compare = compareSortPositions(asked.sort)
  const { bands } = snapshot.methodology
  const from = after
    ? matching.findIndex((tool) => compare(sortPositionOf(asked.sort, tool, bands), after) > 0)
    : 0
  const tools = from < 0 ? [] : matching.slice(from, from + asked.limit)
  const last = tools.at(-1)
  const more = last !== undefined && from + tools.length < matching.length
  const cursor = more ? writeListingCursor(sortPositionOf(asked.sort, last, bands), bound) : null
  const next = cursor === null ? null : nextUrl(snapshot, query, cursor)
  const fields = {
    ...countsOf(matching),
    meta: feedMeta(snapshot),
    page: { count: tools.length, limit: asked.limit, total: matching.length, cursor, next },
    filters: asked.filters,
    ...(asked.removed ? { removed: removedOf(snapshot, asked) } : {}),
  }
  const texts = tools.map(asked.slim ? slimText : recordText)
  return {
    type: JSON_TYPE,
    body: withArray(fields, 'tools', texts),
    ...(next ? { headers: { link: `<${next}>; rel="next"` } } : {}),
  }
}

function nextUrl({ baseUrl }: CatalogSnapshot, query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query)
  next.set('cursor', cursor)
  return `${baseUrl}${LISTING}?${next}`
}

function removedOf({ removed }: CatalogSnapshot, { updatedSince = '' }: ListingQuery) {
  return removed.filter(({ date }) => date >= updatedSince)
}

const ordersOf = oncePer((_: CatalogSnapshot) => new Map<string, readonly Findable[]>())

function orderedTools(snapshot: CatalogSnapshot, sort: string): readonly Findable[] {
  const orders = ordersOf(snapshot)
  const known = orders.get(sort)
  if (known) return known
  const all = orders.get('score') ?? snapshot.tools.map(findable)
  orders.set('score', all)
  if (sort === 'score') return all
  const compare = compareSortPositions(sort)
  const places = all.map((one) => ({
    one,
    place: sortPositionOf(sort, one.tool, snapshot.methodology.bands),
  }))
  const made = places.sort((a, b) => compare(a.place, b.place)).map(({ one }) => one)
  orders.set(sort, made)
  return made
}

/** Enough of a record to choose from a list; the whole record is one request away. */
const slimText = oncePer((tool: ToolDetail): string => {
  const { slug, name, vendor, kind, category, summary, url, jsonUrl, slimMarkdownUrl } = tool
  const { auth, pricing, priceSummary, where, transports, capabilities, x402, catalog } = tool
  const gate = endedBy(catalog)
  return JSON.stringify({
    slug,
    name,
    vendor,
    kind,
    category,
    summary,
    url,
    jsonUrl,
    slimMarkdownUrl,
    auth,
    pricing,
    priceSummary,
    where,
    transports,
    capabilities,
    ...(x402 ? { x402: { level: x402.level } } : {}),
    graded: tool.graded,
    ...(gate ? { ended: gate.code } : {}),
    catalog: { score: catalog.score, grade: catalog.grade, agentReady: catalog.agentReady },
  })
})
