import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listJoinedCalls } from '../questions/model/joined-store.ts'
import type { Question } from '../questions/model/question.ts'
import { CALLBACK_LIFE_MS, type Callback, type CallbackId, callbackOf } from './model/callback.ts'
import { findCallback, insertCallback, reopenCallback } from './model/store.ts'

/**
 * Queues the callbacks for a question, one for each address that its callers gave, in the
 * transaction that ends it, so that an acknowledged answer always has its callbacks on disk.
 */
export const callBack = {
  async read(tx: Tx, { id }: Pick<Question, 'id'>) {
    const joined = await listJoinedCalls(tx, id)
    return async (tx: Tx, end: { question: Question; at: number }): Promise<undefined> => {
      const calls = [end.question, ...joined]
      await queueCallbacks(
        tx,
        end,
        calls.flatMap(({ callbackUrl }) => callbackUrl ?? []),
      )
    }
  },
}

/** Queues the answer for each of these addresses; nothing for a question without an answer. */
export async function queueCallbacks(
  tx: Tx,
  { question, at }: { question: Question; at: number },
  urls: readonly string[],
): Promise<void> {
  if (question.status !== 'answered') return
  for (const url of urls) {
    const callback = callbackOf(question, url, newId('cb', at), at)
    await insertCallback(tx, callback)
    tx.emit('callback', callback.id)
  }
}

/**
 * Sends a callback again now, with the same id and body, whatever its state; it is retried for
 * another day. Throws `not_found`, and `conflict` while an attempt is under way.
 */
export async function redeliverCallback(
  { db, clock }: { db: Db; clock: Clock },
  { workspaceId, id }: { workspaceId: WorkspaceId; id: CallbackId },
): Promise<Callback> {
  const now = clock.now()
  const life = { now, expiresAt: now + CALLBACK_LIFE_MS }
  const reopened = await db.write(async (tx) => {
    const callback = await reopenCallback(tx, workspaceId, id, life)
    if (callback) tx.emit('callback', callback.id)
    return callback
  })
  if (reopened) return reopened
  if (!(await findCallback(db.read, workspaceId, id))) {
    throw new Failure('not_found', 'There is no such callback here; nothing was sent.')
  }
  throw new Failure(
    'conflict',
    'This callback is being sent right now. Wait for its result before you send it again.',
  )
}
