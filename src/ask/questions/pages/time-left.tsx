/** @jsxImportSource preact */

import { AtClock } from '../../pages/time.tsx'
import { timeLeft } from '../../pages/times.ts'
import type { Moment } from '../../pages/visit.ts'
import type { Question } from '../model/question.ts'

type Props = { question: Question; moment: Moment }

/** The thin line that gets shorter as time passes. */
export function TimeLine({ question, moment }: Props) {
  const total = question.expiresAt - question.createdAt
  return (
    <progress
      class="time-line"
      max={total}
      value={Math.max(0, question.expiresAt - moment.now)}
      data-until={question.expiresAt}
      aria-label="Time left to answer"
    />
  )
}

/** Without scripts the deadline; with them the minutes, then the seconds. */
export function TimeLeft({ question, moment }: Props) {
  return (
    <span class="left">
      <span data-left={question.expiresAt} hidden data-enhance>
        {timeLeft(question.expiresAt - moment.now)}
      </span>
      <span data-plain>
        until <AtClock at={question.expiresAt} moment={moment} />
      </span>
    </span>
  )
}
