import type { Static } from '@sinclair/typebox'
import type {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
  ToolText,
} from '../records/authored.ts'
import type { Tombstone } from '../records/change.ts'
import type { Methodology } from '../records/methodology.ts'
import type { AuthoredReview } from '../records/review.ts'
import type { ReviewerKey } from '../records/reviewer-key.ts'
import type { Parsed } from './parse-yaml.ts'

/** A value with the file it stands in. */
export type Filed<T> = { path: string; value: T; parsed: Parsed }

/** What could be read, before it is held against each other. */
export type Folder = {
  settings?: Filed<CatalogSettings>
  methodology?: Filed<Methodology>
  removed?: Filed<Tombstone[]>
  keys?: Filed<ReviewerKey[]>
  vendors: Filed<Static<typeof AuthoredVendor>>[]
  tools: Filed<Static<typeof AuthoredTool>>[]
  texts: Array<{ path: string; value: ToolText }>
  reviews: Filed<Static<typeof AuthoredReview>>[]
  changes: Filed<Static<typeof AuthoredChange>>[]
  /** Files that have problems of their own; what others say of them is not held against them. */
  broken: Set<string>
}
