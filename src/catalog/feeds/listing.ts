import { toToolRecord } from '../authoring/to-tool-record.ts'
import { endedBy } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import { takesX402, type X402 } from '../records/x402.ts'
import type { BuiltDocument } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { findable } from './filter.ts'
import { arrayPieces, JSON_TYPE, jsonDocument } from './json-document.ts'
import { byText } from './listing-order.ts'
import { feedMeta } from './meta.ts'

export const LISTING = '/api/v1/tools.json'
// Some milliseconds of work.
const RECORDS_AT_ONCE = 50

/** The directory, whole, and the document of each tool. */
export function* buildListing(snapshot: CatalogSnapshot): Generator<BuiltDocument | undefined> {
  for (const [n, tool] of snapshot.tools.entries()) {
    // Done in advance, so that the first filter does not wait for it.
    findable(tool)
    if (n % RECORDS_AT_ONCE === 0) yield undefined
  }
  const head = { ...countsOf(snapshot.tools), meta: feedMeta(snapshot) }
  const pieces = () => arrayPieces(head, 'tools', snapshot.tools.values().map(recordText))
  yield { path: LISTING, type: JSON_TYPE, body: { pieces } }
  for (const tool of snapshot.tools) yield* toolDocuments(snapshot, tool)
}

/** The record under the version prefix and next to its page. */
function* toolDocuments(snapshot: CatalogSnapshot, tool: ToolDetail): Generator<BuiltDocument> {
  const body = () => `${JSON.stringify({ meta: feedMeta(snapshot), tool })}\n`
  yield { path: `/api/v1/tools/${tool.slug}.json`, type: JSON_TYPE, body }
  yield { path: `/tools/${tool.slug}.json`, type: JSON_TYPE, body }
}

export function countsOf(tools: readonly ToolDetail[]) {
  const graded = tools.filter((tool) => tool.graded).length
  return { count: tools.length, graded, notGraded: tools.length - graded }
}

/** Usable tools that take payments per call, by descending score. */
export function paidTools({ tools }: CatalogSnapshot): Array<{ tool: ToolDetail; x402: X402 }> {
  return tools
    .flatMap((tool) =>
      takesX402(tool.x402) && !endedBy(tool.catalog) ? [{ tool, x402: tool.x402 }] : [],
    )
    .sort((a, b) => byScore(a.tool, b.tool))
}

/** Tools that took payments per call until they ended. */
export function formerlyPaidTools({ tools }: CatalogSnapshot): ToolDetail[] {
  return tools.filter((tool) => takesX402(tool.x402) && endedBy(tool.catalog))
}

/** Highest first, without a score last, then by slug. */
function byScore(
  { catalog: a, slug }: ToolDetail,
  { catalog: b, slug: other }: ToolDetail,
): number {
  return (b.score ?? -1) - (a.score ?? -1) || byText(slug, other)
}

/** The listing of tools that take payments per call. */
export function* buildX402(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const tools = paidTools(snapshot).map(({ tool, x402 }) => {
    const { name, slug, catalog, jsonUrl, url } = tool
    const { grade, score } = catalog
    const { level, evidence = '', endpoints, disagreements } = x402
    const differs = disagreements ? { disagreements } : {}
    return { name, slug, grade, score, level, evidence, endpoints, ...differs, jsonUrl, url }
  })
  yield jsonDocument('/api/v1/x402.json', {
    catalogAccepts: snapshot.settings.catalogAccepts ?? acceptsNothing(snapshot.baseUrl),
    count: tools.length,
    meta: feedMeta(snapshot),
    tools,
  })
}

/** A catalog that is free to read has the same fields. */
function acceptsNothing(baseUrl: string) {
  return {
    asset: '',
    docs: `${baseUrl}/x402`,
    facilitator: '',
    live: false,
    networks: [],
    payTo: '',
    protocol: 'x402',
    version: 2,
  }
}

/** The JSON of a record as lists contain it. */
export function recordText(tool: ToolDetail): string {
  return JSON.stringify(toToolRecord(tool))
}
