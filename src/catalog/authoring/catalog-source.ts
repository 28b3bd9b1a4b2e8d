import type {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
} from '../records/authored.ts'
import type { Tombstone } from '../records/change.ts'
import type { Methodology } from '../records/methodology.ts'
import type { AuthoredReview, ReviewerKey } from '../records/review.ts'

/** A valid catalog folder. Lists are in the order of file names. */
export type CatalogSource = {
  settings: CatalogSettings
  vendors: AuthoredVendor[]
  tools: AuthoredTool[]
  reviews: AuthoredReview[]
  changes: AuthoredChange[]
  removed: Tombstone[]
  methodology: Methodology
  /** The keys whose signatures on reviews count; missing if the folder names no keys. */
  keys?: ReviewerKey[]
}
