import type { BuiltDocument } from '../feeds/built-site.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { arrayPieces, JSON_TYPE } from '../feeds/json-document.ts'
import { feedMeta } from '../feeds/meta.ts'
import { searchedRow } from '../feeds/search-list.ts'
import { SEARCH_INDEX_PATH } from '../page-paths.ts'
import type { SearchDocument, SearchRow } from '../records/documents.ts'
import type { ToolDetail } from '../records/tool.ts'
import { endedWords } from './ended.ts'
import { gradeOf } from './parts/marks.tsx'
import { rowFacts } from './parts/tool-row.tsx'
import { FILTERS } from './query.ts'
import { priceOf, toolName } from './words.ts'

/**
 * Builds the index with which a browser searches the directory where no server answers, in the
 * usual order.
 */
export function searchIndex(snapshot: CatalogSnapshot): BuiltDocument {
  const head: Omit<SearchDocument, 'tools'> = {
    count: snapshot.tools.length,
    meta: feedMeta(snapshot),
  }
  const row = (tool: ToolDetail) => JSON.stringify(rowOf(snapshot, tool))
  const pieces = () => arrayPieces(head, 'tools', snapshot.tools.values().map(row))
  return { path: SEARCH_INDEX_PATH, type: JSON_TYPE, body: { pieces } }
}

function rowOf(snapshot: CatalogSnapshot, tool: ToolDetail): SearchRow {
  const { filters: words, ...row } = searchedRow(tool)
  const filters = FILTERS.map((name): [string, string[]] => [name, [...(words[name] ?? [])]])
  const ended = endedWords(snapshot, tool)
  return {
    ...row,
    name: toolName(tool),
    cost: ended ?? priceOf(tool),
    ...(ended === undefined ? { facts: rowFacts(tool) } : {}),
    grade: gradeOf(tool.catalog),
    filters: Object.fromEntries(filters.filter(([, values]) => values.length > 0)),
  }
}
