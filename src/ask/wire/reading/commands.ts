import { fileName } from './files.ts'
import type { Call, Frame } from './frame.ts'
import type { Does, Span, Touches, Word } from './reading.ts'
import type { ShellState } from './state.ts'
import { isKnownVariable, isSwitch } from './variables.ts'

const SYSTEM = /^(\/usr(\/local)?|\/opt\/(homebrew|local)|)\/s?bin\/([^/]+)$/
const PROJECT_BIN =
  /^(\.\/)?(?:[\w.@-]+\/)*(?:node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\/([^/]+)$/

/** The name of a program without the folder that it surely comes from; undefined: some file. */
export function programName({ text, base }: Word): string | undefined {
  if (base) return undefined
  if (!text.includes('/')) return text
  if (text.includes('..')) return undefined
  return SYSTEM.exec(text)?.[4] ?? PROJECT_BIN.exec(text)?.[2]
}

/** A file of the project that is run: `./scripts/build`. */
export function isProjectFile({ text, sure, base }: Word): boolean {
  if (sure !== 'text' || (base && base !== 'here')) return false
  const path = base === 'here' ? text.slice(1) : text
  return (
    /^[\w.@](?!\w*:)/.test(path) &&
    !path.split('/').includes('..') &&
    !/(^|\/)\.git(\/|$)/.test(path)
  )
}

export function readProjectFile(
  file: Word,
  words: readonly Word[],
  call: Call,
  state: ShellState,
  frame: Frame,
): void {
  addCommand(file.text, words, call, state, frame, { does: 'project', touches: 'project' })
  noteWrittenFile(file, frame)
}

/**
 * Notes that a program that runs code may run what the text, or a program that is not known, has
 * just written.
 */
export function noteWrittenBefore(program: string, at: Span, frame: Frame): void {
  const { hasWritten, unknown } = frame.run
  if (hasWritten) frame.gap('written', at, program)
  for (const writer of unknown) {
    if (writer !== program) frame.gap('written', at, `${program} after ${writer}`)
  }
}

/** Notes a file that is run or read as settings, if the text has just written it. */
export function noteWrittenFile(file: Word, frame: Frame): void {
  const { run } = frame
  if (run.gaps.some(({ why }) => why === 'written')) return
  if (run.hasWritten || run.written.has(fileName(file))) frame.gap('written', file.at, file.text)
}

/** Notes the exported variables that a program of the project may take for a command. */
export function noteExported(at: Span, { vars }: ShellState, frame: Frame): void {
  for (const name of frame.run.exported) {
    const value = vars.get(name)
    const isHarmless =
      value?.sure === 'number' || (value?.sure === 'text' && !value.base && isSwitch(value.text))
    if (!isHarmless) frame.gap('variable', at, name)
  }
}

/** Adds a command, and notes what its variables and the files written before mean for it. */
export function addCommand(
  program: string,
  words: readonly Word[],
  call: Call,
  state: ShellState,
  frame: Frame,
  { does, touches, canonical }: { does: Does; touches: Touches; canonical?: string[] },
): void {
  const { env, redirects, input, at } = call
  for (const { name, word } of env) {
    const isSetting = does === 'project' && word.sure === 'text' && isSwitch(word.text)
    if (!isKnownVariable(name) && !isSetting) frame.gap('variable', word.at, name)
  }
  if (does === 'project') {
    noteWrittenBefore(program, at, frame)
    noteExported(at, state, frame)
  }
  const isElsewhere = words.some(({ sure }) => sure === 'part') && touches === 'named'
  frame.run.add(
    {
      program,
      words: [...words],
      ...(canonical ? { canonical } : {}),
      via: [...frame.via],
      env,
      redirects,
      ...(state.places ? { places: state.places } : {}),
      input,
      does,
      touches: isElsewhere && does !== 'says' ? 'elsewhere' : touches,
      at,
    },
    frame,
  )
}
