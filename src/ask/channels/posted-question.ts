import type { Read } from '../../platform/db/database.ts'
import type { Delivery, DeliveryReceipt } from '../delivery/model/channel.ts'
import { listDeliveries } from '../delivery/model/store.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import type { QuestionId } from '../wire/ids.ts'

// The question is on its way at this moment; its outcome comes right after it.
const SOON_MS = 1_000

/**
 * As `postedQuestion`, for a change of a question that is open: what has ended shows its outcome.
 */
export async function openQuestion(
  read: Read,
  delivery: Pick<Delivery, 'subjectId'>,
  device: Subscriber,
): Promise<{ ref: string } | { receipt: DeliveryReceipt }> {
  const question = await findQuestion(read, device.workspaceId, delivery.subjectId as QuestionId)
  if (question?.status === 'pending') return postedQuestion(read, delivery, device)
  return { receipt: { outcome: 'refused', status: 0, reason: 'The question had ended.' } }
}

/**
 * The service's id of the question's message in a chat, for the outcome that takes its place. If
 * there is no such message, the receipt of the outcome: `later` while the question is on its way.
 */
export async function postedQuestion(
  read: Read,
  { subjectId }: Pick<Delivery, 'subjectId'>,
  device: Subscriber,
): Promise<{ ref: string } | { receipt: DeliveryReceipt }> {
  const rows = await listDeliveries(read, device.workspaceId, subjectId)
  const questionRows = rows.filter(
    (row) => row.subscriberId === device.id && row.message.kind === 'question',
  )
  const ref = questionRows.findLast((row) => row.messageRef !== null)?.messageRef
  if (ref) return { ref }
  const reason = questionRows.at(-1)?.lastError ?? NOT_POSTED
  if (!questionRows.some((row) => row.state === 'waiting')) {
    return { receipt: { outcome: 'refused', status: 0, reason } }
  }
  const later = { outcome: 'later', status: 0, reason: NOT_POSTED, retryAfterMs: SOON_MS } as const
  return { receipt: later }
}

const NOT_POSTED = 'The question was not posted there.'
