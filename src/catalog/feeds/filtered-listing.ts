import { Failure } from '../../platform/failure.ts'
import { oncePer } from '../../platform/once.ts'
import { endedBy } from '../records/grading.ts'
import { BEST, LISTING_PARAMETERS } from '../records/parameters.ts'
import type { ToolDetail } from '../records/tool.ts'
import type { QueryReply, QueryRoute } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { documentHash } from './etag.ts'
import { CURSOR_MISMATCH, INVALID_PARAMETER, REVISION_EXPIRED } from './failures.ts'
import { type Findable, findable, fits } from './filter.ts'
import { JSON_TYPE, withArray } from './json-document.ts'
import { countsOf, LISTING, recordText } from './listing.ts'
import { compareSortPositions, type SortPosition, sortPositionOf } from './listing-order.ts'
import { type ListingQuery, readListingQuery } from './listing-query.ts'
import { feedMeta } from './meta.ts'
import { searchList } from './search-list.ts'

/** The listing with parameters: the keys of the whole one, with `page` and `filters`. */
export const askListing: QueryRoute = {
  path: LISTING,
  reply: (snapshot, query) => filteredListing(snapshot, readListingQuery(query), query),
}

function filteredListing(
  snapshot: CatalogSnapshot,
  listing: ListingQuery,
  query: URLSearchParams,
): QueryReply {
  const bound = {
    list: listName(listing.filters),
    revision: `${snapshot.revision} ${snapshot.today}`,
  }
  const after = listing.cursor === undefined ? undefined : readCursor(listing.cursor, bound)
  const matching = matchingTools(snapshot, listing)
  const positionOf = positions(snapshot, listing, matching)
  const compare = compareSortPositions(listing.sort)
  const from = after ? matching.findIndex((tool) => compare(positionOf(tool), after) > 0) : 0
  const tools = from < 0 ? [] : matching.slice(from, from + listing.limit)
  const last = tools.at(-1)
  const more = last !== undefined && from + tools.length < matching.length
  const cursor = more ? writeListingCursor(positionOf(last), bound) : null
  const next = cursor === null ? null : nextUrl(snapshot, query, cursor)
  const fields = {
    ...countsOf(matching),
    meta: feedMeta(snapshot),
    page: { count: tools.length, limit: listing.limit, total: matching.length, cursor, next },
    filters: listing.filters,
    ...(listing.removed ? { removed: selectRemoved(snapshot, listing) } : {}),
  }
  const texts = tools.map(listing.slim ? slimText : recordText)
  return {
    type: JSON_TYPE,
    body: withArray(fields, 'tools', texts),
    ...(next ? { headers: { link: `<${next}>; rel="next"` } } : {}),
  }
}

function matchingTools(snapshot: CatalogSnapshot, listing: ListingQuery): ToolDetail[] {
  const { search, sort } = listing
  const matches = search === undefined ? undefined : searchList(snapshot, search)
  const isBest = sort === BEST && matches
  const among = matches && new Set(matches)
  return (isBest ? matches.map(findable) : orderedTools(snapshot, sort))
    .filter((one) => (isBest || !among || among.has(one.tool)) && fits(listing, one))
    .map(({ tool }) => tool)
}

/** The sort position of a tool in the list; in a search the number of its place. */
function positions(snapshot: CatalogSnapshot, { sort }: ListingQuery, tools: ToolDetail[]) {
  const { bands } = snapshot.methodology
  if (sort !== BEST) return (tool: ToolDetail) => sortPositionOf(sort, tool, bands)
  const places = new Map(tools.map((tool, place) => [tool, place]))
  return (tool: ToolDetail) => ({ key: places.get(tool) ?? 0, slug: tool.slug })
}

function nextUrl({ baseUrl }: CatalogSnapshot, query: URLSearchParams, cursor: string): string {
  const next = new URLSearchParams(query)
  next.set('cursor', cursor)
  return `${baseUrl}${LISTING}?${next}`
}

function selectRemoved({ removed }: CatalogSnapshot, { updatedSince = '' }: ListingQuery) {
  return removed.filter(({ date }) => date >= updatedSince)
}

const ordersOf = oncePer((_: CatalogSnapshot) => new Map<string, readonly Findable[]>())

function orderedTools(snapshot: CatalogSnapshot, sort: string): readonly Findable[] {
  const orders = ordersOf(snapshot)
  const cached = orders.get(sort)
  if (cached) return cached
  const all = orders.get('score') ?? snapshot.tools.map(findable)
  orders.set('score', all)
  if (sort === 'score' || sort === BEST) return all
  const compare = compareSortPositions(sort)
  const places = all.map((one) => ({
    one,
    place: sortPositionOf(sort, one.tool, snapshot.methodology.bands),
  }))
  const tools = places.sort((a, b) => compare(a.place, b.place)).map(({ one }) => one)
  orders.set(sort, tools)
  return tools
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

/** The list and revision that a cursor belongs to. */
type CursorContext = { list: string; revision: string }

const CURSOR_MOST = LISTING_PARAMETERS.cursor.maxLength as number

/** Opaque to readers; keeps its place whatever is added or removed before it. */
export function writeListingCursor(
  { key, slug }: SortPosition,
  { list, revision }: CursorContext,
): string {
  return Buffer.from(JSON.stringify([list, revision, key, slug])).toString('base64url')
}

/** Throws `invalid_parameter`, `cursor_mismatch` for another list, `revision_expired`. */
export function readCursor(text: string, bound: CursorContext): SortPosition {
  const [list, revision, key, slug] = parts(text)
  if (list !== bound.list) {
    throw new Failure(
      CURSOR_MISMATCH,
      'The cursor belongs to other filters or another order; leave it out to begin this list.',
      { parameter: 'cursor' },
    )
  }
  if (revision !== bound.revision) {
    throw new Failure(
      REVISION_EXPIRED,
      'The catalog was published anew since this list was begun; leave the cursor out to begin again.',
      { parameter: 'cursor' },
    )
  }
  return { key, slug }
}

/** A short name for a query. */
function listName(filters: object): string {
  return documentHash(JSON.stringify(filters))
}

function parts(text: string): [string, string, SortPosition['key'], string] {
  const read = text.length <= CURSOR_MOST ? parsed(text) : undefined
  if (Array.isArray(read) && read.length === 4) {
    const [list, revision, key, slug] = read as unknown[]
    if (typeof list === 'string' && typeof revision === 'string' && isKey(key)) {
      if (typeof slug === 'string') return [list, revision, key, slug]
    }
  }
  throw new Failure(
    INVALID_PARAMETER,
    'The parameter cursor must be one that a page of this list gave.',
    { parameter: 'cursor' },
  )
}

function isKey(key: unknown): key is SortPosition['key'] {
  if (key === null || typeof key === 'string' || typeof key === 'number') return true
  return Array.isArray(key) && key.length === 4 && key.every((part) => typeof part === 'number')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
