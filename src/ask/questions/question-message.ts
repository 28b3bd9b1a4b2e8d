import { decidePath } from '../delivery/model/addresses.ts'
import type { OutgoingMessage } from '../delivery/model/sender.ts'
import type { Pushed } from '../policy/limit-pushes.ts'
import { enforcedWords, opensOf } from '../scopes/model/opens.ts'
import { joinParts, type MessageParts, messageParts, offersYes } from './model/message-parts.ts'
import { isPermission, type Question } from './model/question.ts'
import type { ScopeFacts } from './model/scope-facts.ts'

// More than any notification shows.
const BODY_MAX = 600

/**
 * The push that announces a new question with what a yes does; the action body is never part of it.
 * For a scope it begins with what the scope allows, and who enforces it.
 */
export function questionMessage(question: Question, facts?: ScopeFacts): OutgoingMessage {
  const asked = messageParts(question, scopeWords(question, facts))
  return {
    workspaceId: question.workspaceId,
    subjectId: question.id,
    targeting: question.targeting,
    sorts: ['question'],
    expiresAt: question.expiresAt,
    message: {
      kind: 'question',
      title: titleOf(question),
      body: joinParts(asked, BODY_MAX).text,
      asked,
      tag: question.id,
      url: decidePath(question.id),
      urgency: 'high',
      // In notify_only the question is answered in the terminal: the push only announces it.
      ...(question.status === 'pending'
        ? { question: questionPart(question, asked) }
        : { kind: 'notification' as const }),
    },
  }
}

/** The question as the limit of pushes counts it. */
export function pushedQuestion(question: Question): Pushed {
  const { id, tokenId, createdAt, agentName } = question
  const sort = isPermission(question) ? 'permission' : 'question'
  return { subjectId: id, tokenId, at: createdAt, sort, agentName }
}

function titleOf({ agentName = 'An agent', detail }: Question): string {
  return detail.atTerminal ? `${agentName} waits at the terminal` : `${agentName} asks`
}

function scopeWords({ detail: { contract } }: Question, facts: ScopeFacts | undefined): string[] {
  if (!contract) return []
  const isHookHere = facts !== undefined && facts.hooks.length > 0
  return [`Allows: ${opensOf(contract).what}`, enforcedWords(isHookHere)]
}

/** What a device needs to answer; `asked`: the question's message parts, if known. */
export function questionPart(question: Question, asked?: MessageParts) {
  return {
    correlationId: question.id,
    type: question.type,
    quick: offersYes(question, asked),
  }
}
