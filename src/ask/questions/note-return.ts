import type { Db } from '../../platform/db/database.ts'
import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { didNotComeBack } from './model/came-back.ts'
import { addDetail } from './model/detail-store.ts'
import { statusAt } from './model/lifecycle.ts'
import type { Question, QuestionDetail } from './model/question.ts'

/**
 * Records that a later call waits for this question until the instant `until`, if that is longer
 * than the call that asked. The wait continues even if it cannot be written.
 */
export async function noteWait(db: Db, question: Question, until: number): Promise<void> {
  const { waitEndsAt, abandonedAt, detail } = question
  const isWithin = until <= waitEndsAt && abandonedAt === undefined && !detail.notWaited
  if (isWithin) return
  await note(db, question, { waitsUntil: until })
}

/** Records that a later call has fetched the outcome, if none had waited for it. */
export async function noteCollected(db: Db, question: Question, now: number): Promise<void> {
  const status = statusAt(question, now)
  const told = status === 'answered' || status === 'expired'
  if (!told || !didNotComeBack(question)) return
  await note(db, question, { collectedAt: now })
}

/** Keeps what was written to the detail meanwhile. */
async function note(db: Db, question: Question, more: QuestionDetail) {
  await unlessUnavailable(db.write((tx) => addDetail(tx, question, more)))
}
