import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { byText } from '../feeds/listing-order.ts'
import type { Coding } from '../feeds/negotiate.ts'
import type { Serve } from '../feeds/serve.ts'
import type { Tombstone } from '../records/change.ts'
import {
  GONE,
  goneFile,
  headersFile,
  NOT_FOUND_FILES,
  nginxFile,
  redirectsFile,
} from './extra-files.ts'
import { filesOf, type Typed } from './file-layout.ts'
import {
  deadAddresses,
  requestDocument,
  type ServedDocument,
  signedFiles,
} from './served-documents.ts'
import { swapFolders } from './swap-folders.ts'

export type ExportDeps = {
  /** Answers requests as the server does. */
  answer: Serve
  /** Every address with a whole document. */
  paths: readonly string[]
  removed: readonly Tombstone[]
  /** Whether the manifest and the other files for mirrors are written, too. */
  signed: boolean
  /** The catalog's address, without a slash at the end. */
  baseUrl: string
  /** Milliseconds since 1970; the time of files that are written. */
  now: number
  onProgress?(done: number, of: number): void
}

/** Numbers of files, compressed versions included. */
export type ExportSummary = {
  files: number
  written: number
  kept: number
  dropped: number
  bytes: number
}

const STATE_FILE = '.beckon-export.json'
/** The compressed versions, by the ending of their files. */
export const TWINS: ReadonlyArray<readonly [Coding, string]> = [
  ['gzip', '.gz'],
  ['br', '.br'],
  ['zstd', '.zst'],
]

const NO_BYTES = new Uint8Array()

/** Hash of each file (without compressed versions) by its path in the folder. */
type State = { version: 1; files: Record<string, string> }

/**
 * Writes every document of the catalog into `folder`, with compressed versions where they are
 * smaller, and configuration for static web servers. The new folder is complete before it replaces
 * the old one; an unchanged file keeps its inode and time. Throws `conflict` if the folder has
 * other content, `unavailable` if it cannot be written.
 */
export async function exportSite(folder: string, deps: ExportDeps): Promise<ExportSummary> {
  const before = readState(folder)
  const next = `${folder}.next`
  try {
    rmSync(next, { recursive: true, force: true })
    mkdirSync(next, { recursive: true })
    const done = await fill({ folder, next, before, ...deps })
    if (done.written + done.dropped > 0) swapFolders(next, folder)
    else rmSync(next, { recursive: true })
    return done
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof Failure || typeof code !== 'string') throw error
    throw new Failure(
      'unavailable',
      `The export could not be written to ${folder} (${code}); the folder is unchanged.${hint(code)}`,
      { cause: error },
    )
  }
}

function hint(code: string): string {
  if (code !== 'EBUSY' && code !== 'EXDEV') return ''
  return ' It is swapped as a whole: name a folder inside of a mounted one, not the mount itself.'
}

type Filling = ExportDeps & { folder: string; next: string; before: State }

async function fill(filling: Filling): Promise<ExportSummary> {
  const { answer, paths, removed, signed, baseUrl, before, onProgress } = filling
  const hashes = new Map<string, string>()
  const counts = { files: 0, written: 0, kept: 0, bytes: 0 }
  const documents: Typed[] = []
  const headers = new Map<string, Headers>()
  const put = async (file: string, said: Pick<ServedDocument, 'bytes'>, twins?: Twins) => {
    const hash = createHash('sha256').update(said.bytes).digest('hex')
    hashes.set(file, hash)
    const same = before.files[file] === hash && keep(filling, file)
    const added = same || (await write(filling, file, said.bytes, twins))
    counts[same ? 'kept' : 'written'] += added.files
    counts.files += added.files
    counts.bytes += added.bytes
  }
  for (const [i, path] of [...paths].sort(byText).entries()) {
    const said = await requestDocument(answer, path, 'identity')
    if (said.status !== 200) throw new Error(`${path} answers ${said.status}`)
    documents.push({ path, type: said.type, link: said.headers.get('link') })
    headers.set(kindOf(said), said.headers)
    for (const file of filesOf(said)) {
      await put(file, said, async (coding) => (await requestDocument(answer, path, coding)).bytes)
    }
    onProgress?.(i + 1, paths.length)
  }
  const forMirrors: ServedDocument[] = []
  if (signed) {
    for await (const said of signedFiles(answer)) {
      forMirrors.push({ ...said, bytes: NO_BYTES })
      await put(said.path, said)
    }
  }
  const dead: ServedDocument[] = []
  for (const path of deadAddresses(removed)) {
    const said = await requestDocument(answer, path, 'identity')
    if (said.status === 200) continue
    dead.push(said)
    if (said.status >= 400) await put(goneFile(said), said)
  }
  const nothing = await requestDocument(answer, '/tools/-', 'identity')
  await put(NOT_FOUND_FILES.page, nothing)
  await put(NOT_FOUND_FILES.json, await requestDocument(answer, '/api/v1/tools/-', 'identity'))
  const of = (kind: string) => headers.get(kind) ?? new Headers()
  const whole = {
    documents,
    dead,
    forMirrors,
    baseUrl,
    headers: {
      document: of('document'),
      page: of('page'),
      asset: of('asset'),
      refusal: nothing.headers,
    },
  }
  for (const [file, text] of Object.entries(SERVER_FILES)) {
    await put(file, { bytes: Buffer.from(text(whole)) })
  }
  const files = Object.fromEntries([...hashes].sort(([a], [b]) => byText(a, b)))
  await write(filling, `/${STATE_FILE}`, Buffer.from(`${JSON.stringify({ version: 1, files })}\n`))
  const dropped = Object.keys(before.files).filter((file) => !hashes.has(file)).length
  return { ...counts, dropped }
}

const SERVER_FILES = {
  '/_nginx.conf': nginxFile,
  '/_redirects': redirectsFile,
  '/_headers': headersFile,
}

/**
 * Whether no manifest lists this file of an export: what a web server needs, the answers at former
 * addresses, and the description, which is another one where a whole server runs.
 */
export function isUnsignedFile(file: string): boolean {
  if (Object.hasOwn(SERVER_FILES, file) || file === `/${STATE_FILE}`) return true
  return file.startsWith(`${GONE}/`) || /^\/openapi\.json(\.\w+)?$/.test(file)
}

function kindOf({ type, headers }: ServedDocument): string {
  if (headers.get('cache-control')?.includes('immutable')) return 'asset'
  return type.startsWith('text/html') ? 'page' : 'document'
}

type Twins = (coding: Coding) => Promise<Uint8Array>
type Added = { files: number; bytes: number }

/** Links the file of the last export with its compressed versions; undefined if it is gone. */
function keep({ folder, next }: Filling, file: string): Added | undefined {
  if (!existsSync(join(folder, file))) return undefined
  const own = ['', ...TWINS.map(([, ending]) => ending)].filter((ending) =>
    existsSync(join(folder, file + ending)),
  )
  let bytes = 0
  for (const ending of own) {
    const from = join(folder, file + ending)
    same(from, placeFor(next, file + ending))
    bytes += statSync(from).size
  }
  return { files: own.length, bytes }
}

/** Links the file, or copies it with the same time where links are not supported. */
function same(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
    const { atime, mtime } = statSync(from)
    utimesSync(to, atime, mtime)
  }
}

async function write(
  filling: Filling,
  file: string,
  bytes: Uint8Array,
  twins?: Twins,
): Promise<Added> {
  const at = timeFor(filling, file)
  const added = { files: 0, bytes: 0 }
  const one = (name: string, body: Uint8Array) => {
    const to = placeFor(filling.next, name)
    writeFileSync(to, body)
    utimesSync(to, at, at)
    added.files++
    added.bytes += body.length
  }
  one(file, bytes)
  if (twins) {
    for (const [coding, ending] of TWINS) {
      const twin = await twins(coding)
      if (twin.length < bytes.length) one(file + ending, twin)
    }
  }
  return added
}

/** In whole seconds and later than before, because static servers compare versions by time. */
function timeFor({ folder, now }: Filling, file: string): number {
  const seconds = Math.floor(now / 1000)
  const was = statSync(join(folder, file), { throwIfNoEntry: false })
  return was ? Math.max(seconds, Math.floor(was.mtimeMs / 1000) + 1) : seconds
}

function placeFor(next: string, file: string): string {
  const to = join(next, file)
  mkdirSync(dirname(to), { recursive: true })
  return to
}

function readState(folder: string): State {
  const none: State = { version: 1, files: {} }
  if (!existsSync(folder) || readdirSync(folder).length === 0) return none
  try {
    const state = JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')) as State
    return state.version === 1 ? state : none
  } catch {
    throw new Failure(
      'conflict',
      `${folder} has something in it that no export wrote; nothing was changed. Name an empty or a new folder.`,
    )
  }
}
