import type { FileProblem } from '../records/problem.ts'
import { fieldOf, lineOfValue, type ParsedFile } from './parse-yaml.ts'

/** Says what is wrong at a place of a file; `pointer` as in JSON Pointer. */
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
