import type { FileChange, ShownLine } from '../change.ts'
import { byLine, type Colour, coloursIn } from './colours.ts'
import { languageOf } from './highlighter.ts'

/**
 * The colours of a change of one file by its lines; `path` is the file if the change does not say.
 * The old and the new text are read separately, and each hunk alone, because the lines between
 * hunks are not known.
 */
export function changeColours(
  { name, lines }: FileChange,
  path: string | undefined,
): Map<ShownLine, Colour[]> {
  const coloured = new Map<ShownLine, Colour[]>()
  const language = languageOf(name ?? path)
  if (language === undefined) return coloured
  for (const hunk of hunksOf(lines)) {
    for (const other of ['add', 'del'] as const) {
      const side = hunk.filter(({ kind }) => kind !== other)
      const text = side.map((line) => line.text.slice(1)).join('\n')
      const colours = byLine(text, coloursIn(text, language))
      for (const [at, line] of side.entries()) coloured.set(line, behindSign(colours[at] ?? []))
    }
  }
  return coloured
}

function behindSign(colours: readonly Colour[]): Colour[] {
  return colours.map(({ from, to, is }) => ({ from: from + 1, to: to + 1, is }))
}

function hunksOf(lines: readonly ShownLine[]): ShownLine[][] {
  const hunks: ShownLine[][] = [[]]
  for (const line of lines) {
    if (line.kind === 'meta') hunks.push([])
    else hunks.at(-1)?.push(line)
  }
  return hunks.filter(({ length }) => length > 0)
}
