import type { Letter } from '../delivery/post.ts'
import { comesQuietly } from '../notifications/collapse.ts'
import type { Notification } from '../notifications/notification.ts'
import type { Question } from '../questions/question.ts'
import { leavingPath, notificationPath } from './addresses.ts'
import { questionPart } from './question-letter.ts'

// A phone that was off for the night still learns in the morning that the work is done.
const LIFE_MS = 24 * 60 * 60_000

/** The push of a notification; with an embedded question it is that question's push too. */
export function notificationLetter(notification: Notification, question?: Question): Letter {
  const { context, title, body, url, iconUrl, imageUrl } = notification
  const subjectId = question?.id ?? notification.id
  const type = context?.type ?? 'info'
  const leads = url !== undefined && isWebAddress(url)
  return {
    workspaceId: notification.workspaceId,
    subjectId,
    targeting: notification.targeting,
    sorts: question ? ['question', type] : [type],
    // With a question it is that question's push, and ends with it.
    expiresAt: question?.expiresAt ?? notification.createdAt + LIFE_MS,
    message: {
      kind: question ? 'question' : 'notification',
      title,
      body: [body, question?.question ?? whose(notification)].filter(Boolean).join('\n'),
      // Messages of one story take each other's place.
      tag: notification.groupId ?? subjectId,
      // An agent's address that no browser opens leads to what it told.
      url: leads ? url : notificationPath(notification.id),
      page: leads ? leavingPath(notification.id) : notificationPath(notification.id),
      urgency: type === 'error' || question ? 'high' : 'normal',
      ...(iconUrl === undefined ? {} : { iconUrl }),
      ...(imageUrl === undefined ? {} : { imageUrl }),
      ...(question ? { question: questionPart(question) } : {}),
      ...(comesQuietly(notification) ? { quiet: true as const } : {}),
    },
  }
}

/** Who told it, and of how many earlier messages it takes the place. */
function whose({ agentName, groupSize = 1 }: Notification): string | undefined {
  if (groupSize === 1) return agentName
  return `and ${groupSize - 1} more from ${agentName ?? 'this session'}`
}

/** What a browser opens; anything else would be a dead end on a phone. */
export function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url)
}
