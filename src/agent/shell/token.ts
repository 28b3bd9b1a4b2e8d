/**
 * A word as the shell reads it. In `raw`, quoted text is hidden (see word-text); `why` says why its
 * value is not known before the command runs. `instead`: the texts of `${x:-text}` and the like, by
 * the names that stand for them in `raw`.
 */
export type Word = {
  is: 'word'
  raw: string
  why?: string
  quoted: boolean
  instead?: Record<string, string>
}
export type Redirect = { is: 'redirect'; op: string; target: Word; body?: string }
/** `run` holds the commands of a substitution; it comes before the word it is part of. */
export type Token = Word | Redirect | { is: 'op'; op: string } | { is: 'run'; tokens: Token[] }

/** Thrown when a command cannot be read; `readShell` turns it into "opaque". */
export class Unreadable extends Error {}
