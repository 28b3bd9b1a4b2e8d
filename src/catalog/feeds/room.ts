import { buildChanges } from './change-feed.ts'
import { askListing } from './filtered-listing.ts'
import { buildListing, buildX402, LISTING } from './listing.ts'
import { buildLive, buildMethodology, buildOverview } from './overview.ts'
import type { Room } from './site.ts'
import { buildVocabularies } from './vocabularies.ts'

/** The JSON feeds under `/api/v1`. */
export const FEEDS: Room = {
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
  *build(view) {
    yield* buildListing(view)
    yield* buildX402(view)
    yield* buildChanges(view)
    yield* buildVocabularies(view)
    yield* buildOverview(view)
    yield* buildLive(view)
    yield* buildMethodology(view)
  },
  asks: [askListing],
}
