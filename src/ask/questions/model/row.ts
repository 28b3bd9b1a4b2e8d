import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Question } from './question.ts'
import type { questions } from './table.ts'

/** The question in a row, without the columns that only the store needs. */
export function fromRow({
  bytes: _,
  askedSeal: __,
  endedSeal: ___,
  ...row
}: typeof questions.$inferSelect): Question {
  return nullsToUndefined(row)
}
