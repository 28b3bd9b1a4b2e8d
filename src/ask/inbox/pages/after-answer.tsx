/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { Title } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import { questionTitle } from '../../questions/model/title.ts'
import { recordedSession } from '../../questions/recorded-session.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { readInboxPage, readOpenFacts, readQuestion } from '../read-questions.ts'
import { readForOthers } from '../waits-for-others.ts'
import { facetsOf, filterOf, listAgain } from './facets.tsx'
import { nextInList } from './list-order.ts'
import { GLANCE } from './open-questions.ts'
import { verdict } from './outcome.tsx'
import { lookOf } from './status.tsx'
import { Undo } from './undo.tsx'

type Deps = { db: Db; clock: Clock }

const LISTS: Partial<Record<AnswerSource, string>> = { dashboard: paths.home, inbox: paths.inbox }

/**
 * The address that an answer leads to: the next open question in the place of this one, in the list
 * or on a page of its own. The outcome, if none is left or something else had ended the question.
 */
export async function afterAnswer(
  deps: Deps,
  visit: SignedIn,
  question: Question,
  { from, won }: { from: AnswerSource; won: boolean },
): Promise<string> {
  const { id } = question
  if (!won) return `${href.decide(id)}?late`
  const session = from === 'live_page' ? await recordedSession(deps, question) : undefined
  const list = session ? href.live(session.id) : LISTS[from]
  const isOfSession = (one: Question) =>
    one.sessionId === question.sessionId && one.machineId === question.machineId
  const next = await readNext(deps, visit, question, session ? isOfSession : undefined)
  if (!list) return next ? `${href.decide(next.id)}?after=${id}` : href.decide(id)
  const more = { showing: id, ...(next && { open: next.id }) }
  return `${listAgain(visit.request, list, more)}#card-${next?.id ?? id}`
}

/** The next one in the list that the browser says it came from, filtered as that. */
async function readNext(
  deps: Deps,
  { person, request }: SignedIn,
  question: Question,
  isOfList?: (question: Question) => boolean,
): Promise<Question | undefined> {
  const chosen = URL.parse(request.headers.get('referer') ?? '')?.searchParams
  const facts = await readOpenFacts(deps, person, { viewer: person.id })
  const facets = facetsOf(facts, chosen ?? new URLSearchParams())
  const except = [...(await readForOthers(deps, person))]
  const only = { ...filterOf(facets), viewer: person.id, except }
  const limit = isOfList ? undefined : GLANCE
  const { items } = await readInboxPage(deps, person, { limit, only })
  return nextInList(isOfList ? items.filter(isOfList) : items, question)
}

/** Shows which answer came before the question on this page, and how many are left. */
export async function justAnswered(deps: Deps, { person, url, moment, open }: SignedIn) {
  const before = url.searchParams.get('after')
  const question = before && (await readQuestion(deps, person, before))
  if (!question || statusAt(question, moment.now) === 'pending') return undefined
  const { icon } = lookOf(question, moment.now)
  const mine = question.answeredBy === person.id
  const version = `${question.id} ${question.answerHeldUntil}`
  return (
    <div class="just" id="just" data-live="whole" data-version={version}>
      <p role="status">
        {icon && <Icon name={icon} />}
        <a href={href.decide(question.id)}>
          <b>{verdict(question, moment.now)}</b>: <Title title={questionTitle(question)} />
        </a>
        <span data-open-left>{open} left</span>
      </p>
      <Undo question={question} from="decide_page" moment={moment} mine={mine} />
    </div>
  )
}
