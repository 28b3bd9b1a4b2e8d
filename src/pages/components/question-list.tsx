/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { looksDestructive } from '../../questions/destructive.ts'
import type { AnswerSource, Question } from '../../questions/question.ts'
import type { Moment } from '../visit.ts'
import { QuestionCard } from './question-card.tsx'

type Props = {
  questions: Question[]
  from: AnswerSource
  moment: Moment
  /** Shown when there are none. */
  children?: ComponentChildren
}

/** Open questions as cards; live: what is new is added at its place, what has ended stays. */
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
