import type { Letter } from '../delivery/post.ts'
import type { Notification } from '../notifications/notification.ts'
import type { Question } from '../questions/question.ts'
import { notificationPath } from './addresses.ts'
import { questionPart } from './question-letter.ts'

// A phone that was off for the night still learns in the morning that the work is done.
const LIFE_MS = 24 * 60 * 60_000

/** The push of a notification; with an embedded question it is that question's push too. */
export function notificationLetter(notification: Notification, question?: Question): Letter {
  const { context, title, body, agentName, url, iconUrl, imageUrl } = notification
  const subjectId = question?.id ?? notification.id
  return {
    workspaceId: notification.workspaceId,
    subjectId,
    targeting: notification.targeting,
    expiresAt: notification.createdAt + LIFE_MS,
    message: {
      kind: question ? 'question' : 'notification',
      title,
      body: [body, question?.question ?? agentName].filter(Boolean).join('\n'),
      tag: subjectId,
      // An agent's address that no browser opens leads to what it told.
      url: url && isWebAddress(url) ? url : notificationPath(notification.id),
      urgency: context?.type === 'error' || question ? 'high' : 'normal',
      ...(iconUrl === undefined ? {} : { iconUrl }),
      ...(imageUrl === undefined ? {} : { imageUrl }),
      ...(question ? { question: questionPart(question) } : {}),
    },
  }
}

function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url)
}
