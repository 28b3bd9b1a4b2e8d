import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question, QuestionKind } from '../questions/model/question.ts'
import { type CountedEnding, endingOf } from '../questions/model/tally.ts'
import type { ActivityItem } from './read-activity.ts'

/** How something came out, as the list of the activity can be filtered; the endings as they are counted. */
export const OUTCOMES = [
  'waiting',
  'byPerson',
  'byRule',
  'unanswered',
  'withdrawn',
  'terminal',
  'notification',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What to show of the activity; a field that is left out does not filter. */
export type ActivityFilter = {
  /** Words that all occur in its texts, in lower case. */
  words: readonly string[]
  agentNames?: readonly string[] | undefined
  repoKey?: string | undefined
  kind?: QuestionKind | undefined
  outcome?: Outcome | undefined
}

/** Returns true if the filter lets everything through. */
export function isAll({ words, ...fields }: ActivityFilter): boolean {
  return words.length === 0 && Object.values(fields).every((field) => field === undefined)
}

/** Returns true if the filter lets the item through. */
export function isWanted(item: ActivityItem, filter: ActivityFilter, now: number): boolean {
  const { words, agentNames, repoKey, kind, outcome } = filter
  const { agentName } = item.kind === 'question' ? item.question : item.notification
  if (agentNames && !agentNames.includes(agentName ?? '')) return false
  if (outcome && outcomeOf(item, now) !== outcome) return false
  if (repoKey !== undefined && !(item.kind === 'question' && item.question.repoKey === repoKey)) {
    return false
  }
  if (kind && !(item.kind === 'question' && kindOf(item.question) === kind)) return false
  const text = textOf(item)
  return words.every((word) => text.includes(word))
}

function kindOf({ type, origin }: Question): QuestionKind {
  return origin === 'scope' ? origin : type
}

function outcomeOf(item: ActivityItem, now: number): Outcome {
  if (item.kind === 'notification') return 'notification'
  const { question } = item
  const status = statusAt(question, now)
  if (status === 'pending') return 'waiting'
  if (status === 'notified' || status === 'terminal') return 'terminal'
  return endingAt({ ...question, status }, now)
}

/** As `endingOf`; a question that nobody has marked as expired yet ends with its time. */
export function endingAt(question: Question, now: number): CountedEnding {
  const { endedAt = question.expiresAt, ...rest } = question
  return endingOf({ ...rest, endedAt, status: statusAt(question, now) })
}

function textOf(item: ActivityItem): string {
  if (item.kind === 'notification') {
    const { title, body, agentName } = item.notification
    return `${title} ${body} ${agentName ?? ''}`.toLowerCase()
  }
  const { question, agentName, detail, value } = item.question
  const { title = '', body = '' } = detail.notice ?? {}
  const texts = [question, agentName, detail.action, value, title, body]
  return texts
    .map((text) => text ?? '')
    .join(' ')
    .toLowerCase()
}
