import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stampOf } from './kept-files.ts'
import { listFolder } from './list-folder.ts'

// Between so many files other work may go first.
const FILES_AT_ONCE = 200

/** Another text when a file of the catalog is new, gone, or has been written. Never throws. */
export async function folderStamp(dir: string): Promise<string> {
  const here = await readdir(dir).catch(() => undefined)
  if (!here) return `no folder: ${stampOf(dir)}`
  const listed = await listFolder(dir).catch(() => undefined)
  if (!listed) return 'no folder'
  // Settings, methodology and removed are files beside the folders.
  const beside = here.filter((name) => /\.ya?ml$/.test(name)).sort()
  const paths = [...beside, ...listed.entries.map(({ path }) => path)]
  const stamps = [JSON.stringify(listed.problems)]
  for (const [i, path] of paths.entries()) {
    stamps.push(`${path} ${stampOf(join(dir, path))}`)
    if (i % FILES_AT_ONCE === FILES_AT_ONCE - 1) await Bun.sleep(0)
  }
  return Bun.hash(stamps.join('\n')).toString(36)
}
