import type { FileProblem } from '../records/problem.ts'
import { fieldOf, lineOfValue, type ParsedFile } from './parse-yaml.ts'

/** Reports a problem at a place in a file; `pointer` is a JSON Pointer. */
export type ReportProblem = (
  parsed: ParsedFile,
  pointer: string,
  expected: string,
  found: string,
) => void

export function problemReporter(problems: FileProblem[]): ReportProblem {
  return (parsed, pointer, expected, found) => {
    const { file } = parsed
    problems.push({
      file,
      line: lineOfValue(parsed, pointer),
      field: fieldOf(pointer),
      expected,
      found,
    })
  }
}
