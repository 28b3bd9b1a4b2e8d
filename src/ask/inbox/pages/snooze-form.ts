import { Failure } from '../../../platform/failure.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { EndQuestionDeps } from '../../questions/end-question.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import { SNOOZE_LENGTHS } from '../../questions/model/snooze.ts'
import { recordedSession } from '../../questions/recorded-session.ts'
import { showAgain, snoozeQuestion } from '../../snooze/snooze-question.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { readQuestion } from '../read-questions.ts'
import { decidePage, isFromCard, readSource } from './decide.tsx'
import { listAgain } from './facets.tsx'
import { SHOW_AGAIN } from './later.tsx'

/** "Later" or "Show again" was chosen, in a list or on the page of the question. */
export async function snoozeForm(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const from = readSource(form)
  const id = visit.params.id as QuestionId
  const lengthText = formField(form, 'for')
  if (lengthText === SHOW_AGAIN) {
    await showAgain(deps, visit.person, id)
    return isInPlace(visit) ? unchanged() : seeOther(await backTo(deps, visit, id, from))
  }
  const length = SNOOZE_LENGTHS.find((one) => one === lengthText)
  if (!length) {
    throw new Failure('malformed', `for must be ${SNOOZE_LENGTHS.join(', ')} or ${SHOW_AGAIN}.`)
  }
  const { question, until } = await snoozeQuestion(deps, visit.person, id, length)
  if (until === undefined) return stayed(deps, visit, question, from)
  if (isInPlace(visit)) return unchanged()
  const list = from === 'dashboard' ? paths.home : paths.inbox
  const again = listAgain(visit.request, list, { snoozed: id })
  return seeOther(from === 'live_page' ? href.decide(id) : again)
}

/** Answers for a question that has ended, or ends within a minute. */
async function stayed(
  deps: EndQuestionDeps,
  visit: SignedIn,
  question: Question,
  from: AnswerSource,
): Promise<Response> {
  if (statusAt(question, visit.moment.now) === 'pending') {
    const problem = 'It ends within a minute, so it stays here. Decide it now, or let it end.'
    return decidePage(deps, visit, question, { problem, from })
  }
  if (!isFromCard(visit, question)) return seeOther(`${href.decide(question.id)}?late`)
  return decidePage(deps, visit, question, { late: true, from })
}

/** Where the question is shown again. */
export async function backTo(
  deps: EndQuestionDeps,
  { person, request }: SignedIn,
  id: QuestionId,
  from: AnswerSource,
): Promise<string> {
  if (from === 'dashboard' || from === 'inbox') {
    const list = from === 'inbox' ? paths.inbox : paths.home
    return `${listAgain(request, list, { open: id })}#card-${id}`
  }
  const question = from === 'live_page' && (await readQuestion(deps, person, id))
  const session = question ? await recordedSession(deps, question) : undefined
  return session ? href.live(session.id) : href.decide(id)
}

/** A script asks: the page looks for what has changed by itself. */
function isInPlace({ request }: SignedIn): boolean {
  return request.headers.has('hx-request')
}

function unchanged(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
