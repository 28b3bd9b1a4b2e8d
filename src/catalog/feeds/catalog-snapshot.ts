import type { SpeedHistory } from '../facts/answers/speed-history.ts'
import type { CatalogSettings } from '../records/authored.ts'
import type { ChangeItem, Tombstone } from '../records/change.ts'
import type { StoredToolHistory } from '../records/history.ts'
import type { Methodology } from '../records/methodology.ts'
import type { FileProblem } from '../records/problem.ts'
import type { ReviewerKey } from '../records/review.ts'
import type { ToolDetail } from '../records/tool.ts'

/** All that documents and pages are built from; made for each publish, day or new measurements. */
export type CatalogSnapshot = {
  settings: CatalogSettings
  revision: string
  sequence: number
  /** Day of generation. */
  generatedAt: string
  today: string
  /** Without a slash at the end. */
  baseUrl: string
  /** In listing order: by grade, score and slug; ended tools last. */
  tools: ToolDetail[]
  bySlug: ReadonlyMap<string, ToolDetail>
  /** Milliseconds since 1970, by slug: when the record last changed. */
  changedAt: ReadonlyMap<string, number>
  changes: ChangeItem[]
  removed: Tombstone[]
  methodology: Methodology
  /** The keys whose signatures on reviews count. */
  keys?: readonly ReviewerKey[]
  /** By slug: of tools that were measured here. A mirror has none. */
  speeds?: ReadonlyMap<string, SpeedHistory>
  /** By slug: what changed in the tools that were measured here. A mirror has none. */
  history?: ReadonlyMap<string, StoredToolHistory>
  /** Only in a preview of a folder. */
  draft?: FolderPreview
}

/** The state of a preview. */
export type FolderPreview = {
  /** The name of the folder. */
  folder: string
  problems: readonly FileProblem[]
  /** True if an earlier state without problems is shown. */
  stale: boolean
  /** Differs for each state that is shown. */
  state: string
}
