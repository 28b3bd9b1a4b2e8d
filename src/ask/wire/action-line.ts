import { cleanLine, cleanText, codePoints, cutText } from '../../platform/text.ts'
import { dangersOfAction } from './danger/destructive.ts'
import { excerptOf } from './excerpt.ts'
import { type ForShell, redactCommand } from './reading/redact.ts'

/** The maximum length of an action in characters (QS-LIM-action). */
export const ACTION_MAX = 500
// Dangers are looked for up to here.
const READ_MAX = 20_000

/** The question of a hook about a command; it says nothing about the command. */
export const COMMAND_QUESTION = 'Run this command?'

/** On one line and without secrets, which are looked for while the lines are as they were. */
export function redactedLine(text: string, is?: ForShell): string {
  return cleanLine(redactCommand(cleanText(text), is))
}

/**
 * Shows the action of a yes as one line, cleaned, without secrets. If it is too long, its beginning
 * is kept, or what is dangerous in it, wherever that is. `missing`: about how many characters were
 * left out.
 */
export function actionLine(text: string, is?: ForShell): { text: string; missing: number } {
  const line = redactedLine(text, is)
  const missing = Math.max(0, codePoints(line) - ACTION_MAX)
  if (missing === 0) return { text: line, missing }
  const read = line.slice(0, READ_MAX)
  const isDangerous = dangersOfAction(read).some(({ parts }) => parts.length > 0)
  return {
    text: isDangerous ? excerptOf(read, ACTION_MAX).text : cutText(line, ACTION_MAX),
    missing,
  }
}
