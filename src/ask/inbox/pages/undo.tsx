/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { href } from '../../pages/paths.ts'
import type { Moment } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import { htmxAttributes } from './answers.tsx'

type Props = {
  question: Question
  from: AnswerSource
  moment: Moment
  /** The answer is this person's. */
  mine: boolean
  /** Id of the element that the response replaces when scripts run; without it the page changes. */
  replaces?: string
}

/** When a held answer is sent, and the button that takes it back; nothing once it was sent. */
export function Undo({ question, from, moment, mine, replaces }: Props) {
  const { id, answerHeldUntil: until } = question
  if (until === undefined) return null
  const to = href.undo(id)
  const leftMs = Math.max(0, until - moment.now)
  // Not read out each second.
  const wait = (
    <span class="soft" aria-hidden="true" data-sends={leftMs}>
      Sent in {Math.ceil(leftMs / 1_000)} s
    </span>
  )
  if (!mine) return <p class="undo">{wait}</p>
  return (
    <form
      method="post"
      action={to}
      class="undo"
      {...(replaces !== undefined && htmxAttributes(to, replaces))}
    >
      <input type="hidden" name="from" value={from} />
      {wait}
      <button type="submit" class="small" data-undo>
        <Icon name="undo" />
        Undo
      </button>
    </form>
  )
}

/** Shown with a question that is open again. */
export function Undone() {
  return (
    <p class="result wait" role="status" data-say>
      <Icon name="undo" />
      <span>Taken back. The agent was told nothing.</span>
    </p>
  )
}
