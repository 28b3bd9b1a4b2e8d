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
import type { ParsedFile } from './parse-yaml.ts'

/** A value with the file it stands in. */
export type FromFile<T> = { path: string; value: T; parsed: ParsedFile }

/** What could be read, before it is held against each other. */
export type Folder = {
  settings?: FromFile<CatalogSettings>
  methodology?: FromFile<Methodology>
  removed?: FromFile<Tombstone[]>
  keys?: FromFile<ReviewerKey[]>
  vendors: FromFile<Static<typeof AuthoredVendor>>[]
  tools: FromFile<Static<typeof AuthoredTool>>[]
  texts: Array<{ path: string; value: ToolText }>
  reviews: FromFile<Static<typeof AuthoredReview>>[]
  changes: FromFile<Static<typeof AuthoredChange>>[]
  /** Files that have problems of their own; what others say of them is not held against them. */
  broken: Set<string>
}
