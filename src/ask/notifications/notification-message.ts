import { leavingPath, notificationPath } from '../delivery/model/links.ts'
import type { OutgoingMessage } from '../delivery/model/sender.ts'
import { questionPart } from '../delivery/question-message.ts'
import { fitsNotification } from '../questions/model/message-parts.ts'
import type { Question } from '../questions/model/question.ts'
import { questionTitle } from '../questions/model/title.ts'
import { comesQuietly } from './model/collapse.ts'
import type { Notification } from './model/notification.ts'

// A phone that was off for the night still learns in the morning that the work is done.
const LIFE_MS = 24 * 60 * 60_000

/** The push of a notification; if it contains a question, it is that question's push too. */
export function notificationMessage(
  notification: Notification,
  question?: Question,
): OutgoingMessage {
  const { context, title, body, url, iconUrl, imageUrl } = notification
  const subjectId = question?.id ?? notification.id
  const type = context?.type ?? 'info'
  const leads = url !== undefined && isWebAddress(url)
  const words = [body, question ? questionTitle(question).text : whose(notification)]
    .filter(Boolean)
    .join('\n')
  return {
    workspaceId: notification.workspaceId,
    tokenId: notification.tokenId,
    subjectId,
    targeting: notification.targeting,
    sorts: question ? ['question', type] : [type],
    // With a question it is that question's push, and ends with it.
    expiresAt: question?.expiresAt ?? notification.createdAt + LIFE_MS,
    message: {
      kind: question ? 'question' : 'notification',
      title,
      body: words,
      // Messages of one group replace each other.
      tag: notification.groupId ?? subjectId,
      // A url that no browser opens is replaced by the notification's page.
      url: leads ? url : notificationPath(notification.id),
      page: leads ? leavingPath(notification.id) : notificationPath(notification.id),
      urgency: type === 'error' || question ? 'high' : 'normal',
      ...(iconUrl === undefined ? {} : { iconUrl }),
      ...(imageUrl === undefined ? {} : { imageUrl }),
      ...(question ? { question: embedded(question, words) } : {}),
      ...(comesQuietly(notification) ? { quiet: true as const } : {}),
    },
  }
}

/** Adds an answer button only if the text before it leaves the question visible. */
function embedded(question: Question, words: string) {
  const part = questionPart(question)
  return { ...part, quick: part.quick && fitsNotification(words) }
}

/** The sender, and how many earlier messages it replaces. */
function whose({ agentName, groupSize = 1 }: Notification): string | undefined {
  if (groupSize === 1) return agentName
  return `and ${groupSize - 1} more from ${agentName ?? 'this session'}`
}

/** Returns true if a browser opens the address; any other leads nowhere on a phone. */
export function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url)
}
