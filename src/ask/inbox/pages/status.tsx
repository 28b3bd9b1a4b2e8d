/** @jsxImportSource preact */

import { type Appearance, StateMark } from '../../../platform/web/page-parts.tsx'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'

const LOOKS: Record<StoredStatus, Appearance> = {
  pending: { tone: 'wait', icon: undefined, word: 'Waiting' },
  answered: { tone: 'good', icon: 'check', word: 'Answered' },
  expired: { tone: 'calm', icon: 'clock', word: 'Expired' },
  cancelled: { tone: 'calm', icon: 'minus', word: 'Withdrawn' },
  stopped: { tone: 'bad', icon: 'stop', word: 'Stopped' },
  notified: { tone: 'calm', icon: 'bell', word: 'Notified' },
  terminal: { tone: 'calm', icon: 'terminal', word: 'In the terminal' },
}

// A tick beside "Declined" would read as a yes.
const NO: Appearance = { tone: 'calm', icon: 'cross', word: 'Answered' }

export function lookOf(question: Question, now: number): Appearance & { status: StoredStatus } {
  const status = statusAt(question, now)
  if (status === 'answered' && question.type === 'confirm' && question.value === 'no') {
    return { ...NO, status }
  }
  const isUndecidable = status === 'expired' && question.detail.undecidable !== undefined
  return { ...LOOKS[status], ...(isUndecidable && { word: 'Nobody may decide' }), status }
}

/** The state of a question as icon and word; the colour only repeats it. */
export function Status({ question, now }: { question: Question; now: number }) {
  return <StateMark look={lookOf(question, now)} />
}
