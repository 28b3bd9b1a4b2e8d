import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plugin } from 'bun'
import { parseSync } from 'oxc-parser'

declare global {
  /** Called with the file of every function of `src` that runs. */
  var onRun: ((file: string) => void) | undefined
}

type Node = { type: string; start: number; end: number; body?: Node } & Record<string, unknown>

const ROOT = join(import.meta.dir, '../..')

/** Preloaded, it reports each function of `src` that runs to `onRun`. */
plugin({
  name: 'trace',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const loader = path.endsWith('x') ? 'tsx' : 'ts'
      return {
        contents: path.startsWith(ROOT) ? traced(path.slice(ROOT.length + 1), text) : text,
        loader,
      }
    })
  },
})

/** The text of a file with a call at the beginning of every function. */
function traced(file: string, text: string): string {
  const call = `globalThis.onRun?.(${JSON.stringify(file)})`
  const marks: Array<{ at: number; insert: string }> = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one)
      return
    }
    if (!isNode(node)) return
    const { body } = node
    if (/Function/.test(node.type) && body) {
      if (body.type === 'BlockStatement' || body.type === 'FunctionBody') {
        marks.push({ at: body.start + 1, insert: `${call};` })
      } else {
        marks.push({ at: body.start, insert: `(${call}, ` }, { at: body.end, insert: ')' })
      }
    }
    Object.values(node).forEach(visit)
  }
  visit(parseSync(file, text).program)
  const inOrder = marks.map((mark, i) => ({ ...mark, i })).sort((a, b) => a.at - b.at || a.i - b.i)
  let end = 0
  const parts = inOrder.map(({ at, insert }) => {
    const part = text.slice(end, at) + insert
    end = at
    return part
  })
  return parts.join('') + text.slice(end)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
