import type { ChangeItem } from '../records/change.ts'
import type { ToolDetail } from '../records/tool.ts'

/** What a check reads: a record with its measurements and changes, as of a day. */
export type CheckedTool = {
  tool: ToolDetail
  changes: readonly ChangeItem[]
  /** UTC day, `YYYY-MM-DD`. */
  today: string
}

/** What a check saw. Without an answer it says why. */
export type Evidence = {
  answer: 'yes' | 'no' | 'unknown'
  /** A sentence. */
  summary: string
  /** Where it was read. */
  source?: string
  /** Day on which it was read or measured. */
  date?: string
}

/** A small documented test of a part of a criterion, made on facts that are there already. */
export type Check = {
  key: string
  criterion: string
  /** What is asked, answered with yes, no or not known. */
  question: string
  looksAt: string
  /** What it does not show. */
  limits: string
  /** What would change the answer to yes. */
  raises: string
  /** Days after which evidence is too old to count. */
  daysMost: number
  /** Kinds of tools it makes sense for; all without it. */
  kinds?: readonly string[]
  look(checked: CheckedTool): Evidence
}

export type CheckResult = Evidence & { key: string; criterion: string }
