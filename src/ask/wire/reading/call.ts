import { readBuiltin } from './builtins.ts'
import { changesOf } from './changes.ts'
import { type Call, DEPTH_MAX, type Frame } from './frame.ts'
import type { Word } from './reading.ts'
import { type ShellState, setVariable, UNKNOWN } from './state.ts'
import { isKnownVariable, isOrdinaryVariable } from './variables.ts'

/** Reads what a shell does with a simple command. */
export function readCall(call: Call, state: ShellState, frame: Frame): void {
  const [first, ...words] = call.words
  if (!first) {
    assign(call, state, frame)
    return
  }
  if (first.sure !== 'text') {
    frame.unnamed(call.words, first)
    return
  }
  if (state.functions.has(first.text)) {
    for (const { name, word } of call.env)
      if (!isKnownVariable(name)) frame.gap('variable', word.at, name)
    callFunction(first, words, call, state, frame)
    return
  }
  if (readBuiltin(first.text, words, call, state, frame)) return
  frame.readProgram(call, state)
}

/** Assignments alone: from here on the shell has these values. */
function assign(call: Call, state: ShellState, frame: Frame): void {
  for (const { name, word } of call.env) {
    if (!isOrdinaryVariable(name)) frame.gap('variable', word.at, name)
    setVariable(name, word, state)
  }
}

function callFunction(
  name: Word,
  words: readonly Word[],
  call: Call,
  state: ShellState,
  frame: Frame,
): void {
  const body = state.functions.get(name.text)
  if (!body) {
    frame.gap('definition', name.at, name.text)
    return
  }
  if (frame.depth >= DEPTH_MAX) {
    frame.gap('size', name.at, name.text)
    return
  }
  const outside = state.arguments
  const wasFunction = state.isFunction
  state.isFunction = true
  const before = state.copy()
  // A variable before the call may stay or not.
  for (const { name: variable } of call.env) state.vars.set(variable, UNKNOWN)
  state.arguments = words.some(({ many }) => many) ? undefined : [...words]
  frame.with({ input: call.input, isDeeper: true }).readNode(body, state)
  state.arguments = outside
  state.isFunction = wasFunction
  // `return` leaves the rest of it out; `local` ends with it.
  state.forget(changesOf(body, frame.run.functionChanges))
  before.arguments = outside
  state.join(before)
}
