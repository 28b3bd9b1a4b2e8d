import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { BuiltSite, DynamicRoutes } from '../feeds/built-site.ts'
import { type Document, documentOf } from '../feeds/document.ts'
import { createDocumentCache } from '../feeds/document-cache.ts'
import {
  BLOB_PREFIX,
  KEYS_PATH,
  MANIFEST_PATH,
  MIRROR_STATE_PATH,
  SIGNATURE_PATH,
  SIGNED_PATHS,
  SNAPSHOT_PATH,
} from '../feeds/manifest-paths.ts'
import { packArchive } from '../feeds/pack-archive.ts'
import { SNAPSHOT_MOST } from './fetch-blobs.ts'
import type { MirroredSite } from './mirrored-site.ts'
import { type MirrorState, readBlob } from './store.ts'

export type FeedDeps = {
  read: Read
  clock: Clock
  /** The served state; undefined before the first look. */
  current(): { state: MirrorState; site: MirroredSite } | undefined
}

const JSON_TYPE = 'application/json'
const BLOB_TYPE = 'application/octet-stream'
const NO_CACHE = createDocumentCache(Number.POSITIVE_INFINITY)
const ASK_AGAIN = { 'cache-control': 'public, max-age=0, must-revalidate' }
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The addresses that every mirror answers. */
const MIRROR_ROUTES: readonly string[] = [
  ...SIGNED_PATHS,
  SNAPSHOT_PATH,
  MIRROR_STATE_PATH,
  `${BLOB_PREFIX}:sha256`,
]

/** The feeds for mirrors of this mirror, and its own state. */
export function mirrorFeeds({ read, clock, current }: FeedDeps): DynamicRoutes {
  let archive: { of: MirroredSite; document: Promise<Document> } | undefined

  async function blob(sha256: string): Promise<Document> {
    const body = /^[0-9a-f]{64}$/.test(sha256) ? await readBlob(read, sha256) : undefined
    if (!body) throw new Failure('not_found', NO_FILE)
    const bytes = Uint8Array.from(body)
    return documentOf({ type: BLOB_TYPE, body: bytes, headers: FOR_EVER }, NO_CACHE)
  }

  async function wholeSnapshot(of: MirroredSite): Promise<Document> {
    if (archive?.of !== of) {
      const document = snapshotOf(read, of)
      archive = { of, document }
      document.catch(() => {
        archive = undefined
      })
    }
    return await archive.document
  }

  return {
    routes: MIRROR_ROUTES,
    asks: new Set(),
    async answer(site: BuiltSite, path: string) {
      const now = current()
      if (!now) throw new Failure('unavailable', NOT_READ, { retryAfter: 10 })
      if (path === MIRROR_STATE_PATH) return stateDocument(now.state, clock.now())
      if (path === SNAPSHOT_PATH) return await wholeSnapshot(now.site)
      if (path.startsWith(BLOB_PREFIX)) return await blob(path.slice(BLOB_PREFIX.length))
      return site.documents.get(path)
    },
  }
}

const NOT_READ = 'The mirror is being read. Try again in a moment.'
const NO_FILE =
  'No file of this hash is in the manifest, nor in the one before it. Read the manifest again.'
const TOO_LARGE = 'This mirror is too large for a snapshot; read its files by their hashes.'

/** Whether the served manifest has expired. */
export function isStale({ expiresAt }: Pick<MirrorState, 'expiresAt'>, now: number): boolean {
  return expiresAt <= now
}

/** `/api/v1/mirror.json`: the source of the catalog, and how fresh it is. */
export function mirrorReport(state: MirrorState, now: number) {
  const { source, baseUrl, kid, sequence, revision, problem } = state
  return {
    from: source,
    origin: baseUrl,
    key: kid,
    sequence,
    revision,
    issuedAt: isoTime(state.issuedAt),
    expiresAt: isoTime(state.expiresAt),
    fetchedAt: isoTime(state.fetchedAt),
    checkedAt: isoTime(state.checkedAt),
    stale: isStale(state, now),
    problem: problem || null,
  }
}

function stateDocument(state: MirrorState, now: number): Document {
  const body = `${JSON.stringify(mirrorReport(state, now))}\n`
  return documentOf({ type: JSON_TYPE, body, headers: ASK_AGAIN }, NO_CACHE)
}

/** The same bytes as the origin's archive of this manifest. */
async function snapshotOf(read: Read, { manifest, files, documents }: MirroredSite) {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > SNAPSHOT_MOST) throw new Failure('not_found', TOO_LARGE)
  const text = async (path: string) => {
    const written = await documents.get(path)?.written('identity')
    return Buffer.from(written ? await written.body.arrayBuffer() : new ArrayBuffer())
  }
  const entries = [
    { name: 'manifest.json', body: await text(MANIFEST_PATH) },
    { name: 'manifest.jws.json', body: await text(SIGNATURE_PATH) },
    { name: 'catalog-keys.json', body: await text(KEYS_PATH) },
  ]
  for (const sha256 of [...new Set(manifest.files.map((file) => file.sha256))].sort()) {
    const body = await readBlob(read, sha256)
    if (!body) throw new Failure('unavailable', NO_FILE, { retryAfter: 10 })
    entries.push({ name: `blobs/sha256/${sha256}`, body: Buffer.from(body) })
  }
  const body = await packArchive(entries.map(({ name, body }) => ({ name, bytes: () => body })))
  const document = documentOf({ type: 'application/gzip', body, headers: ASK_AGAIN }, NO_CACHE)
  // It is compressed already.
  return { ...document, written: () => document.written('identity') }
}
