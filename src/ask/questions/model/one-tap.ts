import { codePoints } from '../../../platform/text.ts'
import { looksDestructive } from '../../wire/danger/destructive.ts'
import { isHarmless } from '../../wire/tool-settings.ts'
import { isPlain, joinParts, type MessageParts, messageParts } from './message-parts.ts'
import type { Question } from './question.ts'
import { isPermission } from './question.ts'
import { isUnseen } from './shown-whole.ts'

// What a phone shows of a notification with buttons, and no desktop hides behind "more".
const SHOWN_MAX = 300
const LINES_MAX = 8
// The target of a tool arrives shortened: one this long may be incomplete.
const TARGET_MAX = 80
// Right-to-left characters, which reorder the text beside them.
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Why an answer from a button is refused for a question without buttons. */
export const NOT_ONE_TAP =
  'This question is not answered with a button: the message does not show all that it is about, or a yes deserves a second look. Open it and answer on its page.'

/**
 * Whether a message may be answered from the notification: it shows everything that the decision is
 * about, and an accidental tap does no harm. Not for a scope, a path outside one, an action with a
 * body, anything that was cut, and what needs a second look. `asked`: its parts, if known.
 */
export function isPlainToSee(question: Question, asked?: MessageParts): boolean {
  const { origin, detail } = question
  const { action, toolTarget = '', actionBody, contract, scopePath, cut, isPartOnly } = detail
  const around = [question.question, detail.context, detail.blocker]
  if (origin === 'scope' || contract || scopePath !== undefined) return false
  if (actionBody !== undefined || cut || isPartOnly || isUnseen(question)) return false
  // The message does not show these settings.
  if (detail.toolSettings?.some(({ name }) => !isHarmless(name))) return false
  const line = action ?? toolTarget
  // A call without an action and a target could be any call.
  if (isPermission(question) && line === '') return false
  if (action === undefined && codePoints(toolTarget) >= TARGET_MAX) return false
  if (!around.every((text = '') => isPlain(text)) || !isPlain(line)) return false
  if (RIGHT_TO_LEFT.test(line) || line.includes('▇')) return false
  return asked ? asked.why === undefined : !looksDestructive(question)
}

/**
 * Whether a notification has Yes and No, and the server accepts them: a yes-or-no question that is
 * plain to see and fits a notification. All others have only "Look".
 */
export function offersYes(question: Question, asked?: MessageParts): boolean {
  if (question.type !== 'confirm' || !isPlainToSee(question, asked)) return false
  const { text, isWhole } = joinParts(asked ?? messageParts(question), SHOWN_MAX)
  return isWhole && fitsNotification(text)
}

/** Whether a notification shows the whole text on every device. */
export function fitsNotification(text: string): boolean {
  return isPlain(text) && codePoints(text) <= SHOWN_MAX && text.split('\n').length <= LINES_MAX
}
