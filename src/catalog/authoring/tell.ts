import type { Problem } from '../records/problem.ts'
import { fieldOf, lineOf, type Parsed } from './parse-yaml.ts'

/** Says what is wrong at a place of a file; `pointer` as in JSON Pointer. */
export type Tell = (parsed: Parsed, pointer: string, expected: string, found: string) => void

export function teller(problems: Problem[]): Tell {
  return (parsed, pointer, expected, found) => {
    const { file } = parsed
    problems.push({ file, line: lineOf(parsed, pointer), field: fieldOf(pointer), expected, found })
  }
}
