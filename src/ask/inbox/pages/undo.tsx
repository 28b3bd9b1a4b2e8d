/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
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
  const leftMs = until - moment.now
  if (!mine) {
    return (
      <p class="undo">
        <SentIn ms={leftMs} />
      </p>
    )
  }
  return (
    <UndoForm to={href.undo(id)} leftMs={leftMs} replaces={replaces}>
      <input type="hidden" name="from" value={from} />
    </UndoForm>
  )
}

type FormProps = {
  to: string
  leftMs: number
  replaces?: string | undefined
  word?: string
  /** The hidden fields. */
  children: ComponentChildren
}

/** The button that takes what is held back, and how long it can be. */
export function UndoForm({ to, leftMs, replaces, word = 'Undo', children }: FormProps) {
  return (
    <form
      method="post"
      action={to}
      class="undo"
      {...(replaces !== undefined && htmxAttributes(to, replaces))}
    >
      {children}
      <SentIn ms={leftMs} />
      <button type="submit" class="small" data-undo>
        <Icon name="undo" />
        {word}
      </button>
    </form>
  )
}

/** Not read out each second. */
function SentIn({ ms }: { ms: number }) {
  const leftMs = Math.max(0, ms)
  return (
    <span class="soft" aria-hidden="true" data-sends={leftMs}>
      Sent in {Math.ceil(leftMs / 1_000)} s
    </span>
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
