import { constants } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import type { ImportDeps } from '../importer.ts'
import { fetchText, isUrl } from '../read-source.ts'
import { DOCUMENT_BYTES_MAX } from './parse-document.ts'

/** One file of the source: its name there, and its bytes or why they were not read. */
export type SourceDocument = { name: string; bytes: Uint8Array } | { name: string; why: string }

// As many as an import takes.
const FILES_MAX = 20_000
const DEPTH_MAX = 12
// Reading goes on while one is parsed; more would hold more of the largest ones in memory.
const AHEAD = 2

/**
 * The documents of a file, an address or a folder, in the order of their names; a few are read
 * ahead. Links and folders beginning with a dot are not followed. Throws `invalid_input` when
 * there is nothing to read, and what an address throws.
 */
export async function* documentsIn(
  source: string,
  deps: ImportDeps,
): AsyncGenerator<{ piece: SourceDocument; of: number }> {
  if (isUrl(source)) {
    const text = await fetchText(source, deps)
    yield { piece: { name: source, bytes: new TextEncoder().encode(text) }, of: 1 }
    return
  }
  const about = await stat(source).catch(() => undefined)
  if (!about?.isDirectory()) {
    if (!about) throw new Failure('invalid_input', `${source} is not there; nothing was imported.`)
    yield { piece: { ...(await readPiece(source)), name: basename(source) }, of: 1 }
    return
  }
  const files = await filesIn(source)
  for await (const [i, piece] of ahead(files, (it) => readPiece(join(source, it)))) {
    yield { piece: { ...piece, name: files[i] as string }, of: files.length }
  }
}

/** Works through a list, a few at a time, and gives the results in its order. */
async function* ahead<T, R>(list: readonly T[], work: (item: T) => Promise<R>) {
  const running: Promise<R>[] = []
  for (const [i, item] of list.entries()) {
    running.push(work(item))
    if (running.length < AHEAD) continue
    yield [i - running.length + 1, (await running.shift()) as R] as const
  }
  while (running.length > 0) {
    yield [list.length - running.length, (await running.shift()) as R] as const
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  async function visit(path: string, depth: number) {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = path ? `${path}/${entry.name}` : entry.name
      const isHidden = entry.name.startsWith('.') || entry.name === 'node_modules'
      if (entry.isDirectory() && !isHidden && depth < DEPTH_MAX) await visit(inner, depth + 1)
      // A folder may well be called something.json.
      else if (entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name)) found.push(inner)
      if (found.length > FILES_MAX) throw tooMany(folder)
    }
  }
  await visit('', 0)
  if (found.length === 0) {
    throw new Failure('invalid_input', `${folder} has no files in JSON or YAML.`)
  }
  return found
}

function tooMany(folder: string): Failure {
  return new Failure(
    'invalid_input',
    `${folder} has more than ${FILES_MAX} files in JSON or YAML; import its folders one by one.`,
  )
}

/** Never throws: a file that cannot be read is one of many. */
async function readPiece(path: string): Promise<{ bytes: Uint8Array } | { why: string }> {
  let file: FileHandle | undefined
  try {
    // A pipe without a writer would be waited for, for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const about = await file.stat()
    if (!about.isFile()) return { why: 'it is no file' }
    if (about.size > DOCUMENT_BYTES_MAX) {
      return { why: `it has more than ${DOCUMENT_BYTES_MAX / 1024 / 1024} MiB` }
    }
    return { bytes: await file.readFile() }
  } catch (error) {
    return { why: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  } finally {
    await file?.close()
  }
}
