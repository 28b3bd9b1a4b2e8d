import { type DeliveryRow, insertDeliveries } from '../../src/ask/delivery/model/store.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { unsent } from '../../src/platform/db/outbox-store.ts'

/** Stores a delivery of question `q_1` in workspace `ws_1`. */
export async function insertDelivery(db: Db, about: Partial<DeliveryRow>): Promise<DeliveryRow> {
  const row: DeliveryRow = {
    ...{ id: 'dl_1', workspaceId: 'ws_1', subjectId: 'q_1', subscriberId: 'sub_1' },
    kind: 'phone',
    message: { kind: 'question', title: 't', body: 'b', tag: 'q_1', url: '/', urgency: 'high' },
    ...unsent(1, 9),
    shownAt: null,
    openedAt: null,
    seal: null,
    messageRef: null,
    ...about,
  }
  await db.write((tx) => insertDeliveries(tx, [row]))
  return row
}
