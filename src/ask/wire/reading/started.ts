import { type Call, DEPTH_MAX, type Frame } from './frame.ts'
import type { Word } from './reading.ts'
import type { ShellState } from './state.ts'

/** A program that starts others, or that is given code. */
export type SpecialCall = {
  name: string
  words: readonly Word[]
  first: Word
  call: Call
  state: ShellState
  frame: Frame
}

/** False: the call is one for the row of the program. */
export type Special = (call: SpecialCall) => unknown

/** Reads a program that another one starts. Functions of the text are not known to it. */
export function readStarted(
  words: readonly Word[],
  { name, call, state, frame }: SpecialCall,
  changes: { input?: Call['input']; isElsewhere?: boolean } = {},
): void {
  if (frame.via.length >= DEPTH_MAX) {
    frame.gap('size', call.at)
    return
  }
  const inside = state.copy()
  inside.functions.clear()
  if (changes.isElsewhere) inside.places = undefined
  const [first] = words
  if (!first) return
  frame
    .with({ via: [...frame.via, name] })
    .readProgram({ ...call, words, ...(changes.input ? { input: changes.input } : {}) }, inside)
}
