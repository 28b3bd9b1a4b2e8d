import { COMMAND_QUESTION } from '../../wire/action-line.ts'
import type { Question } from './question.ts'

/** `isCommand`: the text is a command line, with secrets redacted. */
export type QuestionTitle = { text: string; isCommand: boolean }

/** Returns true if an action is a shell command, rather than a tool and its input. */
export function isCommand({ toolName, action }: { toolName?: string; action?: string }): boolean {
  return toolName === undefined || action?.startsWith(`${toolName} `) !== true
}

type Titled = Pick<Question, 'question' | 'detail'>

/**
 * The title of a question in lists, messages and records: the command, if a tool call runs one; else
 * the question itself.
 */
export function questionTitle({ question, detail }: Titled): QuestionTitle {
  const { action, toolName } = detail
  const isAboutCall = toolName !== undefined || question === COMMAND_QUESTION
  if (!action || !isAboutCall || !isCommand(detail)) return { text: question, isCommand: false }
  return { text: action, isCommand: true }
}

/** The words of a question whose title is a command, unless they only ask whether to run it. */
export function wordsBesideTitle(question: Titled): string | undefined {
  const { isCommand } = questionTitle(question)
  return isCommand && question.question !== COMMAND_QUESTION ? question.question : undefined
}
