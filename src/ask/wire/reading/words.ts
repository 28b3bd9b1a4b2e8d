import { checkArithmetic } from './arithmetic.ts'
import { expandBraces } from './braces.ts'
import type { Frame } from './frame.ts'
import type { ParameterExpansionPart, WordNode, WordPart } from './parse.ts'
import type { Word } from './reading.ts'
import type { ShellState, Value } from './state.ts'
import { isOrdinaryVariable } from './variables.ts'

/** A piece of a word, before the pieces are joined. */
type Piece = {
  kind: 'text' | 'names' | 'number' | 'part'
  text: string
  isQuoted: boolean
  base?: 'home' | 'here'
  /** True if the value may be split, or vanish. */
  many?: boolean
  /** The values that it stands for in turn. */
  choices?: string[]
}

export const WORDS_MAX = 2_000
// A value that grows beyond this is not followed.
const VALUE_MAX = 20_000
const ARITHMETIC_MAX = 1_000

/** The words that a shell makes of one word of the text. None, if it vanishes. */
export function expandWord(node: WordNode, state: ShellState, frame: Frame): Word[] {
  if (frame.run.isFull) return []
  const at = frame.spanOf(node.pos, node.end)
  const all = allArguments(node, state)
  if (all) return all.map((word) => ({ ...word, at }))
  const pieces = piecesOf(node, state, frame)
  if (pieces.reduce((count, { choices }) => count * (choices?.length ?? 1), 1) > WORDS_MAX) {
    frame.stop(at)
    return []
  }
  const words = spreadChoices(pieces).flatMap((row) => joinPieces(row, node.text, at) ?? [])
  frame.run.words.push(...words)
  if (frame.run.words.length > WORDS_MAX) frame.stop(at)
  return words
}

/** The value that an assignment gives: there nothing is split. */
export function assignedValue(node: WordNode, state: ShellState, frame: Frame): Value {
  if (/(^|[^\\]):~/.test(node.text)) return { sure: 'part' }
  const pieces = piecesOf(node, state, frame).map((piece) => ({
    ...piece,
    isQuoted: true,
    many: false,
    // Braces and patterns are not expanded in an assignment.
    ...(piece.choices ? { kind: 'part' as const, choices: [] } : {}),
  }))
  const [word] = joinPieces(pieces, node.text, [0, 0])
  if (!word || word.sure === 'part' || word.text.length > VALUE_MAX) return { sure: 'part' }
  if (word.sure === 'number') return { sure: 'number' }
  if (word.sure === 'names') return { sure: 'part' }
  return { sure: 'text', text: word.text, ...(word.base ? { base: word.base } : {}) }
}

/** `"$@"` and a plain `$@` stand for the arguments, if they are known. */
function allArguments({ text }: WordNode, state: ShellState): Word[] | undefined {
  if (!state.arguments || !/^("\$(@|\{@\})"|\$(@|\*|\{@\}))$/.test(text)) return undefined
  const isQuoted = text.startsWith('"')
  if (isQuoted) return state.arguments
  const isPlain = state.arguments.every(({ sure, text }) => sure === 'text' && isWhole(text))
  return isPlain ? state.arguments.filter(({ text }) => text !== '') : undefined
}

function piecesOf(node: WordNode, state: ShellState, frame: Frame): Piece[] {
  const { parts, text, value } = node
  if (!parts) return literalPieces(text, value, true, { state, frame }, node)
  return parts.flatMap((part, at) => {
    const next = parts[at + 1]?.text
    return piecesOfPart(part, { state, frame, isQuoted: false, isFirst: at === 0, next })
  })
}

/** The text before and after a part: `~` at the start, `$x[1]` in zsh. */
type Place = {
  state: ShellState
  frame: Frame
  isQuoted: boolean
  isFirst: boolean
  next: string | undefined
}

function literalPieces(
  text: string,
  value: string,
  isFirst: boolean,
  { state, frame }: Pick<Place, 'state' | 'frame'>,
  node: { pos: number; end: number },
): Piece[] {
  if (isFirst && text.startsWith('~')) {
    if (/^~(\/|$)/.test(text) && !state.vars.has('HOME')) {
      return [{ kind: 'text', text: value.slice(1), isQuoted: true, base: 'home' }]
    }
    return [{ kind: 'part', text, isQuoted: false }]
  }
  // In zsh `=program` is the path of that program.
  if (isFirst && /^=[^=\s]/.test(text)) frame.gap('expansion', frame.spanOf(node.pos, node.end))
  return [{ kind: 'text', text: value, isQuoted: text !== value }]
}

function piecesOfPart(part: WordPart, place: Place): Piece[] {
  const { frame, isQuoted } = place
  const unknown: Piece = { kind: 'part', text: part.text, isQuoted, many: !isQuoted }
  const refuse = (): Piece[] => {
    frame.gap('expansion', frame.spanOf(part.pos, part.end))
    return [unknown]
  }
  switch (part.type) {
    case 'Literal':
      if (isQuoted) return [{ kind: 'text', text: part.value, isQuoted }]
      return literalPieces(part.text, part.value, place.isFirst, place, part)
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value, isQuoted: true }]
    case 'DoubleQuoted':
    case 'LocaleString':
      return quotedPieces(part.parts, place)
    case 'Glob':
      return isQuoted || !part.parts?.some(({ type }) => type !== 'Literal')
        ? [{ kind: 'names', text: part.text, isQuoted: false }]
        : refuse()
    case 'BraceExpansion': {
      const choices = isQuoted ? undefined : expandBraces(part.text)
      readInside(part.parts, place)
      return choices ? [{ kind: 'text', text: '', isQuoted: false, choices }] : [unknown]
    }
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, place)
    case 'ParameterExpansion':
      return parameter(part, place) ?? refuse()
    case 'ArithmeticExpansion':
      return [arithmeticPiece(part, unknown, place)]
    case 'CommandExpansion': {
      const text = frame.readOutput(part, place.state)
      return text === undefined ? [unknown] : [textPiece(text, isQuoted, part.text)]
    }
    case 'ProcessSubstitution':
      frame.readOutput(part, place.state)
      return [
        { kind: 'text', text: '/', isQuoted: true },
        { kind: 'part', text: part.text, isQuoted: true },
      ]
    default:
      return refuse()
  }
}

function quotedPieces(parts: readonly WordPart[], place: Place): Piece[] {
  const pieces = parts.flatMap((inner, at) => {
    const isFirst = place.isFirst && at === 0
    const next = parts[at + 1]?.text
    return piecesOfPart(inner, { ...place, isQuoted: true, isFirst, next })
  })
  return pieces.length > 0 ? pieces : [{ kind: 'text', text: '', isQuoted: true }]
}

function readInside(parts: readonly WordPart[] | undefined, place: Place): void {
  for (const part of parts ?? []) piecesOfPart(part, { ...place, isFirst: false })
}

function arithmeticPiece(
  part: Extract<WordPart, { type: 'ArithmeticExpansion' }>,
  unknown: Piece,
  { state, frame, isQuoted }: Place,
): Piece {
  if (part.text.length > ARITHMETIC_MAX) {
    frame.stop(frame.spanOf(part.pos, part.end))
    return unknown
  }
  const kind = checkArithmetic(part.expression, state, frame, frame.spanOf(part.pos, part.end))
  return kind === 'number' ? { kind: 'number', text: part.text, isQuoted } : unknown
}

const NUMBERS = new Set(['?', '#', '$'])

function variable(name: string, source: string, place: Place): Piece[] {
  const { state, isQuoted, isFirst, next } = place
  const isAll = name === '@' || name === '*'
  const unknown: Piece = { kind: 'part', text: source, isQuoted, many: !isQuoted || isAll }
  if (NUMBERS.has(name)) return [{ kind: 'number', text: source, isQuoted }]
  // zsh reads `$x[1]` and `$x:t` as one expansion.
  if (next && /^(\[|:[a-zA-Z&])/.test(next)) return [unknown]
  if (/^\d$/.test(name)) {
    const word = name === '0' ? undefined : state.arguments?.[Number(name) - 1]
    if (!word && state.arguments && name !== '0') return [textPiece('', isQuoted, source)]
    return word?.sure === 'text' && !word.base
      ? [textPiece(word.text, isQuoted, source)]
      : [unknown]
  }
  const value = state.vars.get(name)
  if (!value) {
    const base = BASES.get(name as 'HOME')
    const isHere = name === 'PWD' && state.places?.join() !== ''
    const isPath = isFirst && (next === undefined || next.startsWith('/'))
    if (!base || !isPath || isHere) return [unknown]
    return [{ kind: 'text', text: '', isQuoted: true, base }]
  }
  if (value.sure === 'number') return [{ kind: 'number', text: source, isQuoted }]
  if (value.sure === 'names') {
    // Elsewhere other files have these names, and without quotes a name may be split.
    const isName =
      isQuoted && isFirst && next === undefined && value.places === state.places?.join('\n')
    return isName ? namesPieces(value.text) : [unknown]
  }
  if (value.sure !== 'text') return [unknown]
  if (!value.base) return [textPiece(value.text, isQuoted, source)]
  const isPath = isFirst && (next === undefined || next.startsWith('/'))
  return isPath ? [{ ...textPiece(value.text, isQuoted, source), base: value.base }] : [unknown]
}

const BASES = new Map([
  ['HOME', 'home'],
  ['PWD', 'here'],
] as const)

/** One of the names that a pattern stood for. */
function namesPieces(pattern: string): Piece[] {
  const [start = ''] = /^[^*?[]*/.exec(pattern) ?? []
  const before: Piece = { kind: 'text', text: start, isQuoted: true }
  return [before, { kind: 'names', text: pattern.slice(start.length), isQuoted: true }]
}

/** Text that comes out of an expansion: without quotes it may be split, or be a pattern. */
function textPiece(text: string, isQuoted: boolean, source: string): Piece {
  if (isQuoted || text === '' || isWhole(text)) return { kind: 'text', text, isQuoted }
  return { kind: 'part', text: source, isQuoted, many: true }
}

function isWhole(text: string): boolean {
  return !/[\s*?[\]\\(){}|<>^#~=]/.test(text)
}

/** `${…}`; undefined if it cannot be followed. */
function parameter(part: ParameterExpansionPart, place: Place): Piece[] | undefined {
  const { frame, isQuoted } = place
  const { prefix, index, operation } = part
  const unknown: Piece = { kind: 'part', text: part.text, isQuoted, many: !isQuoted }
  if (prefix === '!') return undefined
  if (index && !/^(\d+|@|\*)$/.test(index.text)) return undefined
  if (prefix === '#') {
    return operation ? undefined : [{ kind: 'number', text: part.text, isQuoted }]
  }
  if (index) return operation ? undefined : [{ ...unknown, many: true }]
  if (!operation) {
    if (part.parameter === '@' || part.parameter === '*') return [{ ...unknown, many: true }]
    if (/^\d\d/.test(part.parameter)) return [unknown]
    return variable(part.parameter, part.text, { ...place, next: bracedNext(place.next) })
  }
  switch (operation.type) {
    case 'Default':
      piecesOf(operation.operand, place.state, frame)
      if (operation.operator.includes('=')) {
        if (!isOrdinaryVariable(part.parameter)) return undefined
        place.state.vars.set(part.parameter, { sure: 'part' })
      }
      return [unknown]
    case 'Remove':
      piecesOf(operation.operand, place.state, frame)
      return [unknown]
    case 'Replace':
      piecesOf(operation.pattern, place.state, frame)
      piecesOf(operation.replacement, place.state, frame)
      return [unknown]
    case 'CaseModification':
      return operation.operand ? undefined : [unknown]
    case 'Slice': {
      const bounds = [operation.offset, ...(operation.length ? [operation.length] : [])]
      return bounds.every(({ text }) => /^\s?-?\d+$/.test(text)) ? [unknown] : undefined
    }
    default:
      return undefined
  }
}

/** After `${x}` a bracket or colon belongs to no expansion; only a path may follow. */
function bracedNext(next: string | undefined): string | undefined {
  return next && /^[[:]/.test(next) ? ' ' : next
}

function hasQuotedSign({ kind, isQuoted, text }: Piece): boolean {
  return kind === 'text' && isQuoted && /[*?[\]\\]/.test(text)
}

function spreadChoices(pieces: readonly Piece[]): Piece[][] {
  let rows: Piece[][] = [[]]
  for (const piece of pieces) {
    if (!piece.choices) for (const row of rows) row.push(piece)
    else {
      const texts = piece.choices.map((text): Piece => ({ kind: 'text', text, isQuoted: false }))
      rows = rows.flatMap((row) => texts.map((text) => [...row, text]))
    }
  }
  return rows
}

function joinPieces(pieces: readonly Piece[], source: string, at: Word['at']): Word[] {
  const kinds = new Set(pieces.map(({ kind }) => kind))
  if (pieces.reduce((sum, piece) => sum + piece.text.length, 0) > VALUE_MAX) kinds.add('part')
  const base = pieces[0]?.base
  const text = kinds.has('part') ? '' : pieces.map((piece) => piece.text).join('')
  const path = base ? { base } : {}
  if (pieces.slice(1).some((piece) => piece.base)) kinds.add('part')
  // Beside a pattern, a quoted sign of one stands for itself; the joined text does not say so.
  if (kinds.has('names') && pieces.some(hasQuotedSign)) kinds.add('part')
  if (kinds.size === 0 || (kinds.size === 1 && kinds.has('text'))) {
    const isGone = text === '' && !base && pieces.every(({ isQuoted }) => !isQuoted)
    return isGone ? [] : [{ text, sure: 'text', at, ...path }]
  }
  if (pieces.length === 1 && kinds.has('number')) return [{ text: source, sure: 'number', at }]
  const index = pieces.findIndex(({ kind }) => kind !== 'text')
  const prefix = base
    ? '/'
    : pieces
        .slice(0, index)
        .map((piece) => piece.text)
        .join('')
  const many = pieces.some((piece) => piece.many) ? { many: true as const } : {}
  if (kinds.has('part') || kinds.has('number')) {
    return [{ text: source, sure: 'part', at, prefix, ...many }]
  }
  return [{ text, sure: 'names', at, prefix, ...path, many: true }]
}
