import { changesOf } from './changes.ts'
import type { Frame } from './frame.ts'
import type { SyntaxNode } from './parse.ts'
import type { ShellState } from './state.ts'

/** Reads a statement, and where the shell is after it. */
export function readStatement(
  node: Extract<SyntaxNode, { type: 'Statement' }>,
  state: ShellState,
  frame: Frame,
): void {
  if (node.background) {
    frame.readNode(node.command, state.copy())
    return
  }
  const before = { places: state.places }
  frame.readNode(node.command, state)
  // A `cd` may have failed, and what comes next runs all the same.
  if (!isSure(state, frame) && !endsOtherwise(node.command, state)) state.joinPlaces(before)
}

/**
 * Returns true if every folder that the shell may have changed to exists, so that the change
 * succeeded.
 */
function isSure({ places }: ShellState, { run }: Frame): boolean {
  if (!places?.every((place) => run.isFolder(place))) return false
  return run.commands.every(
    ({ does, program }) => does === 'says' || does === 'reads' || ADDS.has(program),
  )
}

// They write, but remove and move no folder.
const ADDS = new Set(['mkdir', 'touch', 'tee', 'cp'])

/** `a && b || c`: what comes later may not have run, when something after it does. */
export function readChain(
  node: Extract<SyntaxNode, { type: 'AndOr' }>,
  state: ShellState,
  frame: Frame,
): void {
  const [first, ...others] = node.commands
  const start = state.copy()
  if (first) frame.readNode(first, state)
  const isPlain = !node.operators.includes('||')
  const before = state.copy()
  for (const [at, other] of others.entries()) {
    // It runs because something before it failed, which may have been a `cd`.
    if (node.operators[at] === '||') {
      if (isExit(other, state)) {
        const ending = state.copy()
        ending.joinPlaces(start)
        frame.readNode(other, ending)
        continue
      }
      state.joinPlaces(start)
    }
    frame.readNode(other, state)
    if (!isPlain) {
      state.forget(changesOf(other, frame.run.functionChanges))
      state.join(before)
    }
  }
  if (others.length > 0) state.join(before)
}

/** `cd a || exit`: what comes next runs only where it worked. */
function endsOtherwise(node: SyntaxNode, state: ShellState): boolean {
  return (
    node.type === 'AndOr' && node.operators.at(-1) === '||' && isExit(node.commands.at(-1), state)
  )
}

/** Returns true if no part of the text runs after a node: `exit`, or a group that ends with it. */
function isExit(node: SyntaxNode | undefined, state: ShellState): boolean {
  if (node?.type === 'Command') {
    const name = node.name?.value ?? ''
    return /^(exit|return)$/.test(name) && !state.functions.has(name)
  }
  if (node?.type === 'BraceGroup') return isExit(node.body, state)
  if (node?.type === 'CompoundList') return isExit(node.commands.at(-1), state)
  if (node?.type === 'Statement') return !node.background && isExit(node.command, state)
  return false
}
