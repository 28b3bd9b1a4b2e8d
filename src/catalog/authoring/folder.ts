import type { Static } from '@sinclair/typebox'
import { fieldOf, type ParsedFile, placeOfValue } from '../../platform/yaml/parse-yaml.ts'
import type {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
  ToolText,
} from '../records/authored.ts'
import type { Tombstone } from '../records/change.ts'
import type { DeskReview } from '../records/desk.ts'
import type { Methodology } from '../records/methodology.ts'
import type { FileProblem } from '../records/problem.ts'
import type { VendorReply } from '../records/reply.ts'
import type { AuthoredReview, ReviewerKey } from '../records/review.ts'

/** A value with its file. */
export type FromFile<T> = { path: string; value: T; parsed: ParsedFile }

/** The files that could be read, before they are checked against each other. */
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
  desk: FromFile<DeskReview>[]
  replies: FromFile<VendorReply>[]
  /** Broken files; references to them are not reported as well. */
  broken: Set<string>
}

/** Reports a problem at a place in a file; `pointer` is a JSON Pointer. */
export type ReportProblem = (
  parsed: ParsedFile,
  pointer: string,
  expected: string,
  actual: string,
) => void

export function problemReporter(problems: FileProblem[]): ReportProblem {
  return (parsed, pointer, expected, actual) => {
    const { file } = parsed
    problems.push({
      file,
      ...placeOfValue(parsed, pointer),
      field: fieldOf(pointer),
      expected,
      found: actual,
    })
  }
}
