/** @jsxImportSource preact */

import { AtTime, OnDay } from '../../pages/time.tsx'
import { timeLeft } from '../../pages/times.ts'
import type { Moment } from '../../pages/visit.ts'
import { isForHours } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import { WINDOW_MS } from '../../wire/limits.ts'

type Props = { question: Question; moment: Moment }

/** The thin line that gets shorter as time passes. */
export function TimeLine({ question, moment }: Props) {
  const { createdAt, expiresAt } = question
  return (
    <progress
      class="time-line"
      max={expiresAt - createdAt}
      value={Math.max(0, expiresAt - moment.now)}
      data-until={expiresAt}
      aria-label="Time left to answer"
    />
  )
}

// Nobody reads 168 hours as a week.
const FAR_MS = 48 * 3_600_000

/**
 * Shows the deadline without scripts; with them the minutes left, then the seconds. For a question
 * that is open for hours or days it shows when the question ends. `place` keeps two of them on one page
 * apart.
 */
export function TimeLeft({ question, moment, place }: Props & { place: 'row' | 'head' }) {
  const { id, expiresAt } = question
  const remainingMs = expiresAt - moment.now
  const isFar = remainingMs > (isForHours(question) ? WINDOW_MS : FAR_MS)
  // A row has no room for the hour of a day that is far.
  const End = place === 'row' && remainingMs > FAR_MS ? OnDay : AtTime
  return (
    <span class="left" id={`${place}-left-${id}`} data-live="whole" data-version={expiresAt}>
      {isFar ? (
        <>
          open until <End at={expiresAt} moment={moment} />
        </>
      ) : (
        <>
          <span data-left={expiresAt} hidden data-enhance>
            {timeLeft(remainingMs)}
          </span>
          <span data-plain>
            until <AtTime at={expiresAt} moment={moment} />
          </span>
        </>
      )}
    </span>
  )
}
