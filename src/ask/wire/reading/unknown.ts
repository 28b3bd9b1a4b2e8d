import { noteExported, noteWrittenBefore } from './commands.ts'
import { isControlFile } from './files.ts'
import type { Call, Frame } from './frame.ts'
import { mayBeOption } from './options.ts'
import type { Word } from './reading.ts'
import { rowOf } from './rows/index.ts'
import { SHELL_NAMES } from './shells.ts'
import { isStarter } from './starters.ts'
import type { ShellState } from './state.ts'
import { isGoal } from './values.ts'
import { isSwitch } from './variables.ts'
import { WRAPPERS } from './wrappers.ts'

// Programs that start a program of this machine by its name.
const IN_PLACE = new Set([...Object.keys(WRAPPERS), ...SHELL_NAMES, 'find', 'xargs'])

/**
 * Notes a program that is not known, and what would still not be known of the call if somebody said
 * what the program does (own-programs.ts). A name counts only without a folder, and where the shell
 * or a program like sudo starts it: `npx lex` and `docker exec c lex` may start another `lex`.
 */
export function noteUnknown(
  first: Word,
  words: readonly Word[],
  call: Call,
  state: ShellState,
  frame: Frame,
): void {
  const by = frame.via.findLast((starter) => !IN_PLACE.has(starter))
  const name = by === undefined ? first.text : `${by} ${first.text}`
  frame.gap('program', first.at, name)
  if (call.input !== 'own') frame.gap('input', call.at, name)
  for (const [at, word] of words.entries()) noteWord(word, at, frame)
  if (!arePlainNames(words)) frame.gap('option', call.at, gapOfWords(name))
  noteWrittenBefore(name, call.at, frame)
  noteExported(call.at, state, frame)
  frame.run.unknown.add(name)
}

/** How a gap is named that is about more than plain names as the words of a program. */
export function gapOfWords(name: string): string {
  return `${name} with these words`
}

function noteWord(word: Word, place: number, frame: Frame): void {
  if (word.sure === 'part' || (word.sure !== 'text' && mayBeOption(word))) {
    frame.gap('word', word.at, word.text)
    return
  }
  const file = controlFileIn(word)
  if (file !== undefined) frame.gap('control file', word.at, file)
  const started = place > 0 || word.text.startsWith('-') ? starterIn(word.text) : undefined
  if (started !== undefined) frame.gap('code', word.at, started)
}

/** A shell, or another program that starts what it is given, where a program may be named. */
function starterIn(text: string): string | undefined {
  const value = text.replace(/^-[^=]*=/, '')
  return [value, value.replace(/^-\w/, '')]
    .map((one) => one.trim().split(/\s/, 1)[0]?.split('/').at(-1) ?? '')
    .find(isStarter)
}

/** A file that programs read as commands, anywhere in a word: which of them it writes is not known. */
function controlFileIn({ text, sure, base, at }: Word): string | undefined {
  if (base === 'home') return `~${text}`
  const own = base === 'here' ? text.slice(1) : text
  // An address is no path, but a path in it counts.
  const local = own.replace(/\b(?!file\b)\w+:\/\//gi, '')
  const parts = local.split(/[^\w./~+-]+/).flatMap((part) => [part, part.replace(/^-+\w/, '')])
  return parts.find((part) => part.startsWith('~') || isControlFile({ text: part, sure, at }))
}

type PlainWord = Pick<Word, 'sure' | 'text' | 'base'>

/**
 * Returns true if all words are names of things, followed by switches. An option that takes a word
 * as its value may name a program, and so may a word after the first.
 */
export function arePlainNames(words: readonly PlainWord[]): boolean {
  const end = words.findIndex(({ sure, text }) => sure === 'text' && text.startsWith('-'))
  const names = end < 0 ? words : words.slice(0, end)
  const options = end < 0 ? [] : words.slice(end)
  return names.every(isPlainName) && options.every(isSwitchOption)
}

function isPlainName({ sure, text, base }: PlainWord, at: number): boolean {
  if (base || (sure !== 'text' && sure !== 'names')) return false
  const isInside =
    !text.startsWith('/') && !text.includes('//') && !/(^|[/=:])\.\.($|\/)/.test(text)
  if (!isInside) return false
  if (sure === 'names') return /^[\w./-]*$/.test(text.replace(/[*?[\]]/g, ''))
  return isGoal({ sure, text }) && (at === 0 || !rowOf(text))
}

/** An option without a value, or with one that names nothing. */
export function isSwitchOption({ sure, text, base }: PlainWord): boolean {
  if (sure !== 'text' || base) return false
  const [, value] = /^--[a-z][a-z-]*(?:=(.*))?$/s.exec(text) ?? []
  return value === undefined ? /^(-[A-Za-z]|--[a-z][a-z-]*)$/.test(text) : isSwitch(value)
}
