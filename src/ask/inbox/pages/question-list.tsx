/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { AgentName } from '../../pages/agent-name.tsx'
import type { Moment } from '../../pages/visit.ts'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { listGroups, type QuestionGroup } from './list-order.ts'
import type { ShownQuestions } from './open-questions.ts'
import { type Fold, QuestionCard } from './question-card.tsx'
import { Together } from './together.tsx'

type Props = {
  questions: ShownQuestions
  from: AnswerSource
  moment: Moment
  /** Leads to the page of the session that asks. */
  liveOf?: ((question: Question) => string | undefined) | undefined
  /** Shown if there are none. */
  children?: ComponentChildren
}

// One or two questions are shown open, so that they take no more taps than on a page of their own.
const FEW = 2

/**
 * Questions by session, as rows that unfold: those that wait for this person, those of agents that can
 * wait for hours, those that wait for others; live:
 * new ones are inserted, opened ones stay open, ended ones stay in place.
 */
export function QuestionList({ questions, from, moment, liveOf, children }: Props) {
  const { open, shown: visible, total, opened, who } = questions
  const snoozed = new Map(questions.snoozed.map(({ question, until }) => [question.id, until]))
  const isFew = total <= FEW
  const foldOf = ({ id }: Question): Fold => {
    if (isFew) return 'open'
    return id === opened ? 'alone' : 'closed'
  }
  const { soon, hours, others } = listGroups(visible, questions.forOthers)
  const section = (group: QuestionGroup) => (
    <section class="group" id={`group-${group.key}`} data-key={group.key} data-live="keyed">
      <GroupHead group={group} liveOf={liveOf} now={moment.now} />
      {liveOf && <Together of={group.key} questions={group.questions} from={from} />}
      {group.questions.map((question) => (
        <QuestionCard
          question={question}
          from={from}
          moment={moment}
          fold={foldOf(question)}
          who={who.get(question.id)}
          snoozed={snoozed.get(question.id)}
          whole={question.id === questions.whole}
          forOthers={questions.forOthers.has(question.id)}
        />
      ))}
    </section>
  )
  return (
    <div class={isFew ? 'waiting few' : 'waiting many'}>
      <div id="questions" class="cards" data-live="keyed">
        {soon.map(section)}
        {hours.length > 0 && (
          <h2 class="hours-head" data-key="hours" data-version="hours">
            Waiting for hours
          </h2>
        )}
        {hours.map(section)}
        {others.length > 0 && (
          <h2 class="hours-head" data-key="others" data-version="others">
            Waiting for others
          </h2>
        )}
        {others.map(section)}
        {open.length === 0 && children && (
          <div data-key="none" data-version="none">
            {children}
          </div>
        )}
      </div>
      <p class="none-open">Choose a question: it opens here.</p>
      {!isFew && <KeyHints />}
    </div>
  )
}

/** The keys that answer, where there is a keyboard. */
function KeyHints() {
  return (
    <p class="key-hints soft" hidden data-enhance>
      <kbd>j</kbd> <kbd>k</kbd> move, <kbd>y</kbd> <kbd>n</kbd> mark an answer, <kbd>Enter</kbd>{' '}
      sends it.{' '}
      <button type="button" class="small" data-keys>
        All keys <kbd>?</kbd>
      </button>
    </p>
  )
}

type HeadProps = { group: QuestionGroup; liveOf: Props['liveOf']; now: number }

/**
 * Names who asks, and how many questions; rows that have ended stay among the open ones for a
 * while.
 */
function GroupHead({ group: { key, questions }, liveOf, now }: HeadProps) {
  const [first] = questions
  if (!first || !liveOf) return null
  const live = liveOf(first)
  const all = questions.length
  const open = questions.filter((question) => statusAt(question, now) === 'pending').length
  return (
    <div class="group-head" data-key={`head-${key}`} data-version={[open, all, live].join()}>
      <h2>
        {live ? (
          <a href={live}>{<AgentName name={first.agentName} />}</a>
        ) : (
          <AgentName name={first.agentName} />
        )}
      </h2>
      {all > 1 && (
        <span class="soft">
          {open === all ? `${all} questions` : `${open} of ${all} still open`}
        </span>
      )}
    </div>
  )
}

type RestProps = { shown: number; total: number; next?: string | undefined }

/** Says that there are more, and where. */
export function TheRest({ shown: count, total, next }: RestProps) {
  const rest = total - count
  return (
    <p class="more soft" id="rest" data-live="whole" data-version={rest} hidden={rest <= 0}>
      These are the {count} whose time runs out first. {rest} more follow as these end
      {next ? (
        <>
          ; <a href={next}>look at the next</a> now.
        </>
      ) : (
        '.'
      )}
    </p>
  )
}
