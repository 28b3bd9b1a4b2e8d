import { readForm } from '../../../platform/web/form.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { undoAnswer } from '../../answering/hold-answer.ts'
import { notFound } from '../../pages/error-page.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import type { EndQuestionDeps } from '../../questions/end-question.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { readQuestion } from '../read-questions.ts'
import { decidePage, isFromCard, readSource } from './decide.tsx'
import { backTo } from './snooze-form.ts'

/** "Undo" was tapped, in a list or on the page of a question. */
export async function undoForm(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  const from = readSource(await readForm(visit.request))
  const id = visit.params.id as QuestionId
  const undone = await undoAnswer(deps, visit.person, id)
  const question = await readQuestion(deps, visit.person, id)
  if (!question) throw notFound()
  if (!undone) return decidePage(deps, visit, question, { problem: SENT, from })
  if (isFromCard(visit, question)) return decidePage(deps, visit, question, { undone, from })
  const place = await backTo(deps, visit, id, from)
  return seeOther(from === 'decide_page' ? `${place}?undone` : place)
}

const SENT = 'It is too late to undo this: nothing is held any more.'
