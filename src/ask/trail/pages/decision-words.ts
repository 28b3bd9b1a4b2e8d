import { measuredTime } from '../../pages/times.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import { type Question, SOURCE_WORDS } from '../../questions/model/question.ts'
import { endingAt } from '../activity-filter.ts'

/**
 * Words who decided and how long that took, for a row: `you from the inbox, 12 seconds`. Empty
 * while a question waits, and where the terminal asks.
 */
export function decisionWords(question: Question, who: string | undefined, now: number): string {
  const { createdAt, expiresAt, endedAt = expiresAt } = question
  const status = statusAt(question, now)
  if (status === 'pending' || status === 'notified' || status === 'terminal') return ''
  const took = measuredTime(endedAt - createdAt)
  switch (endingAt(question, now)) {
    case 'unanswered':
      return `nobody, ${took}`
    case 'withdrawn':
      return `the agent, ${took}`
    case 'byRule':
      return automatic(question, who)
    case 'byPerson':
      return `${personWords(question, who)}, ${took}`
  }
}

function automatic(
  { detail: { byGrant, byYes, byRule }, answeredBy }: Question,
  who?: string,
): string {
  if (byGrant) return byGrant.words
  if (byYes) return byYes.words
  if (byRule) return `the rule for ${byRule.words}`
  return answeredBy && who ? `a program signed in as ${who}` : (who ?? 'a rule')
}

function personWords({ answerSource }: Question, who = 'somebody'): string {
  return answerSource ? `${who} from ${SOURCE_WORDS[answerSource]}` : who
}
