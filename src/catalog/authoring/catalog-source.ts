import type {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
} from '../records/authored.ts'
import type { Tombstone } from '../records/change.ts'
import type { Methodology } from '../records/methodology.ts'
import type { AuthoredReview } from '../records/review.ts'
import type { ReviewerKey } from '../records/reviewer-key.ts'

/** The data folder, read and found right. Lists are in the order of their file names. */
export type CatalogSource = {
  settings: CatalogSettings
  vendors: AuthoredVendor[]
  tools: AuthoredTool[]
  reviews: AuthoredReview[]
  changes: AuthoredChange[]
  removed: Tombstone[]
  methodology: Methodology
  /** Those whose signatures under reviews count; missing when there are none. */
  keys?: ReviewerKey[]
}
