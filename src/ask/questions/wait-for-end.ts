import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { statusAt } from './model/lifecycle.ts'
import type { Question } from './model/question.ts'
import { findQuestion } from './model/store.ts'
import type { Seat, Woken } from './waiting.ts'

/** Why a wait is over. */
export type WaitEnd = { question: Question; because: 'ended' | Exclude<Woken, 'rung'> }

/**
 * Looks at the question at each ring until it has ended or the seat's time is over. The seat was
 * taken before the first look, so no answer slips between.
 */
export async function waitForEnd(
  deps: { db: Db; clock: Clock },
  seat: Seat,
  question: Question,
): Promise<WaitEnd> {
  for (;;) {
    const now = await look(deps, question)
    if (statusAt(now, deps.clock.now()) !== 'pending') return { question: now, because: 'ended' }
    const woken = await seat.next()
    if (woken === 'rung') continue
    const last = await look(deps, question)
    const ended = statusAt(last, deps.clock.now()) !== 'pending'
    return { question: last, because: ended ? 'ended' : woken }
  }
}

async function look({ db }: { db: Db }, question: Question): Promise<Question> {
  return (await findQuestion(db.read, question.workspaceId, question.id)) ?? question
}
