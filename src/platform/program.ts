import about from '../../package.json' with { type: 'json' }

/** The version of this program, from its package. */
export const VERSION: string = about.version

/** The words that start this program again. */
export function restartWords(): string[] {
  return isExecutable() ? [process.execPath] : [process.execPath, Bun.main]
}

/** Returns true if this is the compiled executable: its main file is not in a folder on disk. */
export function isExecutable(): boolean {
  return /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN)/.test(Bun.main)
}
