/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { paths } from '../../pages/paths.ts'
import type { Moment } from '../../pages/visit.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import type { AnswerSource, Question } from '../model/question.ts'
import { QuestionCard } from './question-card.tsx'

type Props = {
  questions: Question[]
  from: AnswerSource
  moment: Moment
  /** Shown if `questions` is empty. */
  children?: ComponentChildren
}

type RestProps = { shown: number; total: number; to?: string; name?: string }

/** Says that there are more, and where. */
export function TheRest({ shown, total, to = paths.activity, name = 'activity' }: RestProps) {
  const rest = total - shown
  return (
    <p class="more soft" id="rest" data-live="whole" data-version={rest} hidden={rest <= 0}>
      These are the {shown} whose time runs out first. {rest} more follow as these end; they are in
      the <a href={to}>{name}</a>.
    </p>
  )
}

/** Open questions as cards; live: new ones are inserted, and ended ones stay. */
export function QuestionList({ questions, from, moment, children }: Props) {
  return (
    <div id="questions" class="cards" data-live="keyed">
      {questions.map((question) => (
        <QuestionCard
          question={question}
          from={from}
          moment={moment}
          dangerous={looksDestructive(question)}
        />
      ))}
      {questions.length === 0 && children && (
        <div data-key="none" data-version="none">
          {children}
        </div>
      )}
    </div>
  )
}
