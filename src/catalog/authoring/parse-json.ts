import type { FileProblem } from '../records/problem.ts'
import { shortenValue } from './expected.ts'
import { type ParsedFile, parseYaml } from './parse-yaml.ts'

/**
 * Parses JSON and finds the line of each value. JSON is a subset of YAML, so both parsers must
 * accept it.
 */
export function parseJson(file: string, text: string): ParsedFile | FileProblem[] {
  const parsed = parseYaml(file, text.replaceAll('\t', ' '))
  if (Array.isArray(parsed)) return parsed
  try {
    return { ...parsed, value: JSON.parse(text) }
  } catch (error) {
    const found = shortenValue(error instanceof Error ? error.message : 'something else', 120)
    return [{ file, line: 1, field: '', expected: 'JSON', found }]
  }
}
