import type { FeedModule } from './built-site.ts'
import { buildChanges } from './change-feed.ts'
import { askListing } from './filtered-listing.ts'
import { buildListing, buildX402, LISTING } from './listing.ts'
import { buildLive, buildMethodology, buildOverview } from './overview.ts'
import { buildVocabularies } from './vocabularies.ts'

/** The JSON feeds under `/api/v1`. */
export const JSON_FEEDS: FeedModule = {
  routes: [
    '/api/v1/index.json',
    LISTING,
    '/api/v1/tools/:file',
    '/tools/:file',
    '/api/v1/x402.json',
    '/api/v1/changes.json',
    '/api/v1/live.json',
    '/api/v1/categories.json',
    '/api/v1/capabilities.json',
    '/api/v1/methodology.json',
  ],
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
