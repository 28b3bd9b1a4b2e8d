import type { Tx } from '../../platform/db/database.ts'
import { together } from '../../platform/db/together.ts'
import type { OnVote } from '../questions/end-question.ts'
import type { Question } from '../questions/model/question.ts'
import { soFar } from '../questions/model/vote-hint.ts'
import { readReceivers } from './model/receivers.ts'
import type { OutgoingMessage, RetrySender, Sender } from './model/sender.ts'
import { type DeliveryRow, lapseDeliveries, listDeliveries } from './model/store.ts'
import { questionMessage } from './question-message.ts'

const OLDER = 'There are other votes since.'

/**
 * Stores silent messages that say in each chat which shows a question how many have agreed so far, in
 * the place of its message, and sends them once that is committed.
 */
export function announceVotes(sender: Sender & Pick<RetrySender, 'giveUp'>): OnVote {
  return async (tx: Tx, question: Question, at: number) => {
    const { workspaceId, id } = question
    const rows = await listDeliveries(tx, workspaceId, id)
    const posts = rows.filter(({ message, messageRef }) => {
      return message.kind === 'question' && messageRef !== null
    })
    if (posts.length === 0) return undefined
    const older = rows.filter(({ message, state, claimedBy }) => {
      return message.edit && state === 'waiting' && claimedBy === null
    })
    const receivers = await readReceivers(tx, workspaceId, id)
    const edits = await sender.address(tx, votesMessage(question, posts), receivers)
    const ids = older.map((row) => row.id)
    await together(lapseDeliveries(tx, ids, at, OLDER), sender.store(tx, edits))
    return () => {
      sender.giveUp(older, OLDER)
      sender.send(edits)
    }
  }
}

function votesMessage(question: Question, posts: readonly DeliveryRow[]): OutgoingMessage {
  const { people: _, ...outgoing } = questionMessage(question)
  const { message } = outgoing
  return {
    ...outgoing,
    targeting: { subscriberIds: [...new Set(posts.map((row) => row.subscriberId))] },
    message: {
      ...message,
      body: `${message.body}\n\n${soFar(question)} so far.`,
      quiet: true,
      again: true,
      edit: true,
    },
  }
}
