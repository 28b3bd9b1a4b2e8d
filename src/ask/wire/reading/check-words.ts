import { noteWrittenFile } from './commands.ts'
import type { Frame } from './frame.ts'
import { isRefused, type ParsedOptions } from './options.ts'
import type { Word } from './reading.ts'
import { noteChange, noteWrite } from './redirects.ts'
import { isWritten, type Kind, type Option, type Row } from './row.ts'
import type { ShellState } from './state.ts'
import { CHECKS } from './values.ts'

/** Checks the words of a program against its row. */
export function checkWords(
  parsedOptions: ParsedOptions,
  row: Row,
  name: string,
  { places }: ShellState,
  frame: Frame,
): void {
  if (isRefused(parsedOptions, frame)) return
  const { operands, options } = row
  const kindAt = (at: number) => operands[Math.min(at, operands.length - 1)]
  for (const [at, word] of parsedOptions.operands.entries()) {
    if (kindAt(at) === 'project') noteWrittenFile(word, frame)
  }
  checkValues(parsedOptions, places, frame)
  if (row.writesFiles || parsedOptions.options.some((name) => isWriter(options.get(name)))) {
    frame.run.hasWritten = true
  }
  for (const [at, word] of parsedOptions.operands.entries()) {
    const kind = kindAt(at)
    if (!kind) frame.gap('word', word.at, name)
    else if (isInnerOption(word, kind)) frame.gap('option', word.at, word.text)
    else checkValue(word, kind, places, frame)
  }
}

function isWriter(option: Option | undefined): boolean {
  return option?.takes === 'none' && option.kind === 'write'
}

/** After `--` a program may hand its words on, as options of another one. */
function isInnerOption({ sure, text }: Word, kind: Kind): boolean {
  const isName = isWritten(kind) || kind === 'address'
  return isName && sure === 'text' && /^-./.test(text)
}

/** Checks the values of options. `places`: the folders that the program may run in. */
export function checkValues(
  parsedOptions: ParsedOptions,
  places: ShellState['places'],
  frame: Frame,
): void {
  for (const { word, kind } of parsedOptions.values) {
    if (kind === 'project') noteWrittenFile(word, frame)
  }
  for (const { word, kind } of parsedOptions.values) checkValue(word, kind, places, frame)
}

function checkValue(word: Word, kind: Kind, places: ShellState['places'], frame: Frame): void {
  if (kind === 'command') frame.gap('option', word.at, word.text)
  else if (!(CHECKS[kind]?.(word, places) ?? true)) {
    frame.gap(word.sure === 'part' ? 'word' : 'code', word.at, word.text)
  } else if (kind === 'write' || kind === 'archive') noteWrite(word, frame)
  else if (kind === 'path' || kind === 'build') noteChange(word, frame)
  else if (word.many && word.sure === 'part') frame.gap('word', word.at, word.text)
}
