import { oncePer } from '../../platform/once.ts'
import { cleanLine } from '../../platform/text.ts'
import { endedBy } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import { type SearchedRow, searchFields } from '../search/search-fields.ts'
import { createSearchIndex } from '../search/search-index.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { findable } from './filter.ts'

// An API may serve hundreds of models.
const MODELS_MOST = 60

/**
 * The tools that a search in plain words finds, best first: one order for pages, REST and MCP. Those
 * that have ended come last; without words it is the order of the list.
 */
export function searchList(snapshot: CatalogSnapshot, query: string): readonly ToolDetail[] {
  const { tools } = snapshot
  return indexOf(snapshot)
    .search(query)
    .flatMap((place) => tools[place] ?? [])
}

const indexOf = oncePer(({ tools }: CatalogSnapshot) =>
  createSearchIndex(tools.map((tool) => searchFields(searchedRow(tool)))),
)

/** What a search reads of a record; the index of a static copy has the same. */
export function searchedRow(tool: ToolDetail): SearchedRow {
  const { slug, name, vendor, summary, area, packages, catalog } = tool
  const models = Object.keys(tool.live.models ?? {}).slice(0, MODELS_MOST)
  const more = [area, ...packages.map((one) => one.name), ...models]
  return {
    slug,
    name: cleanLine(name),
    vendor: cleanLine(vendor),
    summary: cleanLine(summary),
    more: cleanLine(more.join(' ')),
    score: catalog.score,
    ...(endedBy(catalog) ? { ended: true } : {}),
    filters: findable(tool).words,
  }
}
