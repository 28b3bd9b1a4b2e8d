import { checkArithmetic } from './arithmetic.ts'
import { readChain, readStatement } from './chains.ts'
import { changesOf } from './changes.ts'
import { noteWrittenBefore } from './commands.ts'
import { DEPTH_MAX, type Frame } from './frame.ts'
import type { Assignment, CommandNode, SyntaxNode, WordNode } from './parse.ts'
import type { Input, Word } from './reading.ts'
import { readRedirects } from './redirects.ts'
import { type ShellState, UNKNOWN } from './state.ts'
import { checkTest } from './tests.ts'
import { isOrdinaryVariable } from './variables.ts'
import { assignedValue, expandWord, WORDS_MAX } from './words.ts'

const LOOPS_MAX = 12
const STATEMENTS_MAX = 1_000
// Every branch has its own copy of them.
const VARS_MAX = 200

/** Reads what a node of the syntax tree runs. The state changes as the shell's would. */
export function readNode(node: SyntaxNode, state: ShellState, frame: Frame): void {
  if (frame.run.isFull) return
  switch (node.type) {
    case 'Script':
      if (node.errors && node.errors.length > 0)
        frame.gap('syntax', frame.spanOf(node.pos, node.end))
      {
        readEach(node.commands, state, frame)
        return
      }
    case 'CompoundList': {
      readEach(node.commands, state, frame)
      return
    }
    case 'Statement': {
      readStatement(node, state, frame)
      return
    }
    case 'AndOr': {
      readChain(node, state, frame)
      return
    }
    case 'Pipeline': {
      readPipeline(node, state, frame)
      return
    }
    case 'Command': {
      readSimple(node, state, frame)
      return
    }
    case 'Redirected': {
      const { input } = readRedirects(node.redirects, state, frame)
      readNode(node.command, state, input ? frame.with({ input }) : frame)
      return
    }
    case 'Subshell':
    case 'Coproc': {
      readApart(node.body, state, frame)
      return
    }
    case 'BraceGroup': {
      readNode(node.body, state, frame)
      return
    }
    case 'Function':
      state.functions.set(node.name.value, node.body)
      return
    default: {
      readBranching(node, state, frame)
      return
    }
  }
}

function readBranching(node: SyntaxNode, state: ShellState, frame: Frame): void {
  switch (node.type) {
    case 'If': {
      readIf(node, state, frame)
      return
    }
    case 'For':
    case 'Select': {
      readFor(node, state, frame)
      return
    }
    case 'While': {
      readLoop(node, [node.clause, node.body], state, frame)
      return
    }
    case 'Case': {
      readCase(node, state, frame)
      return
    }
    case 'ArithmeticFor': {
      const at = frame.spanOf(node.pos, node.end)
      checkArithmetic(node.initialize, state, frame, at)
      state.forget(changes(node, frame))
      for (const part of [node.test, node.update]) checkArithmetic(part, state, frame, at)
      readLoop(node, [node.body], state, frame)
      return
    }
    case 'ArithmeticCommand':
      checkArithmetic(node.expression, state, frame, frame.spanOf(node.pos, node.end))
      return
    case 'TestCommand': {
      checkTest(node.expression, state, frame)
      return
    }
    default:
      frame.gap('syntax', frame.spanOf(node.pos, node.end))
  }
}

function changes(node: SyntaxNode, frame: Frame) {
  return changesOf(node, frame.run.functionChanges)
}

function readEach(nodes: readonly SyntaxNode[], state: ShellState, frame: Frame): void {
  const [first] = nodes
  if (first && nodes.length > STATEMENTS_MAX) frame.stop(frame.spanOf(first.pos, first.end))
  for (const node of nodes) readNode(node, state, frame)
}

/** Reads what runs beside the shell: its changes may or may not reach it (zsh, `lastpipe`). */
function readApart(node: SyntaxNode, state: ShellState, frame: Frame): void {
  const apart = state.copy()
  readNode(node, apart, frame)
}

function readPipeline(
  node: Extract<SyntaxNode, { type: 'Pipeline' }>,
  state: ShellState,
  frame: Frame,
): void {
  if (node.commands.length === 1 && node.commands[0]) {
    const before = { places: state.places }
    readNode(node.commands[0], state, frame)
    // A command after `! cd x` runs in the folder before it, because `cd` failed.
    if (node.prefixes.some(({ type }) => type === 'Negation')) state.joinPlaces(before)
    return
  }
  let input: Input = frame.input
  for (const command of node.commands) {
    readApart(command, state, frame.with({ input }))
    input = 'other'
  }
  // The last one runs in the shell itself in zsh.
  for (const command of node.commands) state.forget(changes(command, frame))
}

function readIf(node: Extract<SyntaxNode, { type: 'If' }>, state: ShellState, frame: Frame): void {
  readNode(node.clause, state, frame)
  const ends: ShellState[] = []
  const then = state.copy()
  readNode(node.then, then, frame)
  ends.push(then)
  for (const branch of node.elif) {
    readNode(branch.clause, state, frame)
    const copy = state.copy()
    readNode(branch.then, copy, frame)
    ends.push(copy)
  }
  if (node.else) readNode(node.else, state, frame)
  for (const end of ends) state.join(end)
}

function readCase(
  node: Extract<SyntaxNode, { type: 'Case' }>,
  state: ShellState,
  frame: Frame,
): void {
  expandWord(node.word, state, frame)
  for (const item of node.items) {
    for (const pattern of item.pattern) expandWord(pattern, state, frame)
    const copy = state.copy()
    readNode(item.body, copy, frame)
    state.join(copy)
  }
}

/** A body that may run any number of times: what it changes is not known when it begins. */
function readLoop(
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  state: ShellState,
  frame: Frame,
): void {
  state.forget(changes(node, frame))
  const inside = state.copy()
  const start = frame.run.commands.length
  const { hasWritten, unknown } = frame.run
  const count = unknown.size
  for (const part of parts) readNode(part, inside, frame)
  if (inside.places?.join('\n') !== state.places?.join('\n')) {
    // The second time it begins in another folder.
    inside.places = undefined
    for (const part of parts) readNode(part, inside, frame)
  }
  // The second time round it runs what it wrote the first time.
  if ((!hasWritten && frame.run.hasWritten) || unknown.size > count) {
    const runners = frame.run.commands
      .slice(start)
      .filter(({ does, program }) => does === 'project' || unknown.has(program))
    for (const { program, at } of runners) noteWrittenBefore(program, at, frame)
  }
  state.join(inside)
  state.forget(changes(node, frame))
}

function readFor(
  node: Extract<SyntaxNode, { type: 'For' | 'Select' }>,
  state: ShellState,
  frame: Frame,
): void {
  const name = node.name.value
  if (!isOrdinaryVariable(name))
    frame.gap('variable', frame.spanOf(node.name.pos, node.name.end), name)
  const words = node.wordlist?.flatMap((word) => expandWord(word, state, frame)) ?? state.arguments
  const isKnown =
    node.type === 'For' && words?.every(({ sure, base }) => sure === 'text' && base === undefined)
  if (!isKnown || !words || words.length > LOOPS_MAX) {
    const isNames = words?.every(({ sure }) => sure === 'names' || sure === 'text')
    readOver(node.body, name, isNames ? words : undefined, state, frame)
    return
  }
  const changed = changes(node.body, frame)
  state.forget(changed)
  for (const { text } of words) {
    state.vars.set(name, { sure: 'text', text })
    // `break` and `continue` leave the rest of a body out.
    const inside = state.copy()
    readNode(node.body, inside, frame)
    state.join(inside)
    state.forget(changed)
  }
  state.vars.set(name, UNKNOWN)
}

function readOver(
  body: SyntaxNode,
  name: string,
  words: readonly Word[] | undefined,
  state: ShellState,
  frame: Frame,
): void {
  state.forget(changes(body, frame))
  const inside = state.copy()
  const text = words?.[0]?.text
  const places = state.places?.join('\n')
  const isOne = words?.length === 1 && text !== undefined && !text.startsWith('-')
  inside.vars.set(name, isOne && places !== undefined ? { sure: 'names', text, places } : UNKNOWN)
  readLoop(body, [body], inside, frame)
  state.join(inside)
}

function readSimple(node: CommandNode, state: ShellState, frame: Frame): void {
  if (frame.depth > DEPTH_MAX) {
    frame.gap('size', frame.spanOf(node.pos, node.end))
    return
  }
  if (state.vars.size > VARS_MAX) frame.stop(frame.spanOf(node.pos, node.end))
  const assignments = node.prefix.filter((one): one is Assignment => one.type === 'Assignment')
  const nodes: WordNode[] = node.name ? [node.name] : []
  const others: (WordNode | Assignment)[] = node.args.slice()
  const words = nodes.flatMap((word) => expandWord(word, state, frame))
  for (const one of others) {
    if (one.type === 'Word') words.push(...expandWord(one, state, frame))
    else words.push(...assignmentWords(one, state, frame))
  }
  if (words.length > WORDS_MAX) frame.stop(frame.spanOf(node.pos, node.end))
  if (frame.run.isFull) return
  const redirected = readRedirects(node.redirects, state, frame)
  const env = assignments.map((one) => assigned(one, state, frame))
  frame.readCall(
    {
      words,
      env,
      at: frame.spanOf(node.pos, node.end),
      redirects: redirected.redirects,
      input: redirected.input ?? frame.input,
      ...(redirected.body === undefined ? {} : { body: redirected.body }),
      ...(redirected.file ? { file: redirected.file } : {}),
    },
    state,
  )
}

/** `export x=…`: the assignment as the one word that it is given as. */
function assignmentWords(node: Assignment, state: ShellState, frame: Frame): Word[] {
  const { name, word } = assigned(node, state, frame)
  const text = `${name}=${word.text}`
  return [{ ...word, text, prefix: `${name}=`, at: frame.spanOf(node.pos, node.end) }]
}

function assigned(node: Assignment, state: ShellState, frame: Frame) {
  const at = frame.spanOf(node.pos, node.end)
  const unknown: Word = { text: node.text, sure: 'part', at }
  if (node.index && !/^\d+$/.test(node.index.text)) frame.gap('expansion', at)
  if (node.value.type === 'ArrayValue') {
    for (const element of node.value.elements) expandWord(element, state, frame)
    return { name: node.name, word: unknown }
  }
  const value = assignedValue(node.value, state, frame)
  if (value.sure !== 'text' || node.append || node.index) {
    const sure = value.sure === 'number' && !node.append ? 'number' : 'part'
    return { name: node.name, word: { ...unknown, sure } as Word }
  }
  const base = value.base ? { base: value.base } : {}
  return { name: node.name, word: { text: value.text, sure: 'text' as const, at, ...base } }
}
