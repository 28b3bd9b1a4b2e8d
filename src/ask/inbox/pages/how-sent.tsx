/** @jsxImportSource preact */

import { Icon, type IconName } from '../../../platform/web/icon.tsx'
import { statusAt } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'

type RoutingSummary = {
  icon: IconName
  /** For a list; test traffic has its own mark. */
  short?: string
  long: string
}

/** Why a question rang on fewer devices than it could have; undefined if nothing held it back. */
export function howSent(question: Question, now: number): RoutingSummary | undefined {
  const { held, detail, test } = question
  if (held === 'test_traffic' || test) return TEST
  if (held === 'unattributed') return UNATTRIBUTED
  if (detail.paused) return PAUSED
  if (detail.quiet) return QUIET
  if (detail.switchedOff === 'all') return SWITCHED_OFF
  if (detail.suppressed) return SUPPRESSED
  const { endedAt = now } = question
  if (endedAt >= (detail.phonesHeldUntil ?? 0)) return undefined
  return statusAt(question, now) === 'pending' ? RINGS_LATER : SUPPRESSED
}

const TEST: RoutingSummary = {
  icon: 'flask',
  long: 'Test traffic: recorded, sent to nobody. Whoever tests can answer it here; the answer is marked as one from the sandbox.',
}
const UNATTRIBUTED: RoutingSummary = {
  icon: 'warning',
  short: 'Held: no tool or session was named',
  long: 'Sent to nobody: the agent named neither a tool nor a session, so nobody can tell whose it is. The agent was told to ask in the terminal.',
}
const PAUSED: RoutingSummary = {
  icon: 'pause',
  short: 'Not sent: paused',
  long: 'Nothing was sent: the last approvals of this session went unanswered. An answer here, or Resume, sends the next ones again.',
}
const QUIET: RoutingSummary = {
  icon: 'clock',
  short: 'Quiet hours',
  long: 'Nothing was sent: quiet hours. The agent asked in the terminal.',
}
const RINGS_LATER: RoutingSummary = {
  icon: 'terminal',
  short: 'Phones ring later',
  long: 'Phones ring a little later: somebody was at a terminal of the same machine just now.',
}
const SUPPRESSED: RoutingSummary = {
  icon: 'terminal',
  short: 'Phones stayed silent',
  long: 'Phones stayed silent: a terminal on the same machine was in use.',
}

/** Everybody it was for has switched such messages off. */
export const SWITCHED_OFF: RoutingSummary = {
  icon: 'minus',
  short: 'Held by own switch',
  long: 'Nothing was sent: everybody it was for has switched such messages off, under Settings, Notifications.',
}

type Props = { question: Question; now: number; live?: string | undefined }

/** The full explanation on an open question; the outcome of an ended one covers the rest. */
export function HowSent({ question, now, live }: Props) {
  const summary = howSent(question, now)
  if (!summary || statusAt(question, now) !== 'pending') return null
  return (
    <p class="notice">
      <Icon name={summary.icon} />
      <span>
        {summary.long}
        {live && summary === PAUSED && (
          <>
            {' '}
            <a href={live}>Go to the session</a>
          </>
        )}
      </span>
    </p>
  )
}
