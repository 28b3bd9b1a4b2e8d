import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { statusAt } from './model/lifecycle.ts'
import type { Question } from './model/question.ts'
import { findQuestion } from './model/store.ts'
import type { Waiter, Woken } from './waiters.ts'

/** Why a wait is over. */
export type WaitEnd = { question: Question; because: 'ended' | Exclude<Woken, 'changed'> }

/**
 * Reads the question after each change until it has ended or the wait is over. The waiter was
 * created before the first read, so no answer is missed in between.
 */
export async function waitForEnd(
  deps: { db: Db; clock: Clock },
  waiter: Waiter,
  question: Question,
): Promise<WaitEnd> {
  for (;;) {
    const now = await look(deps, question)
    if (statusAt(now, deps.clock.now()) !== 'pending') return { question: now, because: 'ended' }
    const woken = await waiter.next()
    if (woken === 'changed') continue
    const last = await look(deps, question)
    const ended = statusAt(last, deps.clock.now()) !== 'pending'
    return { question: last, because: ended ? 'ended' : woken }
  }
}

async function look({ db }: { db: Db }, question: Question): Promise<Question> {
  return (await findQuestion(db.read, question.workspaceId, question.id)) ?? question
}
