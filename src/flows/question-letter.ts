import type { Letter } from '../delivery/post.ts'
import { looksDestructive } from '../questions/destructive.ts'
import type { Question } from '../questions/question.ts'
import { decidePath } from './addresses.ts'

/** The push that tells of a new question; the action body is never part of it (spec: Question). */
export function questionLetter(question: Question): Letter {
  return {
    workspaceId: question.workspaceId,
    subjectId: question.id,
    targeting: question.targeting,
    sorts: ['question'],
    expiresAt: question.expiresAt,
    message: {
      kind: 'question',
      title: titleOf(question),
      body: question.question,
      tag: question.id,
      url: decidePath(question.id),
      urgency: 'high',
      // In notify_only it is answered in the terminal: the push only tells.
      ...(question.status === 'pending'
        ? { question: questionPart(question) }
        : { kind: 'notification' as const }),
    },
  }
}

function titleOf({ agentName = 'An agent', detail }: Question): string {
  return detail.atTerminal ? `${agentName} waits at the terminal` : `${agentName} asks`
}

/** What a device needs to answer; only a harmless confirm may be answered with one tap. */
export function questionPart(question: Question) {
  return {
    correlationId: question.id,
    type: question.type,
    quick: question.type === 'confirm' && !looksDestructive(question),
  }
}
