import { cleanLine } from '../../platform/text.ts'
import type { FileProblem } from '../records/problem.ts'

/** `tools/resend.yaml:12 unitPrices[0].usd: expected a number of at least 0, found "free"` */
export function problemLine({ file, line, field, expected, found }: FileProblem): string {
  const place = line > 0 ? `${file}:${line}` : file
  return cleanLine(`${place}${field ? ` ${field}` : ''}: expected ${expected}, found ${found}`)
}
