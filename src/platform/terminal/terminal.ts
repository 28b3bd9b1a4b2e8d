import { writeErrorLine, writeOutputLine } from '../standard-streams.ts'
import { cleanLine, visibleText } from '../text.ts'
import { inColour, showsColours } from './colours.ts'
import { isTerminal } from './is-terminal.ts'

/**
 * A line on standard output, for scripts. Text from outside cannot control the terminal. Throws
 * `unavailable` if it cannot be written, as on a full disk.
 */
export function say(line: string): void {
  writeOutputLine(visibleText(line))
}

/** As `say`, with our own colours: text from outside must have gone through `visibleText`. */
export function sayDrawn(lines: string): void {
  writeOutputLine(lines)
}

const COLUMNS = 80

/** The width of standard output in columns, as a person sees it. */
export function terminalWidth(): number {
  return (isTerminal(1) && process.stdout.columns) || COLUMNS
}

/** A line on standard error, for people only. Safe as `say` is. */
export function note(line: string): void {
  writeErrorLine(visibleText(line))
}

/** As `note`, for errors: red on a terminal. */
export function noteError(line: string): void {
  writeErrorLine(inColour('red', visibleText(line), showsColours(2)))
}

/** As `note`, for our own drawings. */
export function noteDrawn(lines: string): void {
  writeErrorLine(lines)
}

/** Rows under a heading, in columns as wide as needed; text from outside cannot move the cursor. */
export function table(heading: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const all = [heading, ...rows].map((row) => row.map((cell) => cleanLine(cell)))
  const widths = heading.map((_, i) => Math.max(...all.map((row) => Bun.stringWidth(row[i] ?? ''))))
  const padded = (cell: string, i: number) =>
    cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - Bun.stringWidth(cell)))
  return all.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}
