import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { newId, type QuestionId, type SubscriberId, type WorkspaceId } from '../../platform/ids.ts'
import { freeUsage } from '../accounts/model/usage-store.ts'
import { queueCallback } from '../callbacks/queue-callback.ts'
import type { Contract } from '../scopes/model/contract.ts'
import { settleScope } from '../scopes/settle-scope.ts'
import { countUnanswered } from '../sessions/model/store.ts'
import { type OutcomeSender, sendOutcome, storeOutcome } from './announce-outcome.ts'
import type { QuestionCounts } from './model/counts.ts'
import type { Move } from './model/lifecycle.ts'
import type { Question } from './model/question.ts'
import { isPermission } from './model/question.ts'
import { type Ending, moveQuestion } from './model/store.ts'

export type EndQuestionDeps = {
  db: Db
  clock: Clock
  sender: OutcomeSender
  counts?: QuestionCounts
}

/** Runs first in the same transaction; if it throws, the question stays as it was. */
export type First = (tx: Tx) => Promise<void>

/**
 * Ends a question by `move`, wakes the calls that wait for it, and updates the devices that showed
 * it, except the one it ended on; undefined if it had already ended.
 */
export async function endQuestion(
  deps: EndQuestionDeps,
  move: Move,
  of: {
    workspaceId: WorkspaceId
    id: QuestionId
    ending?: Ending
    endedOn?: SubscriberId
    first?: First | undefined
    /** For a scope: the contract as the person edited it before saying yes. */
    edited?: Contract | undefined
  },
): Promise<Question | undefined> {
  const now = deps.clock.now()
  const callbackId = newId('cb', now)
  const done = await deps.db.write(async (tx) => {
    await of.first?.(tx)
    const question = await moveQuestion(tx, move, of.workspaceId, of.id, now, of.ending)
    if (!question) return undefined
    await freeUsage(tx, question.tokenId, { openQuestions: 1 })
    await settleScope(tx, question, of.edited)
    await queueCallback(tx, question, callbackId, now)
    await countForSession(tx, question)
    const stored = await storeOutcome(tx, deps.sender, question, now, of.endedOn)
    tx.emit('question', question.id)
    return { question, stored }
  })
  if (!done) return undefined
  deps.counts?.ended(done.question.status)
  sendOutcome(deps.sender, done.stored)
  return done.question
}

/**
 * Any answer lets the session go on; an approval that nobody answered counts towards a pause. Test
 * traffic, which programs answer, does neither.
 */
async function countForSession(tx: Tx, question: Question): Promise<void> {
  const { workspaceId, machineId = '', sessionId, test } = question
  if (sessionId === undefined || test) return
  const key = { workspaceId, machineId, sessionId }
  if (question.status === 'answered') return countUnanswered(tx, key, 'answered')
  if (isPermission(question) && wentUnanswered(question))
    await countUnanswered(tx, key, 'unanswered')
}

/**
 * It expired, or was withdrawn only after the whole wait; a question that the caller withdrew early
 * does not count.
 */
function wentUnanswered({ status, endedAt, waitEndsAt }: Question): boolean {
  return status === 'expired' || (status === 'cancelled' && (endedAt ?? 0) >= waitEndsAt)
}
