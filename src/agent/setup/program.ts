import { realpathSync } from 'node:fs'
import { join } from 'node:path'

/** How a client starts this program: absolute, and the same after an upgrade in place. */
export type Program = { command: string; args: readonly string[] }

/** The running program: the executable, or Bun with the main file of a clone. */
export function ownProgram(): Program {
  const main = Bun.main
  // Inside an executable the main file is in no folder of the disk.
  if (main.startsWith('/$bunfs/') || /^[A-Z]:[\\/]~BUN[\\/]/.test(main)) {
    return { command: stableName(process.execPath), args: [] }
  }
  // Bun reads settings of the folder that it runs in, and runs code that they name: not the agent's.
  const own = ['--no-env-file', `--config=${join(import.meta.dir, '../../../bunfig.toml')}`]
  return { command: process.execPath, args: [...own, join(main)] }
}

/** The link in PATH that leads to `path`, which an upgrade moves along; else `path` itself. */
function stableName(path: string): string {
  const found = Bun.which('beckon')
  try {
    return found && realpathSync(found) === realpathSync(path) ? found : path
  } catch {
    return path
  }
}

/** The words of one of our commands. */
export function wordsOf({ command, args }: Program, ...more: string[]): [string, ...string[]] {
  return [command, ...args, ...more]
}

/** The words as one command line for a POSIX shell. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
