import { checkValues, checkWords } from './check-words.ts'
import { addCommand, noteWrittenFile } from './commands.ts'
import type { Call, Frame } from './frame.ts'
import { readOptions } from './options.ts'
import type { Word } from './reading.ts'
import type { Row } from './row.ts'
import { aliasOf, rowOf } from './rows/index.ts'
import type { ShellState } from './state.ts'
import { spellOutTar } from './tar.ts'
import { noteUnknown } from './unknown.ts'
import { CHECKS } from './values.ts'

/** Reads a program by its row. */
export function readByRow(
  name: string,
  first: Word,
  words: readonly Word[],
  call: Call,
  state: ShellState,
  frame: Frame,
): void {
  const rowMatch = findRow(name, name === 'tar' ? spellOutTar(words) : words, state, frame)
  if (!rowMatch) {
    addCommand(name, words, call, state, frame, { does: 'machine', touches: 'elsewhere' })
    noteUnknown(first, words, call, state, frame)
    return
  }
  const { row, rest, canonical, gap } = rowMatch
  addCommand(name, words, call, state, frame, {
    does: row.does,
    touches: row.touches,
    canonical: [...canonical, ...rest.map(({ text }) => text)],
  })
  if (gap) {
    frame.gap(gap.why, gap.word.at, gap.word.text)
    return
  }
  checkInput(name, row, call, state, frame)
  if (row.takesAny) return
  checkWords(readOptions(rest, row), row, name, state, frame)
}

type RowMatch = {
  row: Row
  rest: readonly Word[]
  canonical: string[]
  gap?: { why: 'subcommand' | 'option' | 'word'; word: Word }
}

/** The row of a program, or of its subcommand, with what comes after that. */
function findRow(
  name: string,
  words: readonly Word[],
  { places }: ShellState,
  frame: Frame,
): RowMatch | undefined {
  let key = name
  let row = rowOf(key)
  if (!row) return undefined
  let rest = words
  const canonical: string[] = []
  while (row.hasSubcommands) {
    const parsedOptions = readOptions(rest, row)
    if (parsedOptions.gap)
      return { row, rest, canonical, gap: { why: 'option', word: parsedOptions.gap.word } }
    checkValues(parsedOptions, places, frame)
    const [next, ...after] = parsedOptions.operands
    if (!next) return { row: rowOf(`${key} -`) ?? row, rest: [], canonical }
    if (next.sure !== 'text') return { row, rest, canonical, gap: { why: 'word', word: next } }
    const subcommand: string = aliasOf(key, next.text)
    const inner = rowOf(`${key} ${subcommand}`)
    if (!inner) {
      return {
        row,
        rest,
        canonical: [...canonical, next.text],
        gap: { why: 'subcommand', word: next },
      }
    }
    canonical.push(subcommand)
    key = `${key} ${subcommand}`
    row = inner
    rest = after
  }
  return { row, rest, canonical }
}

function checkInput(
  name: string,
  row: Row,
  call: Call,
  { places }: ShellState,
  frame: Frame,
): void {
  if (call.input === 'own' || row.readsInput) return
  if (row.readsFile && call.file && CHECKS.project?.(call.file, places)) {
    noteWrittenFile(call.file, frame)
    return
  }
  frame.gap('input', call.at, name)
}
