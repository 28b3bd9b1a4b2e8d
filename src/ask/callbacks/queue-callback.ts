import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Question } from '../questions/model/question.ts'
import { callbackOf } from './model/callback.ts'
import { insertCallback } from './model/store.ts'

/**
 * Queues the callback for `question`, in the transaction that ends it, so that an acknowledged
 * answer always has its callback on disk. Does nothing for questions without one.
 */
export async function queueCallback(
  tx: Tx,
  { question, at }: { question: Question; at: number },
): Promise<undefined> {
  const callback = callbackOf(question, newId('cb', at), at)
  if (!callback) return
  await insertCallback(tx, callback)
  tx.emit('callback', callback.id)
}
