import { wholeEnvironment } from '../config/env.ts'
import { isTerminal } from './is-terminal.ts'

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, grey: 90 } as const
type Colour = keyof typeof CODES

/**
 * Whether standard output (1) or standard error (2) may have colours: only on a terminal, unless
 * NO_COLOR is set (https://no-color.org) or the terminal has none.
 */
export function showsColours(file: 1 | 2): boolean {
  const { NO_COLOR, TERM } = wholeEnvironment()
  return !NO_COLOR && TERM !== 'dumb' && isTerminal(file)
}

/** `text` in a colour, if `colours` are shown. */
export function inColour(colour: Colour, text: string, colours: boolean): string {
  return colours ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
}
