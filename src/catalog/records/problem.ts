import { cleanLine } from '../../platform/text.ts'

/** One problem in a catalog's folder, for the author of the file. */
export type FileProblem = {
  /** Path in the folder, with slashes. */
  file: string
  /** From 1; 0 for the file as a whole. */
  line: number
  /** The field, such as `unitPrices[0].usd`; empty for the whole file. */
  field: string
  expected: string
  found: string
}

/** `tools/resend.yaml:12 unitPrices[0].usd: expected a number of at least 0, found "free"` */
export function problemLine({ file, line, field, expected, found }: FileProblem): string {
  const place = line > 0 ? `${file}:${line}` : file
  return cleanLine(`${place}${field ? ` ${field}` : ''}: expected ${expected}, found ${found}`)
}
