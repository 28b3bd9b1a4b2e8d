import { INDEX_LINKS } from '../records/entry-documents.ts'
import { GRADING_RULES } from '../records/grading-rules.ts'
import { X402_LEVELS, X402_UNKNOWN, x402Word } from '../records/x402.ts'
import type { BuiltDocument } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { jsonDocument } from './json-document.ts'
import { countsOf } from './listing.ts'
import { feedMeta } from './meta.ts'

/** The entry: links to everything, counts and the revision. */
export function* buildOverview(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
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

/** How many records say what of payments per call; those that do not say count as `unknown`. */
function x402Counts({ tools }: CatalogSnapshot) {
  const words = [...X402_LEVELS, X402_UNKNOWN]
  const used = Map.groupBy(tools, x402Word)
  return Object.fromEntries(words.map((word) => [word, used.get(word)?.length ?? 0]))
}

/** Only what was measured, by slug. */
export function* buildLive(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const live = Object.fromEntries(snapshot.tools.map((tool) => [tool.slug, tool.live]))
  yield jsonDocument('/api/v1/live.json', {
    count: snapshot.tools.length,
    meta: feedMeta(snapshot),
    live,
  })
}

/** All that is needed to work every grade out again. */
export function* buildMethodology(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const { methodology } = snapshot
  yield jsonDocument('/api/v1/methodology.json', {
    meta: feedMeta(snapshot),
    methodology,
    rules: GRADING_RULES,
  })
}
