import type { WrongValue } from './importer.ts'
import type { FieldChange, MergeConflict } from './merge-facts.ts'

/** The changes that an import made, or would make. */
export type ImportReport = {
  source: string
  importer: string
  read: string
  dryRun: boolean
  /** The licences of the data, according to the source. */
  licences: string[]
  counts: {
    records: number
    made: number
    changed: number
    same: number
    kept: number
    skipped: number
    wrong: number
    conflicts: number
    changes: number
  }
  made: Array<{ slug: string; name: string; from: string }>
  changed: Array<{ path: string; from: string; fields: FieldChange[] }>
  changes: string[]
  conflicts: MergeConflict[]
  skipped: Array<{ record: string; why: string }>
  wrong: Array<WrongValue['wrong']>
  /** The next import asks for changes since then; null if the source does not support it. */
  until: string | null
}

export function emptyReport(source: string, importer: string, read: string): ImportReport {
  return {
    source,
    importer,
    read,
    dryRun: false,
    licences: [],
    counts: {
      records: 0,
      made: 0,
      changed: 0,
      same: 0,
      kept: 0,
      skipped: 0,
      wrong: 0,
      conflicts: 0,
      changes: 0,
    },
    made: [],
    changed: [],
    changes: [],
    conflicts: [],
    skipped: [],
    wrong: [],
    until: null,
  }
}
