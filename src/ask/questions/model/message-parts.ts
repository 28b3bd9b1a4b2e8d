import { codePoints } from '../../../platform/text.ts'
import { whyDangerous } from '../../wire/danger/destructive.ts'
import { excerptOf, squeezed } from './excerpt.ts'
import type { Question, QuestionDetail } from './question.ts'

/** The parts of a message about a question, for channels with more or less room. */
export type MessageParts = {
  /** What a scope allows, and whether anything enforces it. */
  first: string[]
  /** What a yes does; never the action's body. */
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
  const action = detail.action ?? toolCall(detail)
  const why = whyDangerous(question)
  return {
    first,
    ...(action === undefined ? {} : { action }),
    question: question.question,
    more: moreOf(detail, action ?? ''),
    ...(why === undefined ? {} : { why }),
  }
}

/** The tool and its target, for a call without an action. */
export function toolCall({ toolName, toolTarget }: QuestionDetail): string | undefined {
  return toolTarget && [toolName, toolTarget].filter(Boolean).join(' ')
}

function moreOf({ context, blocker, toolPath, toolTarget }: QuestionDetail, action: string) {
  const isSaid = (text: string) => action.includes(text)
  return [
    ...(context ? [context] : []),
    ...(blocker ? [`Blocked because: ${blocker}`] : []),
    ...(toolTarget && !isSaid(toolTarget) ? [`Target: ${toolTarget}`] : []),
    ...(toolPath && !isSaid(toolPath) ? [`File: ${toolPath}`] : []),
  ]
}

/**
 * The text in at most `most` characters: what a scope allows, the action, the question, the rest.
 * The action comes before the question, which an agent could make long, and both before what may be
 * left out. `isWhole`: nothing is missing.
 */
export function joinParts(asked: MessageParts, most: number): { text: string; isWhole: boolean } {
  const { first, action, question, more, why } = asked
  let left = most
  let isWhole = true
  const take = (text: string, room: number): string[] => {
    const said = excerptOf(text, Math.min(room, left))
    if (said.isCut) isWhole = false
    if (said.isCut && Math.min(room, left) < LEAST) return []
    left -= codePoints(said.text) + 1
    return said.text === '' ? [] : [said.text]
  }
  const isBeside = action !== undefined || first.length > 0
  const ahead = first.flatMap((line) => take(line, ACTION_ROOM))
  const deed = action === undefined ? [] : take(action, Math.min(ACTION_ROOM, most - most / 4))
  const words = take(question, isBeside ? QUESTION_ROOM : most)
  const rest = more.flatMap((line) => take(line, MORE_ROOM))
  const reason = why !== undefined && codePoints(why) <= left ? [why] : []
  return { text: [...ahead, ...deed, ...words, ...rest, ...reason].join('\n'), isWhole }
}

/** Whether a text is fully visible: nothing in it pushes other parts out of sight. */
export function isPlain(text: string): boolean {
  return squeezed(text) === text
}
