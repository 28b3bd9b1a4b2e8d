import type { Tx } from '../../platform/db/database.ts'
import type { CallbackId } from '../../platform/ids.ts'
import type { Question } from '../questions/model/question.ts'
import { callbackOf } from './model/callback.ts'
import { insertCallback } from './model/store.ts'

/**
 * Puts the callback that `question` owes into the outbox, in the transaction that ended it: an
 * answer that is acknowledged has its callback on disk. Does nothing for one that owes none.
 */
export async function queueCallback(
  tx: Tx,
  question: Question,
  id: CallbackId,
  now: number,
): Promise<void> {
  const callback = callbackOf(question, id, now)
  if (!callback) return
  await insertCallback(tx, callback)
  tx.emit('callback', callback.id)
}
