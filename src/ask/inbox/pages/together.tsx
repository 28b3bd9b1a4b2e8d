/** @jsxImportSource preact */

import { formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { mustBeProvenFor } from '../../accounts/model/person.ts'
import { answerTogether, TOGETHER_MAX } from '../../answering/answer-together.ts'
import { undoAnswer } from '../../answering/hold-answer.ts'
import { MarkedCommand, Prose, SafeText, Title } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import { repositoryOf } from '../../pages/repository-name.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { EndQuestionDeps } from '../../questions/end-question.ts'
import { likenessOf, samenessOf } from '../../questions/model/alike.ts'
import type { Question } from '../../questions/model/question.ts'
import { isApproval } from '../../questions/model/question.ts'
import { questionTitle, wordsBesideTitle } from '../../questions/model/title.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { Choice } from './answers.tsx'
import { listAgain } from './facets.tsx'
import { Facts } from './facts.tsx'
import type { ShownQuestions } from './open-questions.ts'
import { isLongBody } from './question-card.tsx'
import { UndoForm } from './undo.tsx'

/** The form of several questions was sent. */
export async function answerSeveral(deps: EndQuestionDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const source = formField(form, 'from') === 'dashboard' ? 'dashboard' : 'inbox'
  const ids = form.getAll('id') as QuestionId[]
  const { person } = visit
  const list = source === 'dashboard' ? paths.home : paths.inbox
  const all = ids.join()
  if (form.has('undo')) {
    // What was sent meanwhile stays answered: the list shows it so.
    for (const id of ids.slice(0, TOGETHER_MAX)) await undoAnswer(deps, person, id)
    return seeOther(listAgain(visit.request, list, { showing: all, together: all }))
  }
  const value = formField(form, 'value')
  mustBeProvenFor(value, person)
  await answerTogether(deps, { person, ids, value, source: sourceOf(form) ?? source })
  return seeOther(listAgain(visit.request, list, { showing: all, together: all }))
}

/** An installed app says so in the form. */
function sourceOf(form: URLSearchParams): AnswerSource | undefined {
  const surface = formField(form, 'surface')
  return surface === 'mobile_app' || surface === 'mac_app' ? surface : undefined
}

type SaidProps = {
  questions: ShownQuestions
  from: AnswerSource
  visit: SignedIn
}

/** How many of those that were answered together this person answered, and what had ended before. */
export function SaidTogether(props: SaidProps) {
  const { shown: visible, who } = props.questions
  const idsText = props.visit.url.searchParams.get('together')
  const ids = new Set((idsText ?? '').split(','))
  const ended = visible.filter(({ id, status }) => ids.has(id) && status !== 'pending')
  if (ended.length === 0) return null
  const mine = ended.filter(({ id }) => who.get(id) === 'you')
  const others = ended.filter((question) => !mine.includes(question))
  const held = mine.filter(({ answerHeldUntil }) => answerHeldUntil !== undefined)
  return (
    <div id="together" data-live="whole" data-version={`${ended.length} ${held.length}`}>
      <p class={others.length > 0 ? 'result wait' : 'result good'} role="status">
        <Icon name={others.length > 0 ? 'clock' : 'check'} />
        <span>
          You answered {many(mine.length)}.
          {others.length > 0 && (
            <>
              {' '}
              {many(others.length)} had ended before:{' '}
              {others.map((question, at) => (
                <>
                  {at > 0 && ', '}
                  <a href={href.decide(question.id)}>
                    <Title title={questionTitle(question)} />
                  </a>
                </>
              ))}
              .
            </>
          )}
        </span>
      </p>
      <UndoTogether held={held} {...props} />
    </div>
  )
}

/** One tap takes all of them back that are not sent yet. */
function UndoTogether({
  held,
  from,
  visit,
}: Pick<SaidProps, 'from' | 'visit'> & { held: Question[] }) {
  if (held.length === 0) return null
  const { now } = visit.moment
  const until = Math.min(...held.map(({ answerHeldUntil = now }) => answerHeldUntil))
  return (
    <UndoForm to={paths.together} leftMs={until - now} word={`Undo all ${held.length}`}>
      <input type="hidden" name="undo" value="yes" />
      <input type="hidden" name="from" value={from} />
      {held.map(({ id }) => (
        <input type="hidden" name="id" value={id} />
      ))}
    </UndoForm>
  )
}

function many(number: number): string {
  return number === 1 ? 'one question' : `${number} questions`
}

/** Questions with the same mark, where there are at least two. */
function setsOf(questions: readonly Question[], markOf: (one: Question) => string | undefined) {
  const sets = new Map<string, Question[]>()
  for (const question of questions) {
    const mark = markOf(question)
    if (mark !== undefined) sets.set(mark, [...(sets.get(mark) ?? []), question])
  }
  return [...sets.values()].filter(({ length }) => length > 1)
}

type Props = { of: string; questions: readonly Question[]; from: AnswerSource }

/** Answers for several questions of one session; nothing where none are alike. */
export function Together({ of, questions, from }: Props) {
  const open = questions.filter(({ status }) => status === 'pending')
  const alike = setsOf(open, likenessOf)
  const same = setsOf(
    open.filter(({ detail }) => !isLongBody(detail.actionBody)),
    samenessOf,
  )
  if (alike.length === 0 && same.length === 0) return null
  return (
    <details class="together" data-key={`together-${of}`} data-version="together">
      <summary>
        <Icon name="sessions" />
        Answer several at once
      </summary>
      <div id={`same-${of}`} data-live="keyed">
        {same.map((set) => (
          <SameForm set={set} from={from} />
        ))}
      </div>
      <div id={`alike-${of}`} data-live="keyed">
        {alike.map((set) => (
          <DeclineForm set={set} from={from} />
        ))}
      </div>
    </details>
  )
}

type FormProps = { set: readonly Question[]; from: AnswerSource }

/** One answer for identical questions, with everything it allows. */
function SameForm({ set, from }: FormProps) {
  const [first] = set
  if (!first) return null
  return (
    <form
      method="post"
      action={paths.together}
      data-key={`same-${first.id}`}
      data-version="same"
      data-once
    >
      <input type="hidden" name="from" value={from} />
      {set.map(({ id }) => (
        <input type="hidden" name="id" value={id} />
      ))}
      <p>
        <b>{set.length} times the same:</b> <Title title={questionTitle(first)} />
      </p>
      {first.detail.context && (
        <p class="context">
          <SafeText text={first.detail.context} />
        </p>
      )}
      <Facts question={first} repository={repositoryOf(first)} />
      {first.type === 'select' ? (
        <>
          <fieldset class="choices">
            <legend>Choose one for all {set.length}</legend>
            {first.choices.map(({ label, description }) => (
              <Choice value={label} description={description} required>
                <Prose text={label} />
              </Choice>
            ))}
          </fieldset>
          <button type="submit">
            <Icon name="check" />
            Send to these {set.length}
          </button>
        </>
      ) : (
        <button type="submit" name="value" value="yes">
          <Icon name="check" />
          {isApproval(first) ? 'Approve' : 'Yes to'} these {set.length}
        </button>
      )}
    </form>
  )
}

/** One no for those of a set that are chosen. */
function DeclineForm({ set, from }: FormProps) {
  const [first] = set
  if (!first) return null
  const [word, chosen] = isApproval(first) ? ['Decline', 'approvals'] : ['No to', 'questions']
  const list = `alike-${first.id}`
  return (
    <form method="post" action={paths.together} data-key={list} data-version="alike" data-once>
      <input type="hidden" name="from" value={from} />
      <fieldset>
        <legend>{word} what is chosen</legend>
        <ul id={list} data-live="keyed">
          {set.map((question) => (
            <li data-key={`pick-${question.id}`} data-version="pick">
              <label class="check">
                <input type="checkbox" name="id" value={question.id} checked data-chosen />
                <span>
                  <Pick question={question} />
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <button type="submit" name="value" value="no">
        <Icon name="cross" />
        {word} the chosen {chosen}
      </button>
    </form>
  )
}

/** One question of a set, with what a yes would do. */
function Pick({ question }: { question: Question }) {
  const title = questionTitle(question)
  const words = wordsBesideTitle(question)
  const { action } = question.detail
  return (
    <>
      <Title title={title} /> {words && <SafeText text={words} />}
      {action && !title.isCommand && (
        <code>
          <MarkedCommand text={action} />
        </code>
      )}
    </>
  )
}
