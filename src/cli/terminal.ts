import { cleanText } from '../kernel/text.ts'

/** A line on standard output: what a script reads. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A line on standard error: what only a person reads. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Rows under a heading, in columns as wide as needed; text from outside cannot move the cursor. */
export function table(heading: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const all = [heading, ...rows].map((row) => row.map((cell) => cleanText(cell)))
  const widths = heading.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
