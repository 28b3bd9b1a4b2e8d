/** @jsxImportSource preact */

import canonicalize from 'canonicalize'
import type { ComponentChildren } from 'preact'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may, mustBeProvenFor } from '../../accounts/model/person.ts'
import { withdrawVote } from '../../answering/cast-vote.ts'
import { handOver } from '../../answering/hand-over.ts'
import { answerWithUndo } from '../../answering/hold-answer.ts'
import { ProofNeeded } from '../../answering/prove-vote.ts'
import { stopAgent } from '../../answering/stop-agent.ts'
import { readReceipts } from '../../delivery/read-receipts.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { findPermitFor } from '../../permits/model/store.ts'
import { AddPrograms } from '../../policy/pages/add-program.tsx'
import { type EndQuestionDeps, settled } from '../../questions/end-question.ts'
import { readAnswer, typedWords } from '../../questions/model/answer.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import { readingOf } from '../../questions/model/reading.ts'
import { findLateAnswer } from '../../questions/model/store.ts'
import { questionTitle } from '../../questions/model/title.ts'
import { recordedSession } from '../../questions/recorded-session.ts'
import { readSnooze } from '../../snooze/snooze-question.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import { excerptOf } from '../../wire/excerpt.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { ANSWER_SOURCES, type AnswerSource } from '../../wire/question-fields.ts'
import { missingPrograms } from '../../wire/reading/own-programs.ts'
import { readQuestion } from '../read-questions.ts'
import { afterAnswer, justAnswered } from './after-answer.tsx'
import {
  draftValue,
  isRefusedAnswer,
  mustAskTwice,
  readAnswerDraft,
  withWrong,
} from './answer-form.ts'
import type { AnswerDraft } from './answers.tsx'
import { AskedTwice, CardAskedTwice } from './asked-twice.tsx'
import { otherHolder } from './claim.tsx'
import { Decision } from './decision.tsx'
import { checkChanges, draftChanges, draftEdited, mustShowDifference } from './edit-fields.tsx'
import { FailOverLine, readFailOverNotice } from './fail-over-notice.tsx'
import { whoEnded } from './outcome.tsx'
import {
  type ProveView,
  ProveVote,
  readChosen,
  readClaim,
  readProve,
  SignedInAgain,
} from './prove-vote.tsx'
import { cardId, QuestionCard } from './question-card.tsx'
import { Ran } from './ran.tsx'
import { readDeciders } from './read-deciders.ts'
import { Receipts } from './receipts.tsx'
import { pathsOf, sayWrongPaths } from './scope-form.ts'
import { readScopeView } from './scope-view.ts'
import { Undone } from './undo.tsx'

type Deps = EndQuestionDeps & { baseUrl: string }

type State = {
  draft?: AnswerDraft | undefined
  /** The vote needs another proof. */
  prove?: ProveView
  problem?: string
  late?: boolean
  unused?: readonly string[]
  askTwice?: boolean
  from?: AnswerSource
  who?: string | undefined
  /** This person took their answer back. */
  undone?: boolean
  /** Somebody else looks after it. */
  holder?: string | undefined
  /** The answer that led here. */
  after?: ComponentChildren
}

/** `/d/ID`: one question and its answers; afterwards its outcome. */
export async function showDecide(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  const question = await find(deps, visit)
  const { searchParams } = visit.url
  const late = searchParams.has('late')
  const unused = late ? await unusedWords(deps, visit, question) : []
  const draft = readChosen(question, searchParams)
  const after = await afterWords(deps, visit, draft)
  const state = { draft, late, unused, after, from: readSource(searchParams) }
  const response = await decidePage(deps, visit, question, state)
  // A script put it in the place of the question that was answered.
  const isInPlace = visit.request.headers.get('hx-target') === 'decision'
  if (isInPlace) response.headers.set('hx-replace-url', visit.url.pathname + visit.url.search)
  return response
}

/** What has just happened, above an open question. */
async function afterWords(deps: EndQuestionDeps, visit: SignedIn, chosen: AnswerDraft | undefined) {
  if (visit.url.searchParams.has('undone')) return Undone()
  return chosen ? SignedInAgain() : await justAnswered(deps, visit)
}

/** The submitted answer: accepted, too late, invalid, or to be asked twice. */
export async function answerForm(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const question = await find(deps, visit)
  const draft = readAnswerDraft(form)
  const from = readSource(form)
  const { now } = visit.moment
  mustBeProvenFor(draftValue(question, draft), visit.person)
  try {
    // Before anything is asked twice.
    checkChanges(question, draft)
    const holder = await otherHolder(deps, visit, question)
    if (
      mustAskTwice(question, draft, form, { now, isTaken: holder !== undefined }) ||
      mustShowDifference(question, draft, form, now)
    ) {
      return decidePage(deps, visit, question, { draft, askTwice: true, holder, from })
    }
    const { won, question: ended } = await answerWithUndo(deps, {
      workspaceId: visit.person.workspaceId,
      questionId: question.id,
      value: draftValue(question, draft),
      note: draft.note,
      forSession: draft.forSession,
      grant: draft.grant,
      contract: editedPaths(question, draft),
      changes: draftChanges(question, draft),
      source: readApp(form) ?? from,
      by: visit.person.id,
      proof: { signedInAt: visit.person.signedInAt, passkey: readClaim(deps, visit, form) },
    })
    const isTaken = won || isSameAnswer(ended, draft, visit)
    if (isFromCard(visit, question)) {
      const who = await whoEnded(deps, visit, ended)
      const unused = isTaken ? [] : await unusedWords(deps, visit, ended)
      return cardPage(visit, ended, { from, late: !isTaken, unused, who })
    }
    // A vote that others have to follow stays in sight.
    if (ended.requirement && statusAt(ended, now) === 'pending')
      return seeOther(href.decide(ended.id))
    return seeOther(await afterAnswer(deps, visit, ended, { from, won: isTaken }))
  } catch (error) {
    if (error instanceof ProofNeeded) return provePage(deps, visit, question, { form, error })
    if (!isRefusedAnswer(error)) throw error
    const problem = sayWrongPaths(error) ?? error.message
    return decidePage(deps, visit, question, { draft: withWrong(draft, error), problem, from })
  }
}

/** Asks for the proof that a vote needs. A card in a list has no place for it. */
async function provePage(
  deps: Deps,
  visit: SignedIn,
  question: Question,
  { form, error }: { form: URLSearchParams; error: ProofNeeded },
): Promise<Response> {
  if (isFromCard(visit, question)) {
    const response = html(<p>{error.message}</p>)
    response.headers.set('hx-redirect', href.decide(question.id))
    return response
  }
  const prove = await readProve(deps, error, form, undefined)
  return decidePage(deps, visit, question, { prove })
}

/** The edited lists of a scope: what they match, before anything is answered. */
export async function showEdited(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const question = await find(deps, visit)
  return decidePage(deps, visit, question, { draft: readAnswerDraft(form) })
}

/** Only a yes includes the paths. */
function editedPaths({ detail }: Question, { scope, values }: AnswerDraft) {
  return detail.contract && scope && values[0] === 'yes' ? pathsOf(scope) : undefined
}

export async function stopForm(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { won, question } = await stopAgent(deps, {
    workspaceId: visit.person.workspaceId,
    questionId: visit.params.id as QuestionId,
    by: visit.person.id,
  })
  return seeOther(await afterAnswer(deps, visit, question, { from: readSource(form), won }))
}

/** "Decide in the terminal": the agent asks in its own client. */
export async function handOverForm(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { won, question } = await handOver(deps, {
    workspaceId: visit.person.workspaceId,
    questionId: visit.params.id as QuestionId,
    by: visit.person.id,
  })
  return seeOther(await afterAnswer(deps, visit, question, { from: readSource(form), won }))
}

/** "Take it back" beside one's own vote. */
export async function withdrawVoteForm(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const question = await find(deps, visit)
  const { workspaceId, id: by } = visit.person
  await withdrawVote(deps, { workspaceId, questionId: question.id, by })
  return seeOther(href.decide(question.id))
}

/** Returns true if a script requests the replacement of the card that was tapped in a list. */
export function isFromCard({ request }: SignedIn, question: Question): boolean {
  return request.headers.get('hx-target') === cardId(question)
}

/** The replacement of one card in a list. */
function cardPage(visit: SignedIn, question: Question, state: State): Response {
  const {
    draft,
    problem,
    late = false,
    unused,
    askTwice,
    holder,
    from = 'decide_page',
    who,
    undone,
  } = state
  const open = statusAt(question, visit.moment.now) === 'pending'
  return html(
    <Layout visit={visit} title={pageTitle(question)} section="inbox">
      <div id="questions" class="cards">
        {open && askTwice && draft ? (
          <CardAskedTwice
            question={question}
            draft={draft}
            from={from}
            holder={holder}
            replaces={cardId(question)}
            moment={visit.moment}
          />
        ) : (
          <QuestionCard
            question={question}
            from={from}
            moment={visit.moment}
            who={who}
            draft={draft}
            problem={problem}
            late={late}
            unused={unused}
            undone={undone === true}
            whole
          />
        )}
      </div>
    </Layout>,
    problem ? 422 : 200,
  )
}

export async function decidePage(
  deps: EndQuestionDeps,
  visit: SignedIn,
  question: Question,
  state: State,
) {
  const who = await whoEnded(deps, visit, question)
  if (isFromCard(visit, question)) return cardPage(visit, question, { ...state, who })
  const { now } = visit.moment
  const open = statusAt(question, now) === 'pending'
  const session = await recordedSession(deps, question)
  const scope = await readScopeView(
    deps,
    question,
    open ? (state.draft?.scope ?? 'proposed') : undefined,
  )
  const failOver = await readFailOverNotice(deps.db.read, question)
  return html(
    <Layout
      visit={visit}
      title={pageTitle(question)}
      kind="decide"
      section="inbox"
      back={{ to: paths.inbox, name: 'Back to the inbox' }}
      scripts={open && question.requirement?.fresh === 'passkey' ? ['passkey.js'] : []}
    >
      {(open && stepBefore(question, state)) || (
        <Decision
          question={question}
          moment={visit.moment}
          who={who}
          dangerous={looksDestructive(question)}
          {...(state.draft && { draft: state.draft })}
          problem={state.problem}
          late={!open && state.late === true}
          unused={state.unused}
          ruled={visit.url.searchParams.has('ruled')}
          deciders={await readDeciders(deps.db.read, question, visit.person.id, now)}
          program={visit.url.searchParams.get('program') ?? undefined}
          unknown={open && <UnknownPrograms visit={visit} question={question} />}
          live={session && href.live(session.id)}
          snoozed={await readSnooze(deps, visit.person.id, question.id)}
          after={open ? state.after : visit.open === 0 && 'Nothing else is waiting.'}
          {...scope}
          record={await recordOf(visit, question)}
          ran={!open && (await ranOf(deps, visit, question))}
          receipts={
            <Receipts
              receipts={await readReceipts(deps, question.workspaceId, question.id)}
              moment={visit.moment}
              open={!open}
              failover={failOver && <FailOverLine told={failOver} moment={visit.moment} />}
            />
          }
        />
      )}
    </Layout>,
    state.problem ? 422 : 200,
  )
}

/** What comes between an answer and its being sent. */
function stepBefore(question: Question, state: State) {
  const { prove, askTwice, draft, holder, from = 'decide_page' } = state
  if (prove) return <ProveVote question={question} view={prove} />
  if (!askTwice || !draft) return undefined
  return <AskedTwice {...{ question, draft, from, holder }} replaces="decision" />
}

async function recordOf({ recordOf: find }: SignedIn, { detail }: Question) {
  return detail.gate && (await find?.(detail.gate.server))
}

/** What became of the action of a yes. */
async function ranOf({ db }: EndQuestionDeps, { moment }: SignedIn, { id }: Question) {
  return <Ran permit={await findPermitFor(db.read, id)} moment={moment} />
}

/** The title of the page of a question: in a long one, what is dangerous in it stays. */
function pageTitle(question: Question): string {
  return excerptOf(questionTitle(question).text, 60).text
}

/** Where an owner says what the programs of a question do that are not known. */
function UnknownPrograms({ visit, question }: { visit: SignedIn; question: Question }) {
  const reading = may(visit.person, 'policy') ? readingOf(question) : undefined
  return reading ? <AddPrograms {...missingPrograms(reading)} question={question.id} /> : null
}

async function find(
  deps: EndQuestionDeps,
  { person, params, moment }: SignedIn,
): Promise<Question> {
  const question = await readQuestion(deps, person, params.id ?? '')
  if (!question) throw notFound()
  return settled(deps, question, moment.now)
}

export function readSource(form: URLSearchParams): AnswerSource {
  const from = formField(form, 'from')
  return ANSWER_SOURCES.find((source) => source === from && FROM_PAGES.has(source)) ?? 'decide_page'
}

/** An installed app says so in the form. */
function readApp(form: URLSearchParams): AnswerSource | undefined {
  const surface = formField(form, 'surface')
  return surface === 'mobile_app' || surface === 'mac_app' ? surface : undefined
}
const FROM_PAGES = new Set<AnswerSource>(['dashboard', 'inbox', 'decide_page', 'live_page'])

/** A second tap on the same button is not a late answer. */
function isSameAnswer(ended: Question, draft: AnswerDraft, { person }: SignedIn): boolean {
  const { answeredBy, value, detail } = ended
  const isSameValue = value === readAnswer(ended, draftValue(ended, draft))
  const edited = draftEdited(ended, draft)
  return (
    answeredBy === person.id && isSameValue && canonicalize(edited) === canonicalize(detail.edited)
  )
}

/** Returns the words that this person typed in the answer that came too late. */
async function unusedWords({ db }: EndQuestionDeps, { person }: SignedIn, question: Question) {
  const late = await findLateAnswer(db.read, question.id, person.id)
  return late ? typedWords(question, late) : []
}
