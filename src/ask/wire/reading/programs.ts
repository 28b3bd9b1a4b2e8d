import { readByRow } from './by-row.ts'
import { addCommand, isProjectFile, programName, readProjectFile } from './commands.ts'
import type { Call, Frame } from './frame.ts'
import { rowOf } from './rows/index.ts'
import { SPECIAL } from './special.ts'
import type { ShellState } from './state.ts'

/** Reads what a program does that a shell starts, or that another program starts. */
export function readProgram(call: Call, state: ShellState, frame: Frame): void {
  const [first, ...words] = call.words
  if (!first) return
  if (first.sure !== 'text') {
    frame.unnamed(call.words, first)
    return
  }
  const name = programName(first)
  if (name === undefined) {
    // `./gradlew` takes the options of gradle.
    if (isProjectFile(first) && rowOf(first.text)) {
      readByRow(first.text, first, words, call, state, frame)
      return
    }
    if (isProjectFile(first)) {
      readProjectFile(first, words, call, state, frame)
      return
    }
    addCommand(first.text, words, call, state, frame, { does: 'machine', touches: 'elsewhere' })
    frame.gap('program', first.at, first.text)
    return
  }
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined
  if (special && special({ name, words, first, call, state, frame }) !== false) return
  readByRow(name, first, words, call, state, frame)
}
