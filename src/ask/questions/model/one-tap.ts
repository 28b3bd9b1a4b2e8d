import { codePoints } from '../../../platform/text.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import { isPlain, joinParts, type MessageParts, messageParts } from './message-parts.ts'
import type { Question } from './question.ts'
import { isPermission } from './question.ts'

// What a phone shows of a notification with its buttons, and no desktop hides behind "more".
const SHOWN_MAX = 300
const LINES_MAX = 8
// A tool's target comes in short: one this long may go on.
const TARGET_MAX = 80
// Letters that are read from the right, and turn what stands beside them around.
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Why a button is refused that such a question does not have. */
export const NOT_ONE_TAP =
  'This question is not answered with a button: the message does not show all that it is about, or a yes deserves a second look. Open it and answer on its page.'

/**
 * Whether a message may be answered where it stands: it can show everything that the decision rests
 * on, and a slip of the thumb does no harm. Not so for a scope, a path outside one, an action with a
 * body, anything that was cut, and what deserves a second look. `asked`: its words, where they are
 * at hand.
 */
export function isPlainToSee(question: Question, asked?: MessageParts): boolean {
  const { origin, detail } = question
  const { action, toolTarget = '', actionBody, contract, scopePath, cut, isPartOnly } = detail
  const around = [question.question, detail.context, detail.blocker]
  if (origin === 'scope' || contract || scopePath !== undefined) return false
  if (actionBody !== undefined || cut || isPartOnly) return false
  const line = action ?? toolTarget
  // A call of which neither the action nor the target is said could be any.
  if (isPermission(question) && line === '') return false
  if (action === undefined && codePoints(toolTarget) >= TARGET_MAX) return false
  if (!around.every((text = '') => isPlain(text)) || !isPlain(line)) return false
  if (RIGHT_TO_LEFT.test(line) || line.includes('▇')) return false
  return asked ? asked.why === undefined : !looksDestructive(question)
}

/**
 * Whether a notification has a Yes and a No, and the server takes them: a yes-or-no question that
 * is plain to see and fits a notification. Everything else has only "Look".
 */
export function offersYes(question: Question, asked?: MessageParts): boolean {
  if (question.type !== 'confirm' || !isPlainToSee(question, asked)) return false
  const { text, isWhole } = joinParts(asked ?? messageParts(question), SHOWN_MAX)
  return isWhole && fitsNotification(text)
}

/** Whether a notification shows a text to its end, whatever the device. */
export function fitsNotification(text: string): boolean {
  return isPlain(text) && codePoints(text) <= SHOWN_MAX && text.split('\n').length <= LINES_MAX
}
