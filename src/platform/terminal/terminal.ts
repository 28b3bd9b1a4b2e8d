import { fstatSync } from 'node:fs'
import { wholeEnvironment } from '../config/env.ts'
import { writeErrorLine, writeOutputLine } from '../standard-streams.ts'
import { cleanLine, visibleText } from '../text.ts'

/**
 * Returns true if a person is at this end: standard input (0), output (1) or error (2). Every short
 * command waits for its imports, and `node:tty` takes longer than the rest of the start (it loads
 * streams and sockets), so it is only loaded if the end may be a terminal.
 */
export function isTerminal(file: 0 | 1 | 2): boolean {
  try {
    if (!fstatSync(file).isCharacterDevice()) return false
  } catch {
    // The descriptor is closed.
    return false
  }
  return process.getBuiltinModule('node:tty').isatty(file)
}

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 } as const
type Colour = keyof typeof CODES

/**
 * Returns true if standard output (1) or standard error (2) may have colours: only on a terminal,
 * unless NO_COLOR is set (https://no-color.org) or the terminal has none.
 */
export function showsColours(file: 1 | 2): boolean {
  const { NO_COLOR, TERM } = wholeEnvironment()
  return !NO_COLOR && TERM !== 'dumb' && isTerminal(file)
}

/** `text` in a colour, if `colours` are shown. */
export function inColour(colour: Colour, text: string, colours: boolean): string {
  return colours ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
}

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
