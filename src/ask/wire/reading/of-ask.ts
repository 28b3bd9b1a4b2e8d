import { dangersOf } from '../danger/dangers.ts'
import { readCommandText } from './read.ts'
import { joinSummaries, type ReadingSummary, summaryOf } from './summary.ts'

/** The reading of one shell command, as it is kept with the question about it. */
export function readShellCommand(text: string, programs?: ReadonlySet<string>): ReadingSummary {
  const reading = readCommandText(text, programs)
  const whys = dangersOf(reading, text).map(({ why }) => why)
  return summaryOf(reading, text, whys)
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
export function readingOfAsk(
  ask: AskTexts,
  programs?: ReadonlySet<string>,
): ReadingSummary | undefined {
  const { byHook, reading } = ask
  const texts = commandTexts(ask)
  const own = texts.map((text) => readShellCommand(text, programs))
  if (byHook) {
    // The stored text is read as well: a yes is one tap only if both are understood.
    return reading && own.reduce(joinSummaries, reading)
  }
  const [first, ...others] = own
  return first && others.reduce(joinSummaries, first)
}

/** The texts that a shell may be given: what a person wrote as a sentence is none. */
function commandTexts({ action, actionBody, toolTarget, toolName, byHook }: AskTexts): string[] {
  const isBody = byHook && actionBody !== undefined
  const texts = isBody ? [actionBody] : [action, ...(byHook ? [] : [actionBody, toolTarget])]
  const named = toolName === undefined ? undefined : `${toolName} `
  return [...new Set(texts)].filter(
    (text): text is string =>
      text !== undefined && !isSentence(text) && !(named !== undefined && text.startsWith(named)),
  )
}

// Words, numbers and the signs between them: no option, path, address, variable or quote.
const SENTENCE =
  /^\p{Lu}[\p{L}\p{N}]*(?:[,;:]? (?:\p{L}[\p{L}\p{N}]*(?:['’-]\p{L}+)*|\d[\d.,]*\d|\d)){2,}[.?!]?$/u

/** Whether a text is plain words that begin with a capital letter: no name of a program does. */
function isSentence(text: string): boolean {
  return SENTENCE.test(text)
}
