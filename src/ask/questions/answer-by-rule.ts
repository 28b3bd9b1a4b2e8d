import { chargeToken, type Limited, openedCharge, USUAL } from '../accounts/charge-token.ts'
import type { Decided } from '../policy/decide-by-rule.ts'
import { type PlanDeps, planQuestion } from '../policy/plan-question.ts'
import { questionSighting, seeSession } from '../sessions/see-session.ts'
import { questionBytes } from './model/bytes.ts'
import type { QuestionCounts } from './model/counts.ts'
import type { Question } from './model/question.ts'
import { insertQuestion } from './model/store.ts'

/**
 * Stores an approval that a rule decided, as a question answered at the moment it was asked: it is
 * in the activity and the audit trail, and nothing is sent. False if its key belongs to an earlier
 * question, which then counts.
 */
export async function answerByRule(
  deps: PlanDeps & { counts?: QuestionCounts; limited?: Limited },
  asked: Question,
  { decision, byRule }: Decided,
): Promise<boolean> {
  const { question: planned } = await planQuestion(deps, asked, undefined)
  const question: Question = {
    ...planned,
    status: 'answered',
    value: decision === 'allow' ? 'yes' : 'no',
    answeredAs: `the rule for ${byRule.words}`,
    endedAt: asked.createdAt,
    detail: { ...asked.detail, byRule },
  }
  const sighting = questionSighting(question)
  const stored = await deps.db.write(async (tx) => {
    const bytes = questionBytes(question)
    if (!(await insertQuestion(tx, question, bytes))) return false
    await chargeToken(tx, deps.limited ?? USUAL, openedCharge(question, bytes))
    if (sighting) await seeSession(tx, sighting)
    tx.emit('question', question.id)
    return true
  })
  if (!stored) return false
  deps.counts?.opened(question)
  deps.counts?.ended('answered')
  return true
}
