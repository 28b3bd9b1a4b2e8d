import { constants, type Dirent, readdirSync } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Failure } from '../../../platform/failure.ts'
import { DOCUMENT_BYTES_MAX, parseDocument } from '../../facts/openapi/parse-document.ts'
import { documentUrl } from '../document-url.ts'
import { type ImportDeps, type Importer, type Item, utcDay } from '../importer.ts'
import { fetchText, isUrl, readStart } from '../read-source.ts'
import { apiFacts, type ReadApi } from './api-facts.ts'

const PREFIX = /^openapi:/
const NAMED = /(openapi|swagger)[^/]*\.(json|ya?ml)$|\/v[23]\/api-docs$/i
const BEGINS = /"(openapi|swagger)"\s*:\s*"?[23]|^(openapi|swagger)\s*:/m
// A few files are enough to recognise a folder.
const LOOKED_AT_MAX = 20

/** APIs described by OpenAPI 3 or Swagger 2.0: a document, its address, or a folder of thousands. */
export const OPENAPI: Importer = {
  name: 'openapi',
  about: 'an OpenAPI document',
  recognises(source) {
    if (PREFIX.test(source)) return true
    if (isUrl(source)) return NAMED.test(URL.parse(source)?.pathname ?? '')
    return BEGINS.test(readStart(source)) || isFolderOf(source)
  },
  async *read(input, deps) {
    const source = input.replace(PREFIX, '')
    const newest = new Map<string, NewestApi>()
    yield* readAll(source, deps, newest)
    const addresses = Map.groupBy(newest.values(), ({ api }) => api.item.from.formerly)
    for (const one of newest.values()) {
      yield* leftOut(one)
      const { item } = one.api
      const { formerly = '' } = item.from
      // Earlier versions told those of one address apart by their slugs.
      const isAlone = addresses.get(formerly)?.length === 1
      const before = isAlone ? formerly : `${formerly.replace(/#.*$/, '')}#${item.slug}`
      yield { ...item, from: { ...item.from, formerly: before } }
    }
  },
}

/** Reads one document after the other, and keeps the facts of each API's newest version. */
async function* readAll(
  source: string,
  deps: ImportDeps,
  newest: Map<string, NewestApi>,
): AsyncGenerator<Item> {
  let done = 0
  const unread: Array<{ name: string; why: string }> = []
  for await (const { piece, of } of documentsIn(source, deps)) {
    if (deps.signal?.aborted) return
    const wrong: Item[] = []
    const parsed = 'why' in piece ? piece : parseDocument(piece.bytes)
    const about = {
      name: piece.name,
      url: isUrl(source) ? source : documentUrl(source, piece.path, deps.at),
      read: utcDay(deps.now),
      tell: (it: Item) => wrong.push(it),
    }
    const api = 'why' in parsed ? parsed : apiFacts(parsed.document, about)
    yield* wrong
    if ('why' in parsed) unread.push({ name: piece.name, why: parsed.why })
    if ('why' in api) yield { skipped: piece.name, why: api.why }
    else keepNewest(newest, api, piece.name)
    deps.progress(++done, of)
  }
  const [first] = unread
  if (first && unread.length === done) throw nothingRead(source, first, done)
}

/** A source of which nothing could be read is not an import of nothing. */
function nothingRead(
  source: string,
  { name, why }: { name: string; why: string },
  documents: number,
): Failure {
  const reason =
    documents === 1 ? `cannot be read: ${why}` : `has no document that can be read; ${name}: ${why}`
  return new Failure('malformed', `${source} ${reason}; nothing was imported.`)
}

type NewestApi = { api: ReadApi; name: string; others: Array<{ name: string; version: string }> }

/** Keeps the newest of the documents of one API, with the names of the others. */
function keepNewest(newest: Map<string, NewestApi>, api: ReadApi, name: string): void {
  const key = api.item.from.id
  const there = newest.get(key)
  if (!there) newest.set(key, { api, name, others: [] })
  else if (isNewer(api, there.api)) {
    const others = [...there.others, { name: there.name, version: there.api.version }]
    newest.set(key, { api, name, others })
  } else there.others.push({ name, version: api.version })
}

/** Each document that was left out for another one of the same API. */
function* leftOut({ api, name, others }: NewestApi): Generator<Item> {
  const version = api.version || 'no version'
  for (const other of others) {
    const why = `it describes the same API as ${name}, which was taken: same name and address, ${version} there, ${other.version || 'no version'} here`
    yield { skipped: other.name, why }
  }
}

function isFolderOf(source: string): boolean {
  const files: string[] = []
  const visit = (path: string) => {
    for (const entry of listed(path)) {
      if (files.length >= LOOKED_AT_MAX) return
      if (entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name)) files.push(join(path, entry.name))
      else if (entry.isDirectory() && !entry.name.startsWith('.')) visit(join(path, entry.name))
    }
  }
  visit(source)
  return files.some((it) => BEGINS.test(readStart(it)))
}

function listed(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

const PREVIEW = /alpha|beta|preview|rc|dev/i

/** True if `a` is kept rather than `b`: the preferred one, else the higher version, else the later file. */
function isNewer(a: ReadApi, b: ReadApi): boolean {
  if (a.isPreferred !== b.isPreferred) return a.isPreferred
  return (compareVersions(a.version, b.version) || compareVersions(a.suffix, b.suffix)) >= 0
}

/** Compares the numbers in order; a preview is older than its release. */
function compareVersions(a: string, b: string): number {
  const [ours, theirs] = [numbersIn(a), numbersIn(b)]
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const difference = (ours[i] ?? 0) - (theirs[i] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(PREVIEW.test(b)) - Number(PREVIEW.test(a))
}

function numbersIn(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number)
}

/** One file of the source: its name there, and its bytes or why they were not read. */
type SourceDocument = { name: string; path: string } & ({ bytes: Uint8Array } | { why: string })

// The most documents of one import.
const FILES_MAX = 20_000
const DEPTH_MAX = 12
// Files are read ahead while one is parsed; more would use too much memory.
const AHEAD = 2

/**
 * The documents of a file, an address or a folder, in the order of their names; a few are read
 * ahead. Links and folders beginning with a dot are not followed. Throws `invalid_input` when
 * there is nothing to read, and what an address throws.
 */
async function* documentsIn(
  source: string,
  deps: ImportDeps,
): AsyncGenerator<{ piece: SourceDocument; of: number }> {
  if (isUrl(source)) {
    const text = await fetchText(source, deps)
    const bytes = new TextEncoder().encode(text)
    yield { piece: { name: source, path: source, bytes }, of: 1 }
    return
  }
  const about = await stat(source).catch(() => undefined)
  if (!about?.isDirectory()) {
    if (!about) throw new Failure('invalid_input', `${source} is not there; nothing was imported.`)
    const piece = { ...(await readPiece(source)), name: basename(source), path: source }
    yield { piece, of: 1 }
    return
  }
  const files = await filesIn(source)
  for await (const [i, piece] of ahead(files, (it) => readPiece(join(source, it)))) {
    const name = files[i] as string
    yield { piece: { ...piece, name, path: join(source, name) }, of: files.length }
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
  const files: string[] = []
  async function visit(path: string, depth: number) {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = path ? `${path}/${entry.name}` : entry.name
      const isHidden = entry.name.startsWith('.') || entry.name === 'node_modules'
      if (entry.isDirectory() && !isHidden && depth < DEPTH_MAX) await visit(inner, depth + 1)
      // A folder may well be called something.json.
      else if (entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name)) files.push(inner)
      if (files.length > FILES_MAX) throw tooMany(folder)
    }
  }
  await visit('', 0)
  if (files.length === 0) {
    throw new Failure('malformed', `${folder} has no files in JSON or YAML.`)
  }
  return files
}

function tooMany(folder: string): Failure {
  return new Failure(
    'invalid_input',
    `${folder} has more than ${FILES_MAX} files in JSON or YAML; import its folders one by one.`,
  )
}

/** Never throws: one unreadable file must not stop the others. */
async function readPiece(path: string): Promise<{ bytes: Uint8Array } | { why: string }> {
  let file: FileHandle | undefined
  try {
    // Opening a pipe without a writer would block for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const about = await file.stat()
    if (!about.isFile()) return { why: 'it is not a file' }
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
