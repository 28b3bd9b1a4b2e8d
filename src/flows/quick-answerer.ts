import type { Db } from '../db/database.ts'
import { verifyQuickKey } from '../delivery/device-keys.ts'
import { Failure } from '../kernel/failure.ts'
import type { QuestionId, SubscriberId, WorkspaceId } from '../kernel/ids.ts'
import { readSubscribers } from '../subscribers/store.ts'

/** What the button of a notification sends instead of a session. */
export type QuickKey = { questionId: QuestionId; subscriberId: string; key: string }

/** The workspace of the device whose button has this key. Throws `forbidden`. */
export async function quickAnswerer(
  { db, secret }: { db: Db; secret: string },
  quick: QuickKey,
): Promise<WorkspaceId> {
  const id = quick.subscriberId as SubscriberId
  const device = (await readSubscribers(db.read, [id])).get(id)
  if (!device || !verifyQuickKey(secret, quick.questionId, id, quick.key)) {
    throw new Failure('forbidden', 'This button no longer works; open the question to answer it.')
  }
  return device.workspaceId
}
