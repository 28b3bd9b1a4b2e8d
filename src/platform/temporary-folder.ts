import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

// A folder of this age was left by a process that was killed.
const LEFT_MS = 60 * 60_000

/**
 * A new folder in `parent` whose name begins with `prefix`; disposing removes it with its contents.
 * Folders that killed processes left there are removed, too. Throws what the file system throws.
 */
export function temporaryFolder(parent: string, prefix: string): Disposable & { path: string } {
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix)) removeLeft(join(parent, name))
  const path = mkdtempSync(join(parent, prefix))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function removeLeft(path: string): void {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Date.now() - changedAt > LEFT_MS) rmSync(path, { recursive: true, force: true })
}
