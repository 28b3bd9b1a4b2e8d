import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../platform/failure.ts'

const FILES_MAX = 20_000
const DEPTH_MAX = 6

/**
 * Lists the files below a folder with this ending, in order, or the file itself. Hidden files are
 * skipped, and links, unless `links` asks for those, wherever they lead. Throws `invalid_input` if nothing is there, `malformed` if there is no such file.
 */
export function listFiles(
  source: string,
  ending: string,
  { links = false }: { links?: boolean } = {},
): string[] {
  const files: string[] = []
  const visit = (folder: string, depth: number) => {
    const entries = readdirSync(folder, { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue
      if (files.length > FILES_MAX) throw tooMany(source)
      const path = join(folder, entry.name)
      if (entry.isDirectory() && depth > 0) visit(path, depth - 1)
      else if (!entry.name.endsWith(ending)) continue
      else if (entry.isFile()) files.push(path)
      else if (links && entry.isSymbolicLink()) files.push(path)
    }
  }
  if (!existsSync(source)) {
    throw new Failure('invalid_input', `${source} is not there; nothing was imported.`)
  }
  if (isFolder(source)) visit(source, DEPTH_MAX)
  else if (source.endsWith(ending)) files.push(source)
  if (files.length > 0) return files
  throw new Failure(
    'malformed',
    `${source} has no files that end in ${ending}; nothing was imported.`,
  )
}

function tooMany(folder: string): Failure {
  const most = FILES_MAX.toLocaleString('en-US')
  return new Failure(
    'invalid_input',
    `${folder} has more than ${most} files; import its folders one by one. Nothing was imported.`,
  )
}

/** True if this is a folder; false if it may not be read. */
export function isFolder(source: string): boolean {
  try {
    return statSync(source).isDirectory()
  } catch {
    return false
  }
}

/** The first file of that ending, to recognise a folder by. */
export function firstFile(source: string, ending: string): string | undefined {
  try {
    return listFiles(source, ending)[0]
  } catch {
    return undefined
  }
}
