import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

// A folder of this age was left by a process that was killed.
const LEFT_MS = 60 * 60_000

const ENDING = ['SIGINT', 'SIGTERM'] as const

/**
 * A new folder in `parent` whose name begins with `prefix`. Disposing removes it with its contents,
 * and so does a signal that ends the process, which must not wait for the same signals itself.
 * Folders that killed processes left there are removed, too. Throws what the file system throws.
 */
export function temporaryFolder(parent: string, prefix: string): Disposable & { path: string } {
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix)) removeLeft(join(parent, name))
  const path = mkdtempSync(join(parent, prefix))
  const remove = () => rmSync(path, { recursive: true, force: true })
  const end = (signal: (typeof ENDING)[number]) => {
    remove()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of ENDING) process.on(signal, end)
  return {
    path,
    [Symbol.dispose]() {
      for (const signal of ENDING) process.off(signal, end)
      remove()
    },
  }
}

function removeLeft(path: string): void {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Date.now() - changedAt > LEFT_MS) rmSync(path, { recursive: true, force: true })
}
