import { barsAsLetters } from '../../../platform/redact/bar.ts'
import { type CommandWords, commandWords } from '../../wire/command-words.ts'
import { readCutMark, withoutCutMark } from '../../wire/cut-mark.ts'
import type { AskDraft } from './question.ts'
import { readingOf, withPrograms } from './reading.ts'

type Detail = AskDraft['detail']

// Every rule with a target asks for the same words.
const words = new WeakMap<Detail, CommandWords | undefined>()

/** The words of a question's command; undefined if it is about none. */
export function commandWordsOf(detail: Detail): CommandWords | undefined {
  if (!words.has(detail)) words.set(detail, readWords(detail))
  return words.get(detail)
}

function readWords(detail: Detail): CommandWords | undefined {
  // What an owner says of a program alone takes no line away from those whom a rule names.
  const reading = readingOf(withPrograms({ detail }, []))
  if (!reading) return undefined
  const { action = '', actionBody = '', toolTarget = '' } = detail
  const body = withoutCutMark(actionBody)
  const texts = [action, body, toolTarget]
  // The line beside a body has its lines joined, so that a text in it looks like commands.
  const read = [barsAsLetters(body || action)]
  return commandWords({ texts, read, isCut: readCutMark(actionBody) > 0 }, reading)
}
