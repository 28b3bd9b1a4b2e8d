import type { CatalogSettings } from '../records/authored.ts'
import type { ChangeItem, Tombstone } from '../records/change.ts'
import type { Methodology } from '../records/methodology.ts'
import type { FileProblem } from '../records/problem.ts'
import type { ReviewerKey } from '../records/reviewer-key.ts'
import type { ToolDetail } from '../records/tool.ts'

/** What every document, page and twin is built from; made once a publish tick. */
export type CatalogSnapshot = {
  settings: CatalogSettings
  revision: string
  sequence: number
  /** Day of generation. */
  generatedAt: string
  today: string
  /** Without a slash at the end. */
  baseUrl: string
  /** In listing order: what is over last; by grade, score and slug. */
  tools: ToolDetail[]
  bySlug: ReadonlyMap<string, ToolDetail>
  /** Milliseconds since 1970, by slug: when the record last changed. */
  changedAt: ReadonlyMap<string, number>
  changes: ChangeItem[]
  removed: Tombstone[]
  methodology: Methodology
  /** Those whose signatures under reviews count. */
  keys?: readonly ReviewerKey[]
  /** Only while a folder is shown as it is on disk. */
  draft?: FolderPreview
}

/** What a preview says of itself. */
export type FolderPreview = {
  /** The name of the folder. */
  folder: string
  problems: readonly FileProblem[]
  /** Whether what is shown is the folder as it was before the problems. */
  stale: boolean
  /** Another text for each state that is shown. */
  state: string
}
