import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

// Twice as long as a scope holds.
const OLD_MS = 24 * 60 * 60_000
// Of each folder, so that no session starts late; the next one goes on.
const LOOKED_AT_MAX = 300
const FOLDERS = ['scope', 'tried', 'unheard', 'told', 'spool', 'baseline', 'made', 'agreed']

/** Removes what sessions left behind that never said goodbye. Never throws. */
export function sweepState(state: string, now: number): void {
  for (const name of FOLDERS) sweepFolder(join(state, name), now)
}

function sweepFolder(folder: string, now: number): void {
  const names = namesIn(folder)
  const begin = names.length > LOOKED_AT_MAX ? Math.floor(Math.random() * names.length) : 0
  const turned = [...names.slice(begin), ...names.slice(0, begin)]
  for (const name of turned.slice(0, LOOKED_AT_MAX)) {
    const path = join(folder, name)
    try {
      const kept = statSync(path, { throwIfNoEntry: false })
      if (kept && now - kept.mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another hook may sweep as well.
    }
  }
}

/** Nothing is kept yet where nothing happened yet. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
