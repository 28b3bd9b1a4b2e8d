import { LINKS } from '../records/entry-documents.ts'
import { GRADING_RULES } from '../records/grading-rules.ts'
import { X402_LEVELS, X402_UNKNOWN, x402Word } from '../records/x402.ts'
import type { CatalogView } from './catalog-view.ts'
import { jsonDocument } from './json-document.ts'
import { countsOf } from './listing.ts'
import { metaOf } from './meta.ts'
import type { Built } from './site.ts'

/** The entry: links to everything, counts and the revision. */
export function* buildOverview(view: CatalogView): Generator<Built> {
  const { baseUrl, settings, revision, sequence } = view
  yield jsonDocument('/api/v1/index.json', {
    meta: metaOf(view),
    name: settings.name,
    description: settings.description ?? '',
    revision,
    sequence,
    counts: {
      tools: countsOf(view.tools),
      changes: view.changes.length,
      removed: view.removed.length,
      categories: settings.categories.length,
      x402: x402Counts(view),
    },
    links: Object.fromEntries(
      Object.entries(LINKS).map(([name, path]) => [name, `${baseUrl}${path}`]),
    ),
  })
}

/** How many records say what of payments per call; those that do not say count as `unknown`. */
function x402Counts({ tools }: CatalogView) {
  const words = [...X402_LEVELS, X402_UNKNOWN]
  const used = Map.groupBy(tools, x402Word)
  return Object.fromEntries(words.map((word) => [word, used.get(word)?.length ?? 0]))
}

/** Only what was measured, by slug. */
export function* buildLive(view: CatalogView): Generator<Built> {
  const live = Object.fromEntries(view.tools.map((tool) => [tool.slug, tool.live]))
  yield jsonDocument('/api/v1/live.json', { count: view.tools.length, meta: metaOf(view), live })
}

/** All that is needed to work every grade out again. */
export function* buildMethodology(view: CatalogView): Generator<Built> {
  const { methodology } = view
  yield jsonDocument('/api/v1/methodology.json', {
    meta: metaOf(view),
    methodology,
    rules: GRADING_RULES,
  })
}
