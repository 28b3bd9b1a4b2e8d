import type { Db } from '../db/database.ts'
import type { Letter, Post } from '../delivery/post.ts'
import { type DeliveryRow, lapseDeliveries, listDeliveries } from '../delivery/store.ts'
import type { Clock } from '../kernel/clock.ts'
import type { SubscriberId } from '../kernel/ids.ts'
import type { Question, StoredStatus } from '../questions/question.ts'
import { decidePath } from './addresses.ts'

export type AnnounceDeps = { db: Db; clock: Clock; post: Post }

// A device that was off still holds the question's push for as long as that one lives.
const LIFE_MS = 60 * 60_000

/**
 * Replaces the question on every device that has it by how it ended, without a sound, except on
 * the device that answered. What was still to be sent is not sent any more.
 */
export async function announceOutcome(
  deps: AnnounceDeps,
  question: Question,
  except?: SubscriberId,
): Promise<void> {
  const { db, clock, post } = deps
  const now = clock.now()
  const rows = await listDeliveries(db.read, question.workspaceId, question.id)
  const asked = rows.filter((row) => row.message.kind === 'question')
  const idle = asked.filter((row) => row.state === 'waiting' && row.claimedBy === null)
  const holding = asked.filter((row) => mayHold(row) && row.subscriberId !== except)
  const letter = outcomeLetter(question, holding, now)
  const outcomes = holding.length > 0 ? await post.address(db.read, letter) : []
  await db.write(async (tx) => {
    const ids = idle.map((row) => row.id)
    await lapseDeliveries(tx, ids, now, 'The question had ended.')
    await post.store(tx, outcomes)
  })
  post.send(outcomes)
}

/** It has the question, or is being told of it at this moment. */
function mayHold({ state, claimedBy }: DeliveryRow): boolean {
  return state === 'accepted' || (state === 'waiting' && claimedBy !== null)
}

function outcomeLetter(question: Question, holding: DeliveryRow[], now: number): Letter {
  return {
    workspaceId: question.workspaceId,
    subjectId: question.id,
    targeting: { subscriberIds: holding.map((row) => row.subscriberId) },
    expiresAt: Math.max(now + LIFE_MS, ...holding.map((row) => row.expiresAt)),
    message: {
      kind: 'outcome',
      title: titleOf(question),
      body: question.question,
      tag: question.id,
      url: decidePath(question.id),
      urgency: 'normal',
    },
  }
}

const TITLES: Record<StoredStatus, string> = {
  answered: 'Answered',
  cancelled: 'Withdrawn by the agent',
  expired: 'Expired without an answer',
  stopped: 'The agent was told to stop',
  pending: 'Open',
  notified: 'Open',
  terminal: 'Open',
}

function titleOf({ status, type, value }: Question): string {
  const title = TITLES[status]
  // A typed answer may be long, and is nobody's business on a lock screen.
  return status === 'answered' && type !== 'input' ? `${title}: ${value}` : title
}
