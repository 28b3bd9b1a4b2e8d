import {
  type Question,
  SOURCE_WORDS,
  type StoredStatus,
} from '../../../questions/model/question.ts'
import { type Block, context, section } from './blocks.ts'

/** How a question ended: what, by whom, where. A typed answer is for the agent, not for the channel. */
export function endWords(question: Question, who: string | undefined): string {
  const { status, type, value, answerSource, endReason } = question
  const by = who ? ` by ${who}` : ''
  if (status === 'answered') {
    const what = type === 'input' ? 'Answered' : `Answered “${value ?? ''}”`
    return `${what}${by}${answerSource ? `, from ${SOURCE_WORDS[answerSource]}` : ''}.`
  }
  const why = status === 'cancelled' && endReason ? `: ${endReason}` : `${by}.`
  return `${WORDS[status]}${why}`
}

const WORDS: Record<Exclude<StoredStatus, 'answered'>, string> = {
  cancelled: 'Withdrawn by the agent',
  expired: 'Expired without an answer',
  stopped: 'The agent was told to stop',
  pending: 'Still open',
  notified: 'Answered in the terminal',
  terminal: 'Answered in the terminal',
}

/** What takes the place of the question and its buttons. */
export function outcomeBlocks(words: string, asked: string, agent: string | undefined): Block[] {
  return [...(agent ? [context(`${agent} asked`)] : []), section(asked), context(words)]
}
