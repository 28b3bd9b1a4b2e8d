import type { Notes, Places } from './notes.ts'
import type { Redirect, Token } from './token.ts'
import type { Variables } from './variables.ts'

/** Where the next command runs if this one succeeds, and if it fails; empty if it cannot. */
export type ExitOutcome = { ok: Places; fail: Places }

/**
 * Follows the commands of a subshell, which change neither the folder nor the variables of `shell`.
 */
export type Run = (commands: readonly Token[], places: Places, shell: Shell) => void

export type Shell = {
  notes: Notes
  aliases: Map<string, readonly string[]>
  functions: Map<string, { places: Places; moves: boolean }>
  variables: Variables
  /** What `pushd` keeps; `sure` if it certainly changed the folder. */
  stack: { places: Places; sure: boolean }[]
  /** `set -e`, which applies to a command on its own. */
  stopsAtErrors: boolean
  /** How many compound commands are open. */
  nesting: number
  /** Reads text as commands of this shell; returns where it ends up. */
  read(text: string, places: Places): Places
  /** Reads text as commands of a separate shell. */
  readApart(text: string, places: Places): void
  /**
   * As `readApart`, for text that may become commands: only notes commands that agents may never
   * run.
   */
  readAside(text: string, places: Places): void
}

export type Call = {
  places: Places
  /** Its input is the output of another command. */
  piped: boolean
  redirects: readonly Redirect[]
  /**
   * The output of the commands before it in the pipeline, as far as the command text contains it
   * literally.
   */
  fed: string[]
  shell: Shell
}
