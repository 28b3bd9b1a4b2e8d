import { barsAsLetters } from '../../../platform/redact/bar.ts'
import { dangersIn, dangersOf } from '../danger/dangers.ts'
import { isForShell, isNamedLikeShell, isOtherShell } from './other-shells.ts'
import { readCommandText } from './read.ts'
import type { ForShell } from './redact.ts'
import { rowOf } from './rows/index.ts'
import { SPECIAL } from './special.ts'
import { joinSummaries, type ReadingSummary, summaryOf } from './summary.ts'

/** The reading of a shell command, as it is kept with the question about it. */
export function readShellCommand(
  text: string,
  { toolName, isShell }: { toolName?: string | undefined } & ForShell = {},
): ReadingSummary {
  if (isOtherShell(toolName)) {
    const dangers = dangersIn(text).map(({ why }) => why)
    return { version: 1, dangers, open: [{ why: 'language' }], touched: 'elsewhere', commands: [] }
  }
  const reading = readCommandText(text)
  const whys = dangersOf(reading, text).map(({ why }) => why)
  return summaryOf(reading, text, whys, { isShell })
}

type AskTexts = {
  action?: string | undefined
  actionBody?: string | undefined
  toolName?: string | undefined
  toolTarget?: string | undefined
  reading?: ReadingSummary | undefined
  byHook?: true | undefined
}

/**
 * The reading that a question is asked with; undefined if nothing in it is a command. A hook sends
 * its own, of the whole call; what arrives otherwise is read here, because the text is all there is.
 */
export function readingOfAsk(ask: AskTexts): ReadingSummary | undefined {
  const { byHook, reading, toolName } = ask
  const isShell = isForShell(ask)
  const texts = commandTexts(ask)
  if (byHook) {
    // The stored text is read as well: a yes is one tap only if both are understood.
    const stored = texts.map((text) => readShellCommand(barsAsLetters(text), { toolName, isShell }))
    return reading && stored.reduce(joinSummaries, reading)
  }
  const own = texts.map((text) => readShellCommand(text, { toolName, isShell }))
  const [first, ...others] = own
  const whole = first && others.reduce(joinSummaries, first)
  // Which language a body is in, nobody says.
  const isOther = ask.actionBody !== undefined && ask.actionBody !== ask.action
  return whole && isOther ? joinSummaries(whole, { ...whole, open: [{ why: 'language' }] }) : whole
}

/** The texts that a shell may be given: what a person wrote as a sentence is none. */
function commandTexts({ action, actionBody, toolTarget, toolName, byHook }: AskTexts): string[] {
  // The line of a hook is its command in short.
  const isBody = byHook === true && actionBody !== undefined
  // The target of another tool is a path or a name.
  const isShell = toolName === undefined || isNamedLikeShell(toolName)
  const target = isShell ? [toolTarget] : []
  const texts = isBody ? [actionBody] : byHook ? [action] : [action, ...target]
  return [...new Set(texts)].filter(
    (text): text is string =>
      text !== undefined && !isSentence(text) && !isCallOf(toolName, text, byHook),
  )
}

/**
 * Returns true if a text is a tool with its arguments; an agent may use the name of a program for a
 * tool.
 */
function isCallOf(toolName: string | undefined, text: string, byHook: true | undefined): boolean {
  if (toolName === undefined || !text.startsWith(`${toolName} `)) return false
  const isProgram = Object.hasOwn(SPECIAL, toolName) || rowOf(toolName) !== undefined
  return byHook === true || !isProgram || text.slice(toolName.length).trimStart().startsWith('{')
}

// Words, numbers and the signs between them: no option, path, address, variable or quote.
const SENTENCE =
  /^\p{Lu}[\p{L}\p{N}]*(?:[,;:]? (?:\p{L}[\p{L}\p{N}]*(?:['’-]\p{L}+)*|\d[\d.,]*\d|\d)){2,}[.?!]?$/u

/**
 * Returns true if a text is plain words that begin with a capital letter, as no name of a program
 * does.
 */
function isSentence(text: string): boolean {
  return SENTENCE.test(text)
}
