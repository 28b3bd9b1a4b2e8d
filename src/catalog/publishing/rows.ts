import type { CatalogSource } from '../authoring/catalog-source.ts'
import { canonicalJson, textHash } from '../records/canonical.ts'
import type { GradeHistoryItem } from '../records/grading.ts'
import type { RecordKind } from './table.ts'

/** One record of a source, ready to be stored. */
export type RecordRow = { kind: RecordKind; key: string; hash: string; body: unknown }

/** A source as rows; `sourceFrom` turns them back into the same source. */
export function rowsOf(source: CatalogSource): RecordRow[] {
  const { settings, methodology, vendors, tools, reviews, changes, removed, keys } = source
  return [
    row('settings', 'catalog', settings),
    row('methodology', 'methodology', methodology),
    ...vendors.map((vendor) => row('vendor', vendor.id, vendor)),
    ...tools.map((tool) => row('tool', tool.slug, tool)),
    ...reviews.map((review) => row('review', reviewKey(review), review)),
    ...changes.map((change) => row('change', change.id, change)),
    ...removed.map((tombstone) => row('removed', tombstone.slug, tombstone)),
    ...(keys ? [row('keys', 'keys', keys)] : []),
  ]
}

export function reviewKey({ tool, id }: { tool: string; id: string }): string {
  return `${tool}/${id}`
}

/** A hash of these rows, in any order. */
export function revisionOf(rows: readonly RecordRow[]): string {
  const lines = rows.map(({ kind, key, hash }) => `${kind} ${key} ${hash}\n`)
  return textHash(lines.sort().join(''))
}

/** Undefined while nothing was published. */
export function sourceFrom(
  rows: ReadonlyArray<Pick<RecordRow, 'kind' | 'body'>>,
): CatalogSource | undefined {
  const of = (kind: RecordKind) => rows.filter((row) => row.kind === kind).map((row) => row.body)
  const [settings] = of('settings')
  const [methodology] = of('methodology')
  const [keys] = of('keys')
  if (!settings || !methodology) return undefined
  return {
    settings: settings as CatalogSource['settings'],
    methodology: methodology as CatalogSource['methodology'],
    vendors: of('vendor') as CatalogSource['vendors'],
    tools: of('tool') as CatalogSource['tools'],
    reviews: of('review') as CatalogSource['reviews'],
    changes: of('change') as CatalogSource['changes'],
    removed: of('removed') as CatalogSource['removed'],
    ...(keys ? { keys: keys as NonNullable<CatalogSource['keys']> } : {}),
  }
}

/** The grades of each tool, in their order. */
export function historyBySlug(
  grades: ReadonlyArray<{ slug: string; item: GradeHistoryItem }>,
): Map<string, GradeHistoryItem[]> {
  const bySlug = Map.groupBy(grades, ({ slug }) => slug)
  return new Map([...bySlug].map(([slug, all]) => [slug, all.map(({ item }) => item)]))
}

function row(kind: RecordKind, key: string, body: unknown): RecordRow {
  return { kind, key, hash: textHash(canonicalJson(body)), body }
}
