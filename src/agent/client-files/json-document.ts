import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { BrokenFile, lineAt } from './broken-file.ts'

export type JsonPath = readonly string[]

/**
 * The tree of a JSON text; comments and trailing commas are allowed. Undefined for an empty text.
 * Throws `BrokenFile` that names the line.
 */
export function readTree(text: string): Node | undefined {
  const errors: ParseError[] = []
  const tree = parsed(text, errors)
  const [first] = errors
  if (!tree && text.trim() === '') return undefined
  if (first) {
    const what = printParseErrorCode(first.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
    throw new BrokenFile(`line ${lineAt(text, first.offset)} is not JSON (${what})`)
  }
  if (tree?.type !== 'object') throw new BrokenFile('it is not a JSON object')
  return tree
}

function parsed(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenFile('it is nested too deeply')
    throw error
  }
}

/** The value at `path`. Throws `BrokenFile` if a name on the way occurs twice. */
export function nodeAt(text: string, tree: Node | undefined, path: JsonPath): Node | undefined {
  let at = tree
  for (const name of path) {
    if (at?.type !== 'object') return undefined
    const members = (at.children ?? []).filter((one) => one.children?.[0]?.value === name)
    const second = members[1]
    if (second) {
      throw new BrokenFile(`"${name}" stands twice, again in line ${lineAt(text, second.offset)}`)
    }
    at = members[0]?.children?.[1]
  }
  return at
}

export function dataOf(node: Node): unknown {
  return getNodeValue(node)
}

/** A path that also leads through list items. */
export type ItemPath = ReadonlyArray<string | number>

/** The item at `index` of the list at `path`. */
export function itemAt(tree: Node | undefined, path: ItemPath, index: number): Node | undefined {
  return tree && findNodeAtLocation(tree, [...path, index])
}

/** The line ends and indentation of a file, so that additions match the rest of it. */
export type Style = { eol: '\n' | '\r\n'; unit: string; oneLine: boolean }

export function styleOf(text: string, tree: Node | undefined): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const first = tree?.children?.[0]
  const unit = first ? indentBefore(text, first.offset) : undefined
  const oneLine = first !== undefined && !text.trim().includes('\n')
  return { eol, unit: unit || '  ', oneLine }
}

/** The spaces before `offset`, if nothing else is before it on its line. */
export function indentBefore(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const before = text.slice(start, offset)
  return /^[ \t]*$/.test(before) ? before : undefined
}

/** The spaces at the start of the line of `offset`. */
export function indentOfLine(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** `value` as JSON; lines after the first are indented by `indent`. */
export function printed(value: unknown, style: Style, indent: string): string {
  if (style.oneLine) return JSON.stringify(value)
  return expanded(value, style.unit).replaceAll('\n', style.eol + indent)
}

// A command with its words stays on one line, however long its paths are.
const LINE_MAX = 1_000
// A list of words, which `JSON.stringify` spreads over several lines.
const WORDS = /\[\n\s*("[^"\n]*"(?:,\n\s*"[^"\n]*")*)\n\s*\]/g

/** JSON over several lines, but with lists of words on one line, as people write it. */
export function expanded(value: unknown, unit = '  '): string {
  return JSON.stringify(value, undefined, unit).replace(WORDS, (whole, words: string) => {
    const line = `[${words.replace(/,\n\s*/g, ', ')}]`
    return line.length <= LINE_MAX ? line : whole
  })
}
