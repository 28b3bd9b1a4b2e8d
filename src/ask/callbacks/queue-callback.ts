import type { Tx } from '../../platform/db/database.ts'
import type { CallbackId } from '../../platform/ids.ts'
import type { Question } from '../questions/model/question.ts'
import { callbackOf } from './model/callback.ts'
import { insertCallback } from './model/store.ts'

/**
 * Queues the callback for `question`, in the transaction that ends it, so that an acknowledged
 * answer always has its callback on disk. Does nothing for questions without one.
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
