/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { html } from '../../../platform/web/respond.ts'
import type { AnswerLinkDeps } from '../../answering/answer-by-link.ts'
import { answerByLink, openAnswerLink } from '../../answering/answer-by-link.ts'
import { splitName } from '../../pages/agent-name.tsx'
import { showFailure } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { readVisit, type Visit } from '../../pages/visit.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import {
  draftValue,
  draftWords,
  isRefusedAnswer,
  mustAskTwice,
  readAnswerDraft,
  withWrong,
} from './answer-form.ts'
import type { AnswerDraft } from './answers.tsx'
import { AskedTwice } from './asked-twice.tsx'
import { Decision } from './decision.tsx'
import { readScopeView } from './scope-view.ts'

type Context = { request: Request; params: Record<string, string> }
type State = {
  draft?: AnswerDraft
  problem?: string | undefined
  askTwice?: boolean
  status: number
}

/** `/a/TOKEN`: one question for whoever holds the link. Viewing changes nothing. */
export function showAnswerLink(deps: AnswerLinkDeps, context: Context): Promise<Response> {
  return asStranger(deps, context, async (visit, token) => {
    const { link, question, state } = await openAnswerLink(deps, token)
    if (link.purpose !== 'page') throw new Failure('method_not_allowed', FOR_A_BUTTON)
    if (state === 'open') return linkPage(deps, visit, question, { status: 200 })
    return linkPage(deps, visit, question, { status: 410, problem: DEAD[state] })
  })
}

/** The submitted answer; the token in the address is the only authorisation. */
export function postAnswerLink(deps: AnswerLinkDeps, context: Context): Promise<Response> {
  return asStranger(deps, context, async (visit, token) => {
    const opened = await openAnswerLink(deps, token)
    const { link, question, state } = opened
    const form = link.purpose === 'page' ? await readForm(visit.request) : new URLSearchParams()
    const draft = readAnswerDraft(form)
    if (state === 'used')
      return linkPage(deps, visit, question, { status: 410, problem: DEAD.used, draft })
    if (mustAskTwice(question, draft, form, { now: visit.moment.now, isTaken: false })) {
      return linkPage(deps, visit, question, { status: 200, draft, askTwice: true })
    }
    const answer = form.has('stop')
      ? 'stop'
      : { value: draftValue(question, draft), note: draft.note }
    try {
      const outcome = await answerByLink(deps, opened, answer)
      if (outcome.done) return linkPage(deps, visit, outcome.question, { status: 200 })
      const problem = outcome.state === 'used' ? DEAD.used : DEAD.ended
      return linkPage(deps, visit, outcome.question, { status: 410, problem, draft })
    } catch (error) {
      if (!isRefusedAnswer(error) || link.purpose !== 'page') throw error
      return linkPage(deps, visit, question, {
        status: 422,
        draft: withWrong(draft, error),
        problem: error.message,
      })
    }
  })
}

const DEAD = {
  open: undefined,
  used: 'This link was used already; it works only once. This is how the question ended.',
  ended: 'This link no longer works: the question had ended. Nothing was changed.',
}
const FOR_A_BUTTON =
  'This address belongs to a button of a notification. Tap the notification itself to see the question.'

type Show = (visit: Visit, token: string) => Promise<Response>

/** Shows a page to somebody without a sign-in; it sends no referrer. */
async function asStranger(deps: AnswerLinkDeps, { request, params }: Context, show: Show) {
  const now = deps.clock.now()
  const visit: Visit = { ...readVisit(request, params, now, undefined, 0), plain: true }
  const response = await show(visit, params.token ?? '').catch((error) => {
    if (error instanceof Failure) return showFailure(error, visit)
    throw error
  })
  response.headers.set('referrer-policy', 'no-referrer')
  response.headers.set('x-robots-tag', 'noindex, nofollow')
  return response
}

async function linkPage(deps: AnswerLinkDeps, visit: Visit, question: Question, state: State) {
  const open = statusAt(question, visit.moment.now) === 'pending'
  const [agent] = splitName(question.agentName)
  const to = visit.url.pathname
  const { opens } = await readScopeView(deps, question, open ? 'proposed' : undefined)
  return html(
    <Layout visit={visit} title={open ? `${agent} asks` : 'Question from an agent'} kind="alone">
      {open && state.askTwice && state.draft ? (
        <AskedTwice
          question={question}
          draft={state.draft}
          from="answer_link"
          replaces="decision"
          to={to}
        />
      ) : (
        <Decision
          question={question}
          moment={visit.moment}
          who={undefined}
          dangerous={looksDestructive(question)}
          {...(state.draft && { draft: state.draft })}
          problem={state.problem}
          late={false}
          unused={!open && state.draft ? draftWords(question, state.draft) : []}
          live={undefined}
          opens={opens}
          to={to}
        />
      )}
    </Layout>,
    state.status,
  )
}
