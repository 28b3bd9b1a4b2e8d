import { WINDOW_MS } from '../../wire/limits.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'
import type { Question } from './question.ts'

type Transition = {
  from: StoredStatus
  to: StoredStatus
  /** During the question's time, or after it. */
  when: 'inside' | 'after'
  /** Whether an answer may be held meanwhile. */
  held: 'no' | 'yes' | 'any'
  /** `none`: impossible for a question that certain people have to agree to. */
  votes: 'none' | 'any'
}

/**
 * Every move a question can make; there are no others (QS-STATES). `decide` is the last
 * vote. `release` sends a held answer; its time is that of the answer.
 */
export const MOVES = {
  answer: { from: 'pending', to: 'answered', when: 'inside', held: 'no', votes: 'none' },
  decide: { from: 'pending', to: 'answered', when: 'inside', held: 'no', votes: 'any' },
  release: { from: 'pending', to: 'answered', when: 'inside', held: 'yes', votes: 'none' },
  cancel: { from: 'pending', to: 'cancelled', when: 'inside', held: 'any', votes: 'any' },
  stop: { from: 'pending', to: 'stopped', when: 'inside', held: 'any', votes: 'any' },
  hand_over: { from: 'pending', to: 'terminal', when: 'inside', held: 'no', votes: 'none' },
  expire: { from: 'pending', to: 'expired', when: 'after', held: 'no', votes: 'any' },
} as const satisfies Record<string, Transition>

export type Move = keyof typeof MOVES

type State = Pick<Question, 'expiresAt' | 'answerHeldUntil' | 'requirement'> & {
  status: StoredStatus
}

/** Returns true if `move` is possible for a question whose time ends at `expiresAt`. */
export function canMove(move: Move, question: State, now: number): boolean {
  const { from, when, held, votes } = MOVES[move]
  if (votes === 'none' && question.requirement !== undefined) return false
  const inside = now < question.expiresAt
  const isHeld = question.answerHeldUntil !== undefined
  if (held !== 'any' && isHeld !== (held === 'yes')) return false
  return question.status === from && (when === 'inside') === inside
}

/**
 * The status as its agent is told: `expired` as soon as its time is over, stored or not. While an
 * answer is held the question stays pending: that answer was in time.
 */
export function statusAt(question: State, now: number): StoredStatus {
  return canMove('expire', question, now) ? MOVES.expire.to : question.status
}

/** Returns true if people can still answer it: it is pending, and no answer is held. */
export function isAnswerable(question: State, now: number): boolean {
  return question.answerHeldUntil === undefined && statusAt(question, now) === 'pending'
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
