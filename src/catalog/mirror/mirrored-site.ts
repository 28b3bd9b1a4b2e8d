import type { Read } from '../../platform/db/database.ts'
import type { BuiltSite } from '../feeds/built-site.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { type Document, documentOf, LARGE_BYTES } from '../feeds/document.ts'
import { createDocumentCache, type DocumentCache } from '../feeds/document-cache.ts'
import { ASK_AGAIN } from '../feeds/etag.ts'
import { MANIFEST_PATH, SIGNED_PATHS } from '../feeds/manifest-paths.ts'
import { nothingPublished } from '../feeds/nothing-published.ts'
import { defaultMethodology } from '../grading/default-methodology.ts'
import type { Manifest } from '../signing/manifest.ts'
import { type MirrorFile, type MirrorState, readBlob, readFiles } from './store.ts'

/** The site of one manifest, ready to be served. */
export type MirroredSite = BuiltSite & {
  manifest: Manifest
  files: readonly MirrorFile[]
}

// Few enough to be read in a moment.
const ROWS_AT_ONCE = 500
const CACHE_BYTES = 48 * 1024 * 1024
// The plain bytes and three codings take about twice the size.
const WITH_CODINGS = 2
/**
 * Pages and scripts come from somebody else. They get an opaque origin, so that they can neither
 * read a visitor's session nor call this server with it.
 */
const STRANGERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; sandbox allow-forms allow-popups allow-popups-to-escape-sandbox allow-scripts",
}

/** Reads the files that the mirror serves; their bytes are read on request. */
export async function readMirroredSite(read: Read, state: MirrorState): Promise<MirroredSite> {
  const files = await allFiles(read, state.manifest)
  const cache = createDocumentCache(CACHE_BYTES)
  const documents = new Map<string, Document>()
  for (const file of files) documents.set(file.path, mirrored(read, file, cache))
  const body = await documents.get(MANIFEST_PATH)?.written('identity')
  if (!body) throw new Error('the manifest of the mirror is missing')
  const manifest: Manifest = await new Response(body.content()).json()
  for (const document of documents.values()) if (document.isLarge) await document.compressAll()
  return { snapshot: snapshotOf(manifest), documents, manifest, files }
}

async function allFiles(read: Read, manifest: string): Promise<MirrorFile[]> {
  const all: MirrorFile[] = []
  for (;;) {
    const some = await readFiles(read, manifest, all.at(-1)?.path ?? '', ROWS_AT_ONCE)
    all.push(...some)
    if (some.length < ROWS_AT_ONCE) return all
    await Bun.sleep(0)
  }
}

const SIGNED = new Set<string>(SIGNED_PATHS)

/** A file of the database, kept in memory while the cache has room for it. */
function mirrored(
  read: Read,
  { path, type, sha256, size }: MirrorFile,
  cache: DocumentCache,
): Document {
  const headers = { ...STRANGERS, ...(SIGNED.has(path) ? ASK_AGAIN : {}) }
  let pending: Promise<Document> | undefined
  const forget = () => {
    pending = undefined
  }

  async function load(): Promise<Document> {
    const body = await readBlob(read, sha256)
    if (!body) throw new Error(`the mirror has lost the file ${sha256}`)
    cache.put(forget, body.length * WITH_CODINGS)
    return documentOf({ type, body: Uint8Array.from(body), headers }, createDocumentCache(0))
  }

  function own(): Promise<Document> {
    if (pending) return pending
    const loading = load()
    pending = loading
    loading.catch(forget)
    return loading
  }

  return {
    type,
    isLarge: size >= LARGE_BYTES,
    written: async (coding) => (await own()).written(coding),
    pieces() {
      throw new Error('the bytes of a mirror come from its database')
    },
    compressAll: async () => (await own()).compressAll(),
  }
}

/** The parts of a snapshot that redirects and problems need. */
function snapshotOf({ baseUrl, sequence, revision, removed, issuedAt }: Manifest): CatalogSnapshot {
  const today = issuedAt.slice(0, 10)
  const methodology = defaultMethodology()
  const { settings } = nothingPublished(today, methodology)
  return {
    settings,
    methodology,
    revision,
    sequence,
    removed,
    today,
    generatedAt: today,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    tools: [],
    bySlug: new Map(),
    changes: [],
    changedAt: new Map(),
  }
}
