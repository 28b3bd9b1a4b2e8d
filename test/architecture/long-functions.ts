import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { parseSync } from 'oxc-parser'

/** A function with more lines of its own than `LINES_MAX`: without functions inside it, comments and blank lines. */
export type LongFunction = { file: string; name: string; lines: number }

export const LINES_MAX = 60

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/** The long functions of a folder. Biome's rule counts no JSX, so that a page could be any length. */
export function longFunctionsIn(root: string): LongFunction[] {
  const files = [...new Glob('**/*.{ts,tsx}').scanSync(root)].sort()
  return files.flatMap((file) => longFunctions(file, readFileSync(join(root, file), 'utf8')))
}

/** The long functions of one file. */
export function longFunctions(file: string, text: string): LongFunction[] {
  const functions: LongFunction[] = []
  const visit = (value: unknown, name: string): number => {
    if (Array.isArray(value)) return value.reduce((sum, one) => sum + visit(one, name), 0)
    if (!isNode(value)) return 0
    const own = nameOf(value) ?? name
    const inner = Object.values(value).reduce((sum: number, one) => sum + visit(one, own), 0)
    const { body } = value
    if (!/Function/.test(value.type) || !isNode(body)) return inner
    const all = codeLines(text.slice(body.start, body.end))
    if (all - inner > LINES_MAX) functions.push({ file, name: own, lines: all - inner })
    // The lines on which an inner function begins and ends belong to the outer one, too.
    return Math.max(0, all - 2)
  }
  visit(parseSync(file, text).program, '')
  return functions
}

function codeLines(text: string): number {
  return text.split('\n').filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length
}

function nameOf(node: Node): string | undefined {
  const { id, key } = node as { id?: { name?: string }; key?: { name?: string } }
  return id?.name ?? key?.name
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
