import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import type { ImportPlan } from './plan-import.ts'

/**
 * Writes the files of a plan one after the other, each atomically, in an order that keeps the
 * folder valid wherever it stops. Files that were edited in the meantime are kept, and their paths
 * returned. Throws `unavailable` if the folder cannot be written to.
 */
export function writePlan(
  folder: string,
  { files }: ImportPlan,
  progress: (done: number, of: number) => void,
): string[] {
  const unchanged: string[] = []
  let done = 0
  for (const [path, { before, after }] of inOrder(files)) {
    if (currentText(join(folder, path)) !== before) unchanged.push(path)
    else writeWhole(folder, path, after)
    progress(++done, files.size)
  }
  return unchanged
}

const ORDER = ['catalog.yaml', 'vendors', 'tools', 'changes']

function inOrder(files: ImportPlan['files']) {
  const rank = (path: string) => ORDER.indexOf(path.split('/')[0] ?? '')
  return [...files].sort(([a], [b]) => rank(a) - rank(b))
}

/** The text of a file as it is; undefined if the file does not exist. */
export function currentText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Renamed into place: a file is never half written. */
export function writeWhole(folder: string, path: string, text: string): void {
  const target = join(folder, path)
  // The reader of the folder skips hidden files.
  const beside = join(dirname(target), `.${basename(target)}.new`)
  try {
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(beside, text)
    renameSync(beside, target)
  } catch (error) {
    rmSync(beside, { force: true })
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Failure(
      'unavailable',
      `${target} cannot be written (${code}); the files written so far are complete: run the import again.`,
      { cause: error },
    )
  }
}
