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
 * The tree of a JSON text, with comments and commas at the end of lists allowed. Undefined for a
 * text with nothing in it. Throws `BrokenFile` that names the line.
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

/** The value at `path`. Throws `BrokenFile` when a name on the way stands twice. */
export function nodeAt(text: string, tree: Node | undefined, path: JsonPath): Node | undefined {
  let at = tree
  for (const name of path) {
    if (at?.type !== 'object') return undefined
    const found = (at.children ?? []).filter((one) => one.children?.[0]?.value === name)
    const second = found[1]
    if (second) {
      throw new BrokenFile(`"${name}" stands twice, again in line ${lineAt(text, second.offset)}`)
    }
    at = found[0]?.children?.[1]
  }
  return at
}

export function dataOf(node: Node): unknown {
  return getNodeValue(node)
}

/** A path that also leads through items of lists. */
export type ItemPath = ReadonlyArray<string | number>

/** The item at `index` of the list at `path`. */
export function itemAt(tree: Node | undefined, path: ItemPath, index: number): Node | undefined {
  return tree && findNodeAtLocation(tree, [...path, index])
}
