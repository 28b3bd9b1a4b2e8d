import type {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
} from '../record/authored.ts'
import type { Tombstone } from '../record/change.ts'
import type { Methodology } from '../record/methodology.ts'
import type { AuthoredReview } from '../record/review.ts'
import type { ReviewerKey } from '../record/reviewer-key.ts'

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
