import { cleanLine } from '../../platform/text.ts'

/** One problem in a catalog's folder, for the author of the file. */
export type FileProblem = {
  /** Path in the folder, with slashes. */
  file: string
  /** From 1; 0 for the file as a whole. */
  line: number
  /** From 1; missing for the file as a whole. */
  column?: number
  /** The field, such as `unitPrices[0].usd`; empty for the whole file. */
  field: string
  expected: string
  found: string
}

/** `tools/resend.yaml:12:5 unitPrices[0].usd: expected a number of at least 0, found "free"` */
export function problemLine({
  file,
  line,
  column,
  field,
  expected,
  found: actual,
}: FileProblem): string {
  const at = column === undefined ? `${line}` : `${line}:${column}`
  const place = line > 0 ? `${file}:${at}` : file
  return cleanLine(`${place}${field ? ` ${field}` : ''}: expected ${expected}, found ${actual}`)
}
