import type { Db } from '../db/database.ts'
import type { Reach } from '../delivery/receipts.ts'
import { listDeliveries, reachOf } from '../delivery/store.ts'
import type { NotificationId, QuestionId, WorkspaceId } from '../kernel/ids.ts'

/** How many devices a question or notification reached so far. */
export async function readReach(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  subject: QuestionId | NotificationId,
): Promise<Reach> {
  return reachOf(await listDeliveries(db.read, workspaceId, subject))
}
