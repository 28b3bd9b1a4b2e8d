import type { Notes, Places } from './notes.ts'
import type { Redirect, Token } from './token.ts'
import type { Variables } from './variables.ts'

/** Where the next command runs if this one did well, and if not; empty: there is none. */
export type Outcome = { ok: Places; fail: Places }

/** Follows commands of a subshell of `shell`, which leave its folder and its variables as they are. */
export type Run = (commands: readonly Token[], places: Places, shell: Shell) => void

export type Shell = {
  notes: Notes
  aliases: Map<string, readonly string[]>
  functions: Map<string, { places: Places; moves: boolean }>
  variables: Variables
  stack: Places[]
  /** `set -e`, which holds for a command that stands alone. */
  stopsAtErrors: boolean
  /** How many compound commands are open. */
  nesting: number
  /** Text as commands of this shell; returns where it ends up. */
  read(text: string, places: Places): Places
  /** Text as commands of a shell of its own. */
  readApart(text: string, places: Places): void
  /** As `readApart`, of what may become commands: only what an agent may never run counts. */
  readAside(text: string, places: Places): void
}

export type Call = {
  places: Places
  /** Its input is the output of another command. */
  piped: boolean
  redirects: readonly Redirect[]
  /** What commands before it in the pipeline say, as far as they spell it out. */
  fed: string[]
  shell: Shell
}
