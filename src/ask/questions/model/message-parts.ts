import { hasBar } from '../../../platform/redact/bar.ts'
import { codePoints } from '../../../platform/text.ts'
import { takesYes } from '../../votes/model/requirement.ts'
import { looksDestructive, whyDangerous } from '../../wire/danger/destructive.ts'
import { excerptOf, squeezed } from '../../wire/excerpt.ts'
import { deceptiveLetters } from '../../wire/letters.ts'
import { actionWords } from '../../wire/tool-arguments.ts'
import { isHarmless } from '../../wire/tool-settings.ts'
import { isPermission, type Question, type QuestionDetail } from './question.ts'
import { isReadWhole } from './reading.ts'
import { isUnseen } from './shown-whole.ts'
import { questionTitle, wordsBesideTitle } from './title.ts'

/** The parts of a message about a question, for channels with more or less room. */
export type MessageParts = {
  /** The paths that a scope allows, and whether anything enforces it. */
  first: string[]
  /** The effect of a yes; never the action's body. */
  action?: string
  question: string
  /** Other facts for the decision. */
  more: string[]
  /** Why a second look is needed. */
  why?: string
}

// An action may take this much of a message, and so may a question shown beside one.
const ACTION_ROOM = 240
const QUESTION_ROOM = 160
const MORE_ROOM = 200
// A shorter part would say nothing.
const LEAST = 12

/** The message parts of a question; `first` is for a scope. */
export function messageParts(question: Question, first: string[] = []): MessageParts {
  const { detail } = question
  const action = actionWords(detail) ?? toolCall(detail)
  const why = whyDangerous(question)
  return {
    first,
    ...(action === undefined ? {} : { action }),
    question: questionLine(question),
    more: [...optionsOf(question), ...moreOf(detail, action ?? '')],
    ...(why === undefined ? {} : { why }),
  }
}

/** The question; beside a command who asks, as the command takes the place of who in the title. */
function questionLine(question: Question): string {
  if (!questionTitle(question).isCommand) return question.question
  const words = wordsBesideTitle(question)
  return words === undefined ? whoAsks(question) : `${whoAsks(question)}: ${words}`
}

/** Names who asks, and says so if it is answered at the terminal. */
export function whoAsks({ agentName = 'An agent', detail }: Question): string {
  return detail.atTerminal ? `${agentName} waits at the terminal` : `${agentName} asks`
}

/** The tool and its target, for a call without an action. */
export function toolCall({ toolName, toolTarget }: QuestionDetail): string | undefined {
  return toolTarget && [toolName, toolTarget].filter(Boolean).join(' ')
}

/** Lists the choices, so that people see what they are asked before they open it. */
function optionsOf({ choices, detail }: Question): string[] {
  if (choices.length === 0) return []
  const labels = choices.map(({ label }) => label.replace(/\s+/g, ' ')).join(' · ')
  return [`${detail.multiSelect ? 'Any of' : 'One of'}: ${labels}`]
}

function moreOf(detail: QuestionDetail, action: string) {
  const { context, effect, risk, blocker, toolPath, toolTarget, scopePath } = detail
  const isSaid = (text: string) => action.includes(text)
  return [
    ...(effect ? [effect] : []),
    ...(risk ? [`Risk: ${risk}`] : []),
    ...(context ? [context] : []),
    ...(blocker ? [`Blocked because: ${blocker}`] : []),
    ...(toolTarget && !isSaid(toolTarget) ? [`Target: ${toolTarget}`] : []),
    // A yes adds this path to the scope, so it is shown even if the action names it.
    ...(scopePath ? [`Outside the scope: ${scopePath}`] : []),
    ...(toolPath && toolPath !== scopePath && !isSaid(toolPath) ? [`File: ${toolPath}`] : []),
  ]
}

/**
 * The text in at most `most` characters: what a scope allows, the action, the question, the rest.
 * The action comes before the question, which an agent could make long, and both before what may be
 * left out. `isWhole`: nothing is missing.
 */
export function joinParts(parts: MessageParts, most: number): { text: string; isWhole: boolean } {
  const { first, action, question, more, why } = parts
  let remaining = most
  let isWhole = true
  const take = (text: string, room: number): string[] => {
    const excerpt = excerptOf(text, Math.min(room, remaining))
    if (excerpt.isCut) isWhole = false
    if (excerpt.isCut && Math.min(room, remaining) < LEAST) return []
    remaining -= codePoints(excerpt.text) + 1
    return excerpt.text === '' ? [] : [excerpt.text]
  }
  const isBeside = action !== undefined || first.length > 0
  const ahead = first.flatMap((line) => take(line, ACTION_ROOM))
  const deed = action === undefined ? [] : take(action, Math.min(ACTION_ROOM, most - most / 4))
  const words = take(question, isBeside ? QUESTION_ROOM : most)
  const rest = more.flatMap((line) => take(line, MORE_ROOM))
  const reason = why !== undefined && codePoints(why) <= remaining ? [why] : []
  return { text: [...ahead, ...deed, ...words, ...rest, ...reason].join('\n'), isWhole }
}

/** Returns true if a text is fully visible: nothing in it pushes other parts out of view. */
function isPlain(text: string): boolean {
  return squeezed(text) === text
}

// The length that a phone shows of a notification with buttons, and that no desktop hides behind "more".
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
 * Returns true if a question has letters that cannot be seen, or that look like others beside them.
 */
export function isDeceptive({ question, detail, choices, agentName }: Question): boolean {
  const { context, effect, blocker, action, actionBody, toolTarget } = detail
  const labels = choices.map(({ label }) => label)
  const prose = [question, context, effect, blocker, agentName, ...labels]
  return (
    prose.some((text = '') => deceptiveLetters(text, 'prose').length > 0) ||
    [action, actionBody, toolTarget].some(
      (text = '') => deceptiveLetters(text, 'command').length > 0,
    )
  )
}

/**
 * Returns true if a message may be answered from the notification: it shows everything that the
 * decision is about, and an accidental tap does no harm. False for a scope, a path outside one, an
 * action with a body, anything that was cut, and anything that needs a second look. `parts` are its
 * parts, if known.
 */
export function isPlainToSee(question: Question, parts?: MessageParts): boolean {
  const { origin, detail } = question
  const { action, toolTarget = '', actionBody, contract, scopePath, cut, isPartOnly, gate } = detail
  const around = [question.question, detail.context, detail.effect, detail.blocker]
  if (origin === 'scope' || contract || scopePath !== undefined) return false
  if (actionBody !== undefined || cut || isPartOnly || isUnseen(question)) return false
  // A message shows neither what a tool says of itself nor what changed in it.
  if (gate && (gate.cut || gate.state !== 'same')) return false
  if (!isReadWhole(question)) return false
  // The message does not show these settings.
  if (detail.toolSettings?.some(({ name }) => !isHarmless(name))) return false
  const line = action ?? toolTarget
  if (isDeceptive(question)) return false
  // A call without an action and a target could be any call.
  if (isPermission(question) && line === '') return false
  if (action === undefined && codePoints(toolTarget) >= TARGET_MAX) return false
  if (!around.every((text = '') => isPlain(text)) || !isPlain(line)) return false
  if (RIGHT_TO_LEFT.test(line) || hasBar(line)) return false
  return parts ? parts.why === undefined : !looksDestructive(question)
}

/**
 * Returns true if a notification has Yes and No, and the server accepts them: a yes-or-no question
 * that is plain to see and fits a notification, and that anybody may answer. All others have only
 * "Look".
 */
export function offersYes(question: Question, parts?: MessageParts): boolean {
  return !question.requirement && fitsOneTap(question, parts)
}

/**
 * Returns true if a chat in which people answer as themselves has this button: as `offersYes`, and a
 * decider votes there, too, unless a rule takes a yes on the page alone.
 */
export function offersInChat(
  question: Question,
  value: 'yes' | 'no',
  parts?: MessageParts,
): boolean {
  const { requirement } = question
  if (value === 'yes' && requirement && !takesYes(requirement, 'chat')) return false
  return fitsOneTap(question, parts)
}

function fitsOneTap(question: Question, parts?: MessageParts): boolean {
  if (question.type !== 'confirm') return false
  if (!isPlainToSee(question, parts)) return false
  const { text, isWhole } = joinParts(parts ?? messageParts(question), SHOWN_MAX)
  return isWhole && fitsNotification(text)
}

/** Returns true if a notification shows the whole text on every device. */
export function fitsNotification(text: string): boolean {
  return isPlain(text) && codePoints(text) <= SHOWN_MAX && text.split('\n').length <= LINES_MAX
}
