import type { Tx } from '../../platform/db/database.ts'
import { readReceivers } from '../delivery/model/receivers.ts'
import type { AddressedRow, OutgoingMessage, Sender } from '../delivery/model/sender.ts'
import { listDeliveries } from '../delivery/model/store.ts'
import type { Claim } from './model/store.ts'

/**
 * Stores messages that replace the question without a sound on the devices of everybody else who has
 * it: they say who looks after it. They are not counted as told anew.
 */
export async function announceClaim(
  tx: Tx,
  sender: Sender,
  outgoing: OutgoingMessage,
  { personId, name }: Pick<Claim, 'personId'> & { name: string },
): Promise<AddressedRow[]> {
  const { workspaceId, subjectId, message } = outgoing
  const earlierRows = await listDeliveries(tx, workspaceId, subjectId)
  const holding = earlierRows.filter(
    (row) => row.message.kind === 'question' && row.state === 'accepted',
  )
  const subscriberIds = [...new Set(holding.map(({ subscriberId }) => subscriberId))]
  if (subscriberIds.length === 0) return []
  const receivers = await readReceivers(tx, workspaceId, subjectId)
  const silent = { quiet: true, again: true, reminder: true } as const
  const rows = await sender.address(
    tx,
    {
      ...outgoing,
      targeting: { subscriberIds },
      message: { ...message, ...silent, title: `Taken by ${name}: ${message.title}` },
    },
    receivers,
  )
  const others = rows.filter((row) => row.personId !== personId)
  await sender.store(tx, others)
  return others
}
