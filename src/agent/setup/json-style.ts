import type { Node } from 'jsonc-parser'

/** How a file is written, so that what is added looks like what stands there. */
export type Style = { eol: '\n' | '\r\n'; unit: string; oneLine: boolean }

export function styleOf(text: string, tree: Node | undefined): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const first = tree?.children?.[0]
  const unit = first ? indentBefore(text, first.offset) : undefined
  const oneLine = first !== undefined && !text.trim().includes('\n')
  return { eol, unit: unit || '  ', oneLine }
}

/** The blanks before `offset` when nothing else stands before it on its line. */
export function indentBefore(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const before = text.slice(start, offset)
  return /^[ \t]*$/.test(before) ? before : undefined
}

/** The blanks at the start of the line of `offset`. */
export function indentOfLine(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** `value` as JSON whose further lines are indented by `indent`. */
export function printed(value: unknown, style: Style, indent: string): string {
  if (style.oneLine) return JSON.stringify(value)
  return expanded(value, style.unit).replaceAll('\n', style.eol + indent)
}

// A command with its words is one line, however long its paths are.
const LINE_MAX = 1_000
// A list of words, as `JSON.stringify` spreads it over several lines.
const WORDS = /\[\n\s*("[^"\n]*"(?:,\n\s*"[^"\n]*")*)\n\s*\]/g

/** JSON over several lines, with lists of words on one, as people write it. */
export function expanded(value: unknown, unit = '  '): string {
  return JSON.stringify(value, undefined, unit).replace(WORDS, (whole, words: string) => {
    const line = `[${words.replace(/,\n\s*/g, ', ')}]`
    return line.length <= LINE_MAX ? line : whole
  })
}
