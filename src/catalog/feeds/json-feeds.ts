import type { FeedModule } from './built-site.ts'
import { buildChanges } from './change-feed.ts'
import { askListing } from './filtered-listing.ts'
import { buildListing, buildX402 } from './listing.ts'
import { buildLive, buildMethodology, buildOverview } from './overview.ts'
import { buildVocabularies } from './vocabularies.ts'

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
