import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { garbageCollector } from '../../platform/collect-garbage.ts'
import { Failure } from '../../platform/failure.ts'
import { SNAPSHOT_TYPE } from '../feeds/archive-file.ts'
import { byText } from '../feeds/listing-order.ts'
import {
  BLOB_PREFIX,
  MANIFEST_PATH,
  MINISIGN_PATHS,
  SIGNED_PATHS,
  SNAPSHOT_PATH,
} from '../feeds/manifest-paths.ts'
import { archiveChunks } from '../feeds/pack-archive.ts'
import type { Serve } from '../feeds/serve.ts'
import { forEachLimited } from '../probing/for-each-limited.ts'
import type { Tombstone } from '../records/change.ts'
import type { Manifest, ManifestFile } from '../signing/manifest.ts'
import {
  GONE,
  goneFile,
  headersFile,
  NOT_FOUND_FILES,
  nginxFile,
  redirectsFile,
} from './extra-files.ts'
import { fileOf, filesOf, type Typed } from './file-layout.ts'
import { lockExport } from './lock-export.ts'
import { deadAddresses, requestDocument, type ServedDocument } from './served-documents.ts'
import {
  type ExportSummary,
  readExportState,
  type SiteFiles,
  STATE_FILE,
  siteFiles,
} from './site-files.ts'
import { swapFolders } from './swap-folders.ts'

export type ExportDeps = {
  /** Answers requests as the server does. */
  answer: Serve
  /** Every address with a whole document. */
  paths: readonly string[]
  removed: readonly Tombstone[]
  /**
   * Signs the documents, before the manifest and the other files for mirrors are asked for; without
   * it none of these is written.
   */
  sign?(files: ManifestFile[]): Promise<void>
  /** The catalog's address, without a slash at the end. */
  baseUrl: string
  /** Milliseconds since 1970; the time of files that are written. */
  now: number
  onProgress?(done: number, of: number): void
}

const NO_BYTES = new Uint8Array()
// While one is made, others are compressed on other threads.
const DOCUMENTS_AT_ONCE = 2

/**
 * Writes every document of the catalog into `folder`, with compressed versions where they are
 * smaller, and configuration for static web servers. The new folder is complete before it replaces
 * the old one; an unchanged file keeps its inode and time. Throws `conflict` if the folder has
 * other content, `unavailable` if it cannot be written.
 */
export async function exportSite(folder: string, deps: ExportDeps): Promise<ExportSummary> {
  const next = `${folder}.next`
  try {
    using _lock = lockExport(folder)
    const before = readExportState(folder)
    try {
      rmSync(next, { recursive: true, force: true })
      mkdirSync(next, { recursive: true })
      const done = await fill(siteFiles({ folder, next, before, now: deps.now }), next, deps)
      if (done.written + done.dropped > 0) swapFolders(next, folder)
      return done
    } finally {
      rmSync(next, { recursive: true, force: true })
    }
  } catch (error) {
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

async function fill(files: SiteFiles, next: string, deps: ExportDeps): Promise<ExportSummary> {
  const { answer, removed, sign, baseUrl } = deps
  const { documents, headers } = await putDocuments(files, deps)
  await sign?.(documents.map(({ link: _, ...file }) => file))
  const forMirrors = sign ? await putSigned(files, next, answer) : []
  const dead: ServedDocument[] = []
  for (const path of deadAddresses(removed)) {
    const document = await requestDocument(answer, path)
    if (document.status === 200) continue
    dead.push(document)
    if (document.status >= 400) await files.put(goneFile(document), document.bytes)
  }
  const nothing = await requestDocument(answer, '/tools/-')
  await files.put(NOT_FOUND_FILES.page, nothing.bytes)
  const noTool = await requestDocument(answer, '/api/v1/tools/-')
  await files.put(NOT_FOUND_FILES.json, noTool.bytes)
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
    await files.put(file, Buffer.from(text(whole)))
  }
  return await files.finish()
}

/** Every document, and the headers of each kind. */
async function putDocuments(files: SiteFiles, { answer, paths, onProgress }: ExportDeps) {
  const documents: Array<Typed & ManifestFile> = []
  const headers = new Map<string, Headers>()
  const collect = garbageCollector()
  let done = 0
  await forEachLimited([...paths].sort(byText), DOCUMENTS_AT_ONCE, async (path) => {
    const document = await whole(answer, path)
    const { type, bytes } = document
    headers.set(kindOf(document), document.headers)
    let sha256 = ''
    for (const file of filesOf(document)) sha256 = await files.put(file, bytes, { twins: true })
    const link = document.headers.get('link')
    documents.push({ path, type, sha256, size: bytes.length, link })
    collect(bytes.length)
    onProgress?.(++done, paths.length)
  })
  documents.sort((a, b) => byText(a.path, b.path))
  return { documents, headers }
}

/**
 * The manifest with its signature and keys, each document under its hash, and the archive of them
 * all. Returns an answer of each kind, without its bytes.
 */
async function putSigned(files: SiteFiles, next: string, answer: Serve): Promise<ServedDocument[]> {
  const family: ServedDocument[] = []
  for (const path of SIGNED_PATHS) {
    const document = await whole(answer, path)
    await files.put(path, document.bytes)
    family.push({ ...document, bytes: NO_BYTES })
  }
  for (const path of MINISIGN_PATHS) {
    const document = await requestDocument(answer, path)
    if (document.status !== 200) continue
    await files.put(path, document.bytes)
    family.push({ ...document, bytes: NO_BYTES })
  }
  const manifest = JSON.parse(readFileSync(join(next, MANIFEST_PATH), 'utf8')) as Manifest
  const byHash = new Map(manifest.files.map((file) => [file.sha256, file]))
  for (const [sha256, file] of byHash) {
    if (files.putSame(`${BLOB_PREFIX}${sha256}`, fileOf(file), sha256)) continue
    throw new Error(`${file.path} has other bytes than its manifest says`)
  }
  // All that the archive holds follows from these.
  if (!SIGNED_PATHS.every((path) => files.isKept(path)) || !files.keep(SNAPSHOT_PATH)) {
    const read = (path: string) => [readFileSync(join(next, path))]
    await files.putChunks(SNAPSHOT_PATH, archiveChunks(manifest, read))
  }
  const [first] = byHash.keys()
  const blob = first && (await whole(answer, `${BLOB_PREFIX}${first}`))
  const [like] = family
  return [
    ...family,
    ...(like ? [{ ...like, path: SNAPSHOT_PATH, type: SNAPSHOT_TYPE }] : []),
    ...(blob ? [{ ...blob, bytes: NO_BYTES }] : []),
  ]
}

async function whole(answer: Serve, path: string): Promise<ServedDocument> {
  const document = await requestDocument(answer, path)
  if (document.status !== 200) throw new Error(`${path} answers ${document.status}`)
  return document
}

const SERVER_FILES = {
  '/_nginx.conf': nginxFile,
  '/_redirects': redirectsFile,
  '/_headers': headersFile,
}

/**
 * True if no manifest lists this file of an export: configuration of a web server, answers at former
 * addresses, and the API description, which differs where a whole server runs.
 */
export function isUnsignedFile(file: string): boolean {
  if (Object.hasOwn(SERVER_FILES, file) || file === `/${STATE_FILE}`) return true
  return file.startsWith(`${GONE}/`) || /^\/openapi\.json(\.\w+)?$/.test(file)
}

function kindOf({ type, headers }: ServedDocument): string {
  if (headers.get('cache-control')?.includes('immutable')) return 'asset'
  return type.startsWith('text/html') ? 'page' : 'document'
}
