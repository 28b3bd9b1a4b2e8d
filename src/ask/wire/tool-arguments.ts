import { redactSecrets } from '../../platform/redact/redact.ts'
import { squeezed } from './excerpt.ts'
import { deceptiveLetters } from './letters.ts'

/** Arguments of a tool, by their names. */
type Values = Readonly<Record<string, unknown>>

/** The texts of a question about the call of a tool. */
type CallTexts = { toolName?: string; action?: string; actionBody?: string }

/**
 * The arguments of a tool that is no shell, whole; undefined if the texts of the question do not
 * show all of them as JSON.
 */
export function argumentsOf(detail: CallTexts): Values | undefined {
  const text = argumentsText(detail)
  return text === undefined ? undefined : readValues(detail.actionBody ?? text)
}

function argumentsText({ toolName, action }: CallTexts): string | undefined {
  if (toolName === undefined || !action?.startsWith(`${toolName} `)) return undefined
  return action.slice(toolName.length + 1)
}

/** The members of an object; those of a list are named 1, 2 and so on. */
function readValues(text: string): Values | undefined {
  if (!/^[{[]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value))
      return Object.fromEntries(value.map((one, at) => [String(at + 1), one]))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The arguments in one line: each with its name, text as it is unless it could be taken for others. */
export function argumentsLine(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${plainOr(/^[\w.-]+$/, name)}: ${plainOr(/^[^·]+$/, value)}`)
    .join(' · ')
    .replace(/\s+/g, ' ')
}

function plainOr(plain: RegExp, value: unknown): string {
  return typeof value === 'string' && plain.test(value) ? value : JSON.stringify(value)
}

/**
 * The action of a question as a message shows it: a tool with its arguments by their names instead of
 * JSON. The JSON stays where the words would hide something or show a secret. The body is not used:
 * messages never have it.
 */
export function actionWords(detail: CallTexts): string | undefined {
  const { toolName, action, actionBody } = detail
  const text = argumentsText(detail)
  if (text === undefined) return action
  // With a body the page has all of it, and one tap is no answer: the line need not be to the letter.
  const hasPage = actionBody !== undefined
  const values = readValues(text) ?? (hasPage ? readCut(text) : undefined)
  if (!values || (!hasPage && !isToTheLetter(values))) return action
  const words = `${toolName} ${argumentsLine(values)}`.trim()
  const isSafe = deceptiveLetters(words, 'command').length === 0 && redactSecrets(words) === words
  return isSafe ? words : action
}

/** The arguments of a line that ends in the middle of a text; not of one with gaps. */
function readCut(text: string): Values | undefined {
  if (text.includes(' … ')) return undefined
  return readValues(`${text.replace(/\\(u[\da-f]{0,3})?$/i, '').replace(/…$/, '')}…"}`)
}

function isToTheLetter(values: Values): boolean {
  return Object.values(values).every(
    (value) =>
      typeof value !== 'string' || (!/[\n\t]| {2}/.test(value) && squeezed(value) === value),
  )
}
