import { createScanner, type Node, type SyntaxKind } from 'jsonc-parser'
import { BrokenFile, lineAt } from './broken-file.ts'
import {
  expanded,
  type ItemPath,
  indentBefore,
  indentOfLine,
  itemAt,
  type JsonPath,
  nodeAt,
  printed,
  readTree,
  type Style,
  styleOf,
} from './json-document.ts'

// The kinds of tokens; the library only exports their names as a type.
const COMMA: SyntaxKind.CommaToken = 5
const LINE_BREAK: SyntaxKind.LineBreakTrivia = 14
const BLANKS: SyntaxKind.Trivia = 15
const END: SyntaxKind.EOF = 17

// Not jsonc-parser's own `modify`: it breaks files with a trailing comma, moves comments, and
// spreads objects that are on one line.

/**
 * Writes `value` at `path`, and creates the objects on the way. An existing value is replaced;
 * every other byte stays. Throws `BrokenFile` if anything but an object is on the way.
 */
export function setJson(text: string, path: JsonPath, value: unknown): string {
  const tree = readTree(text)
  if (!tree) return wholeText(text, nested(path, value))
  const style = styleOf(text, tree)
  const there = nodeAt(text, tree, path)
  if (there) {
    const indent = indentOfLine(text, there.offset)
    return splice(text, there.offset, there.offset + there.length, printed(value, style, indent))
  }
  const depth = existingDepth(text, tree, path)
  const parent = container(text, tree, path.slice(0, depth), 'object')
  const member = nested(path.slice(depth), value)
  const [name, inner] = Object.entries(member)[0] as [string, unknown]
  return insert(text, parent, style, (indent, how) => {
    const colon = style.oneLine && !text.includes('": ') ? ':' : ': '
    return `${JSON.stringify(name)}${colon}${printed(inner, how, indent)}`
  })
}

/** Adds `value` at the end of the list at `path`, which is created if it is missing. */
export function appendJson(text: string, path: JsonPath, value: unknown): string {
  const tree = readTree(text)
  if (!tree || !nodeAt(text, tree, path)) return setJson(text, path, [value])
  const style = styleOf(text, tree)
  const list = container(text, tree, path, 'array')
  return insert(text, list, style, (indent, how) => printed(value, how, indent))
}

/** Replaces the item at `index` of the list at `path`. */
export function replaceItem(text: string, path: JsonPath, index: number, value: unknown): string {
  const tree = readTree(text)
  const item = itemAt(tree, path, index)
  if (!item) return text
  const itemText = printed(value, styleOf(text, tree), indentOfLine(text, item.offset))
  return splice(text, item.offset, item.offset + item.length, itemText)
}

/** Removes the property at `path`. */
export function removeJson(text: string, path: JsonPath): string {
  const node = nodeAt(text, readTree(text), path)
  const property = node?.parent
  return property?.parent ? removeChild(text, property.parent, property) : text
}

/** Removes the item at `index` of the list at `path`. */
export function removeItem(text: string, path: ItemPath, index: number): string {
  const item = itemAt(readTree(text), path, index)
  return item?.parent ? removeChild(text, item.parent, item) : text
}

function wholeText(text: string, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return `${expanded(value).replaceAll('\n', eol)}${eol}`
}

function nested(path: JsonPath, value: unknown): object {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value) as object
}

function existingDepth(text: string, tree: Node, path: JsonPath): number {
  let depth = 0
  while (depth < path.length && nodeAt(text, tree, path.slice(0, depth + 1))) depth += 1
  return depth
}

function container(text: string, tree: Node, path: JsonPath, type: 'object' | 'array'): Node {
  const node = nodeAt(text, tree, path)
  if (node?.type === type) return node
  const what = type === 'array' ? 'a list' : 'an object'
  const line = lineAt(text, node?.offset ?? 0)
  throw new BrokenFile(`"${path.join('.')}" in line ${line} is not ${what}`)
}

type Member = (indent: string, how: Style) => string

function insert(text: string, parent: Node, style: Style, member: Member): string {
  const last = parent.children?.at(-1)
  return last ? insertAfter(text, parent, last, style, member) : fill(text, parent, style, member)
}

/** The first child of an empty object or list. */
function fill(text: string, parent: Node, style: Style, member: Member): string {
  const [open, close] = [parent.offset + 1, parent.offset + parent.length - 1]
  const inner = text.slice(open, close)
  if (style.oneLine) return splice(text, open, close, inner.trimEnd() + member('', style))
  const outer = indentOfLine(text, parent.offset)
  const indent = outer + style.unit
  const content = inner.trimEnd()
  const line = `${style.eol}${indent}${member(indent, style)}${style.eol}${outer}`
  return splice(text, open, close, content + line)
}

function insertAfter(text: string, parent: Node, last: Node, style: Style, member: Member) {
  const close = parent.offset + parent.length - 1
  const { comma, lineEnd } = afterChild(text, last.offset + last.length, close)
  const first = parent.children?.[0] ?? last
  const ownLines = indentBefore(text, first.offset)
  const end = last.offset + last.length
  if (ownLines === undefined) {
    const space = style.oneLine && !text.includes(', ') ? '' : ' '
    const itemText = member('', { ...style, oneLine: true })
    const at = comma ?? end
    return splice(
      text,
      at,
      at,
      comma === undefined ? `,${space}${itemText}` : `${space}${itemText},`,
    )
  }
  const line = `${style.eol}${ownLines}${member(ownLines, style)}`
  if (comma !== undefined) return splice(text, lineEnd, lineEnd, `${line},`)
  return `${text.slice(0, end)},${text.slice(end, lineEnd)}${line}${text.slice(lineEnd)}`
}

/**
 * Where a child ends: after its comma, or at the end of its line including comments, so that a
 * comment stays beside what it is about.
 */
function afterChild(text: string, from: number, close: number) {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let comma: number | undefined
  let lineEnd = from
  for (;;) {
    const kind = scanner.scan()
    const end = scanner.getTokenOffset() + scanner.getTokenLength()
    if (end > close || kind === LINE_BREAK || kind === END) break
    if (kind === COMMA) comma = end
    if (kind !== BLANKS) lineEnd = end
  }
  return { comma, lineEnd }
}

function removeChild(text: string, parent: Node, child: Node): string {
  const children = parent.children ?? []
  const index = children.indexOf(child)
  const previous = children[index - 1]
  const isLast = index === children.length - 1
  const close = parent.offset + parent.length - 1
  const end = child.offset + child.length
  const { comma } = afterChild(text, end, close)
  if (children.length === 1) return alone(text, parent, child.offset, comma ?? end)

  const cut = wholeLines(text, child.offset, comma ?? end)
  const without = splice(text, cut.from, cut.to, '')
  // The comma before the last child was removed with it, unless the list had a trailing comma.
  if (!isLast || comma !== undefined || !previous) return without
  const before = commaAfter(text, previous.offset + previous.length, child.offset)
  return before === undefined ? without : splice(without, before, before + 1, '')
}

function alone(text: string, parent: Node, from: number, to: number): string {
  const [open, close] = [parent.offset + 1, parent.offset + parent.length - 1]
  const around = text.slice(open, from) + text.slice(to, close)
  if (around.trim() === '') return splice(text, open, close, '')
  const cut = wholeLines(text, from, to)
  return splice(text, cut.from, cut.to, '')
}

/** Includes the line if nothing else is on it; otherwise the spaces before it. */
function wholeLines(text: string, from: number, to: number) {
  const indent = indentBefore(text, from)
  const rest = /^[ \t]*(?=\r?\n|$)/.exec(text.slice(to))
  if (indent !== undefined && rest && from - indent.length > 0) {
    const start = from - indent.length
    const eol = text.slice(0, start).endsWith('\r\n') ? 2 : 1
    return { from: start - eol, to: to + rest[0].length }
  }
  const blanks = /[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0
  return { from: from - blanks, to }
}

function commaAfter(text: string, from: number, until: number): number | undefined {
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (scanner.getTokenOffset() >= until) return undefined
    if (kind === COMMA) return scanner.getTokenOffset()
  }
  return undefined
}

function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to)
}
