import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import { newId, type QuestionId, type SubscriberId, type WorkspaceId } from '../kernel/ids.ts'
import type { Move } from '../questions/lifecycle.ts'
import type { Question } from '../questions/question.ts'
import { type Ending, moveQuestion } from '../questions/store.ts'
import { queueCallback } from './queue-callback.ts'

export type EndQuestionDeps = {
  db: Db
  clock: Clock
  /**
   * Tells the devices that showed the question how it ended, except the one that ended it; never
   * throws, is not waited for.
   */
  announce(question: Question, endedOn?: SubscriberId): void
}

/** Ends a question by `move`, wakes who waits, and tells the devices; undefined when too late. */
export async function endQuestion(
  deps: EndQuestionDeps,
  move: Move,
  of: { workspaceId: WorkspaceId; id: QuestionId; ending?: Ending; endedOn?: SubscriberId },
): Promise<Question | undefined> {
  const now = deps.clock.now()
  const callbackId = newId('cb', now)
  const ended = await deps.db.write(async (tx) => {
    const question = await moveQuestion(tx, move, of.workspaceId, of.id, now, of.ending)
    if (!question) return undefined
    await queueCallback(tx, question, callbackId, now)
    tx.ring('question', question.id)
    return question
  })
  if (ended) deps.announce(ended, of.endedOn)
  return ended
}
