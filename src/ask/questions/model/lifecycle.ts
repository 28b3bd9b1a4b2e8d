import { WINDOW_MS } from '../../wire/limits.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'
import type { Question } from './question.ts'

type Transition = {
  from: StoredStatus
  to: StoredStatus
  /** During the question's time, or after it. */
  when: 'inside' | 'after'
}

/** Every move a question can make; there are no others (QS-STATES). */
export const MOVES = {
  answer: { from: 'pending', to: 'answered', when: 'inside' },
  cancel: { from: 'pending', to: 'cancelled', when: 'inside' },
  stop: { from: 'pending', to: 'stopped', when: 'inside' },
  hand_over: { from: 'pending', to: 'terminal', when: 'inside' },
  expire: { from: 'pending', to: 'expired', when: 'after' },
} as const satisfies Record<string, Transition>

export type Move = keyof typeof MOVES

/** Returns true if `move` is possible for a question in `status` whose time ends at `expiresAt`. */
export function canMove(
  move: Move,
  question: { status: StoredStatus; expiresAt: number },
  now: number,
): boolean {
  const { from, when } = MOVES[move]
  const inside = now < question.expiresAt
  return question.status === from && (when === 'inside') === inside
}

/** The status as readers see it: `expired` as soon as its time is over, stored or not. */
export function statusAt(
  question: { status: StoredStatus; expiresAt: number },
  now: number,
): StoredStatus {
  return canMove('expire', question, now) ? MOVES.expire.to : question.status
}

/**
 * Returns true if the agent follows the question as a task. It then lives longer than a call waits,
 * and no call is held.
 */
export function isForHours({
  createdAt,
  expiresAt,
  detail,
}: Pick<Question, 'createdAt' | 'expiresAt' | 'detail'>): boolean {
  return detail.followedAt !== undefined && expiresAt - createdAt > WINDOW_MS
}
