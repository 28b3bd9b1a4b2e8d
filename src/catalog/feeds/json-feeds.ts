import { splitChanges } from '../records/change.ts'
import { INDEX_LINKS } from '../records/entry-documents.ts'
import { GRADING_RULES } from '../records/grading-rules.ts'
import type { ToolDetail } from '../records/tool.ts'
import { X402_LEVELS, X402_UNKNOWN, x402Word } from '../records/x402.ts'
import type { BuiltDocument, FeedModule } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { publishedChanges } from './changes-by-tool.ts'
import { askListing } from './filtered-listing.ts'
import { JSON_TYPE, jsonDocument, objectPieces } from './json-document.ts'
import { buildListing, buildX402, countsOf } from './listing.ts'
import { byText } from './listing-order.ts'
import { feedMeta } from './meta.ts'

/** The JSON feeds under `/api/v1`. */
export const JSON_FEEDS: FeedModule = {
  *build(snapshot) {
    yield* buildListing(snapshot)
    yield* buildX402(snapshot)
    yield* buildChanges(snapshot)
    yield* buildVocabularies(snapshot)
    yield* buildOverview(snapshot)
    yield* buildLive(snapshot)
    yield* buildMethodology(snapshot)
  },
  asks: [askListing],
}

/** Dated changes, past and to come. */
function* buildChanges(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  yield jsonDocument('/api/v1/changes.json', {
    calendar: `${snapshot.baseUrl}/sunsets.ics`,
    meta: feedMeta(snapshot),
    ...splitChanges(publishedChanges(snapshot), snapshot.today),
  })
}

/** The entry point: links to everything, counts and the revision. */
function* buildOverview(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const { baseUrl, settings, revision, sequence } = snapshot
  yield jsonDocument('/api/v1/index.json', {
    meta: feedMeta(snapshot),
    name: settings.name,
    description: settings.description ?? '',
    revision,
    sequence,
    counts: {
      tools: countsOf(snapshot.tools),
      changes: snapshot.changes.length,
      removed: snapshot.removed.length,
      categories: settings.categories.length,
      x402: x402Counts(snapshot),
    },
    links: Object.fromEntries(
      Object.entries(INDEX_LINKS).map(([name, path]) => [name, `${baseUrl}${path}`]),
    ),
  })
}

/** The number of records by level of x402; those that do not say count as `unknown`. */
function x402Counts({ tools }: CatalogSnapshot) {
  const words = [...X402_LEVELS, X402_UNKNOWN]
  const used = Map.groupBy(tools, x402Word)
  return Object.fromEntries(words.map((word) => [word, used.get(word)?.length ?? 0]))
}

/** Only what was measured, by slug. */
function* buildLive(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const head = { count: snapshot.tools.length, meta: feedMeta(snapshot) }
  const member = ({ slug, live }: ToolDetail) => `${JSON.stringify(slug)}:${JSON.stringify(live)}`
  const pieces = () => objectPieces(head, 'live', snapshot.tools.values().map(member))
  yield { path: '/api/v1/live.json', type: JSON_TYPE, body: { pieces } }
}

/** All that is needed to compute every grade again. */
function* buildMethodology(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const { methodology } = snapshot
  yield jsonDocument('/api/v1/methodology.json', {
    meta: feedMeta(snapshot),
    methodology,
    rules: GRADING_RULES,
  })
}

/** The vocabularies with how many records use each word, also unused ones. */
function* buildVocabularies(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const meta = feedMeta(snapshot)
  const categories = categoriesOf(snapshot)
  const capabilities = capabilitiesOf(snapshot)
  yield jsonDocument('/api/v1/categories.json', { count: categories.length, meta, categories })
  yield jsonDocument('/api/v1/capabilities.json', {
    count: capabilities.length,
    meta,
    capabilities,
  })
}

function categoriesOf({ settings, tools, baseUrl }: CatalogSnapshot) {
  const used = countWords(tools.map(({ category }) => category))
  return settings.categories
    .map(({ id, name, area, description = '' }) => ({
      id,
      name,
      area,
      description,
      tools: used.get(id) ?? 0,
      url: `${baseUrl}/api/v1/tools.json?category=${id}`,
    }))
    .sort((a, b) => byText(a.id, b.id))
}

function capabilitiesOf({ settings, tools, baseUrl }: CatalogSnapshot) {
  const used = countWords(tools.flatMap(({ capabilities }) => [...new Set(capabilities)]))
  const meanings = new Map(
    (settings.capabilities ?? []).map(({ id, description }) => [id, description]),
  )
  return [...new Set([...meanings.keys(), ...used.keys()])].sort(byText).map((id) => ({
    id,
    description: meanings.get(id) ?? '',
    tools: used.get(id) ?? 0,
    url: `${baseUrl}/api/v1/tools.json?capability=${id}`,
  }))
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
