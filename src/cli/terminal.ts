import { isatty } from 'node:tty'
import { cleanText } from '../kernel/text.ts'

// The console writes at once; opening the streams of `process` takes longer than all of the start.

/** A line on standard output: what a script reads. */
export function say(line: string): void {
  console.log(line)
}

/** Whether a person reads standard output as it is written. */
export function isTerminal(): boolean {
  return isatty(1)
}

/** A line on standard error: what only a person reads. */
export function note(line: string): void {
  console.error(line)
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
