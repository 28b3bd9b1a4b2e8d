import type { Problem } from '../../catalog/record/problem.ts'
import { cleanLine } from '../../kernel/text.ts'

/** `tools/resend.yaml:12 unitPrices[0].usd: expected a number of at least 0, found "free"` */
export function lineFor({ file, line, field, expected, found }: Problem): string {
  const place = line > 0 ? `${file}:${line}` : file
  return cleanLine(`${place}${field ? ` ${field}` : ''}: expected ${expected}, found ${found}`)
}
