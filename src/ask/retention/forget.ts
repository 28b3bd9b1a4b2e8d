import type { Read, Tx } from '../../platform/db/database.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { freeUsage } from '../accounts/model/usage-store.ts'
import { lockChain, sealRemoval } from '../audit/model/chain.ts'
import { callbacksUnderWay, deleteCallbacks } from '../callbacks/model/store.ts'
import { deleteClaims } from '../claims/model/store.ts'
import { deleteLinks } from '../delivery/model/link-store.ts'
import { deleteDeliveries, underWay } from '../delivery/model/store.ts'
import { deleteFailovers } from '../fail-over/model/store.ts'
import { deleteNotifications } from '../notifications/model/purge-store.ts'
import { deletePermits } from '../permits/model/store.ts'
import { deleteJoinedCalls } from '../questions/model/joined-store.ts'
import { deleteQuestions, existingQuestions } from '../questions/model/purge-store.ts'
import { deleteSnoozes } from '../questions/model/snooze-store.ts'
import { deleteReceipts } from '../receipts/model/store.ts'
import { deleteReminders } from '../reminders/model/store.ts'
import { deleteContracts } from '../scopes/model/store.ts'
import { deleteViewers } from '../visibility/model/store.ts'
import { deleteVotes } from '../votes/model/store.ts'
import type { NotificationId, QuestionId, SubjectId } from '../wire/ids.ts'

/** The rows that belong to questions and notifications, and are deleted with them. */
type Attached = {
  /** The subjects among `ids` that still have something of this kind under way: they stay. */
  underWay(read: Read, ids: readonly SubjectId[]): Promise<ReadonlySet<string>>
  remove(tx: Tx, ids: readonly SubjectId[]): Promise<void>
}

const nothing = async () => new Set<string>()
const ATTACHED: readonly Attached[] = [
  { underWay, remove: deleteDeliveries },
  { underWay: nothing, remove: (tx, ids) => deleteContracts(tx, ids as readonly QuestionId[]) },
  // A question is deleted with its callback, and not before the callback has ended.
  { underWay: callbacksUnderWay, remove: deleteCallbacks },
  { underWay: nothing, remove: deleteLinks },
  { underWay: nothing, remove: deleteFailovers },
  { underWay: nothing, remove: deleteReminders },
  { underWay: nothing, remove: deleteSnoozes },
  { underWay: nothing, remove: deleteJoinedCalls },
  { underWay: nothing, remove: (tx, ids) => deletePermits(tx, ids as readonly QuestionId[]) },
  { underWay: nothing, remove: (tx, ids) => deleteReceipts(tx, ids as readonly QuestionId[]) },
  { underWay: nothing, remove: (tx, ids) => deleteVotes(tx, ids as readonly QuestionId[]) },
  { underWay: nothing, remove: (tx, ids) => deleteClaims(tx, ids as readonly QuestionId[]) },
  { underWay: nothing, remove: deleteViewers },
]

/**
 * Deletes the questions that have ended and have nothing under way, which the sealed trail says;
 * resolves to the rows.
 */
export async function forgetQuestions(
  tx: Tx,
  ids: readonly QuestionId[],
  now: number,
): Promise<readonly Gone[]> {
  // Locked before anything is deleted, because the job that seals locks in the same order.
  if (ids.length > 0) await lockChain(tx)
  const deleted = await deleteQuestions(tx, await withoutBusy(tx, ids))
  return await afterwards(tx, deleted, now)
}

/** As `forgetQuestions`; a notification stays as long as the question in it. */
export async function forgetNotifications(
  tx: Tx,
  old: ReadonlyArray<{ id: NotificationId; questionId: QuestionId | null }>,
  now: number,
): Promise<readonly Gone[]> {
  if (old.length > 0) await lockChain(tx)
  const questionIds = await existingQuestions(
    tx,
    old.flatMap(({ questionId }) => questionId ?? []),
  )
  const done = old.filter(({ questionId }) => !questionId || !questionIds.has(questionId))
  const idle = await withoutBusy(
    tx,
    done.map(({ id }) => id),
  )
  return await afterwards(tx, await deleteNotifications(tx, idle), now)
}

async function withoutBusy<I extends SubjectId>(tx: Tx, ids: readonly I[]): Promise<I[]> {
  let idle = [...ids]
  for (const attached of ATTACHED) {
    const busy = await attached.underWay(tx, idle)
    idle = idle.filter((id) => !busy.has(id))
  }
  return idle
}

export type Gone = { id: SubjectId; workspaceId: WorkspaceId; tokenId: TokenId; bytes: number }

/** Deletes everything that belonged to these rows, and reduces the counts of their tokens. */
async function afterwards(tx: Tx, deleted: readonly Gone[], now: number) {
  const ids = deleted.map(({ id }) => id)
  for (const attached of ATTACHED) await attached.remove(tx, ids)
  await sealRemoval(tx, ids, now)
  for (const [tokenId, rows] of Map.groupBy(deleted, (row) => row.tokenId)) {
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    await freeUsage(tx, tokenId, { bytes })
  }
  return deleted
}
