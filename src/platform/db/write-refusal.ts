import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The system's code for why nothing can be written in `folder`; undefined if something can. Only
 * writing proves it: permissions say nothing about a read-only or full disk.
 */
export function writeRefusal(folder: string): string | undefined {
  const probe = join(folder, `.beckon-probe-${process.pid}`)
  try {
    writeFileSync(probe, 'x', { mode: 0o600 })
    return undefined
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code ?? 'unknown')
  } finally {
    rmQuietly(probe)
  }
}

function rmQuietly(path: string) {
  try {
    rmSync(path, { force: true })
  } catch {}
}
