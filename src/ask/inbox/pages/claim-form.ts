import { Failure } from '../../../platform/failure.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { claimQuestion, releaseClaim } from '../../claims/claim-question.ts'
import type { Sender } from '../../delivery/model/sender.ts'
import { notFound } from '../../pages/error-page.tsx'
import { href } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { type EndQuestionDeps, settled } from '../../questions/end-question.ts'
import { readQuestion } from '../read-questions.ts'
import { decidePage } from './decide.tsx'

/** "I am on it": others are told later, and may decide all the same. "Give it back" ends that. */
export async function claimForm(
  deps: EndQuestionDeps & { sender: Sender },
  visit: SignedIn,
): Promise<Response> {
  const { person, params, moment } = visit
  const form = await readForm(visit.request)
  const current = await readQuestion(deps, person, params.id ?? '')
  if (!current) throw notFound()
  const question = await settled(deps, current, moment.now)
  const { workspaceId, id: by } = person
  if (formField(form, 'release') === 'yes') {
    // Its time may be over meanwhile: nobody has it then, which is what was wanted.
    await releaseClaim(deps, { questionId: question.id, by })
    return seeOther(href.decide(question.id))
  }
  try {
    await claimQuestion(deps, { workspaceId, questionId: question.id, by })
  } catch (error) {
    const isRefusal = error instanceof Failure && [403, 409].includes(error.status)
    if (!isRefusal) throw error
    return decidePage(deps, visit, question, { problem: error.message })
  }
  return seeOther(href.decide(question.id))
}
