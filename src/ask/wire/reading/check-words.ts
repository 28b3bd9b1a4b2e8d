import type { Frame } from './frame.ts'
import { type Given, isRefused } from './options.ts'
import type { Word } from './reading.ts'
import { noteChange, noteWrite } from './redirects.ts'
import type { Kind, Option, Row } from './row.ts'
import { isKnownVariable, isSwitch } from './variables.ts'

/** Checks the words of a program against its row. */
export function checkWords(given: Given, row: Row, name: string, frame: Frame): void {
  if (isRefused(given, frame)) return
  checkValues(given, frame)
  const { operands, options } = row
  if (row.writesFiles || given.options.some((name) => isWriter(options.get(name)))) {
    frame.run.hasWritten = true
  }
  for (const [at, word] of given.operands.entries()) {
    const kind = operands[Math.min(at, operands.length - 1)]
    if (!kind) frame.gap('word', word.at, name)
    else checkValue(word, kind, frame)
  }
}

function isWriter(option: Option | undefined): boolean {
  return option?.takes === 'none' && option.kind === 'write'
}

export function checkValues(given: Given, frame: Frame): void {
  for (const { word, kind } of given.values) checkValue(word, kind, frame)
}

function checkValue(word: Word, kind: Kind, frame: Frame): void {
  if (kind === 'command') frame.gap('option', word.at, word.text)
  else if (kind === 'write') noteWrite(word, frame)
  else if (kind === 'path') noteChange(word, frame)
  else if (!(CHECKS[kind]?.(word) ?? true)) frame.gap('code', word.at, word.text)
  else if (word.many && word.sure === 'part') frame.gap('word', word.at, word.text)
}

const CHECKS: Partial<Record<Kind, (word: Word) => boolean>> = {
  query: isQuery,
  goal: isGoal,
  flags: areFlags,
  // `ext::` starts a program.
  address: ({ sure, text }) => sure === 'text' && !text.includes('::'),
}

/** Options of Go's compiler and linker that name no program, as `-extld` does. */
function areFlags({ sure, text }: Word): boolean {
  const words = text.trim().split(/\s+/)
  const isDefinition = (word = '') => /^['"]?[\w.][\w./-]*=[^'"]*['"]?$/.test(word)
  return (
    sure === 'text' &&
    words.every((word, at) => {
      if (word === '-X') return isDefinition(words[at + 1])
      if (words[at - 1] === '-X') return true
      if (word.startsWith('-X=')) return isDefinition(word.slice(3))
      return /^([\w./]+=)?(-[swNl]|-m(=\d)?)?$/.test(word)
    })
  )
}

/** A target of make, or a variable that names no program. */
export function isGoal({ sure, text }: Pick<Word, 'sure' | 'text'>): boolean {
  if (sure !== 'text') return false
  const [, name, value] = /^([A-Za-z_]\w*)[:+?]?=(.*)$/s.exec(text) ?? []
  if (name === undefined) return /^[\w./%+@,:-]+$/.test(text)
  return isSwitch(value ?? '') || (isKnownVariable(name) && /^[\w./:@-]*$/.test(value ?? ''))
}

/** A query of a database without commands of its client: `\\!` and `.shell` start programs. */
function isQuery({ sure, text }: Word): boolean {
  return sure === 'text' && !text.includes('\\') && !/(^|\n|;)\s*\./.test(text)
}
