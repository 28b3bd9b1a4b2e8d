import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { archiveFiles } from '../feeds/archive-file.ts'
import type { BuiltSite, DynamicRoutes } from '../feeds/built-site.ts'
import { type Document, documentOf } from '../feeds/document.ts'
import { createDocumentCache } from '../feeds/document-cache.ts'
import { ASK_AGAIN } from '../feeds/etag.ts'
import {
  BLOB_PREFIX,
  MIRROR_STATE_PATH,
  SIGNED_PATHS,
  SNAPSHOT_PATH,
} from '../feeds/manifest-paths.ts'
import { archiveChunks } from '../feeds/pack-archive.ts'
import { waitBriefly } from '../feeds/wait-briefly.ts'
import type { Manifest } from '../signing/manifest.ts'
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
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The addresses that every mirror answers. */
const MIRROR_ROUTES: readonly string[] = [
  ...SIGNED_PATHS,
  SNAPSHOT_PATH,
  MIRROR_STATE_PATH,
  `${BLOB_PREFIX}:sha256`,
]

/** The feeds for mirrors of this mirror, and its own state. */
export function mirrorFeeds({ read, clock, current }: FeedDeps): DynamicRoutes & Disposable {
  const archives = archiveFiles(ASK_AGAIN)
  let packed: { of: Manifest; document: Promise<Document> } | undefined

  async function blob(sha256: string): Promise<Document> {
    const body = /^[0-9a-f]{64}$/.test(sha256) ? await readBlob(read, sha256) : undefined
    if (!body) throw new Failure('not_found', NO_FILE)
    const bytes = Uint8Array.from(body)
    return documentOf({ type: BLOB_TYPE, body: bytes, headers: FOR_EVER }, NO_CACHE)
  }

  /** The same bytes as the origin's archive of this manifest. */
  async function wholeSnapshot(site: MirroredSite): Promise<Document> {
    if (packed?.of !== site.manifest) {
      const document = archives.write(archiveChunks(site.manifest, (path) => piecesAt(site, path)))
      packed = { of: site.manifest, document }
      document.catch(() => {
        packed = undefined
      })
    }
    return await waitBriefly(clock, packed.document, notYet)
  }

  async function piecesAt({ documents }: MirroredSite, path: string): Promise<Uint8Array[]> {
    if (!path.startsWith(BLOB_PREFIX)) {
      const written = await documents.get(path)?.written('identity')
      return written ? [await new Response(written.content()).bytes()] : []
    }
    const body = await readBlob(read, path.slice(BLOB_PREFIX.length))
    if (body) return [body]
    throw new Failure('unavailable', NO_FILE, { retryAfter: 10 })
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
    [Symbol.dispose]: () => archives[Symbol.dispose](),
  }
}

const NOT_READ = 'The mirror is being read. Try again in a moment.'
const PACKING = 'The archive is being packed. Try again in 30 seconds.'
const NO_FILE =
  'No file of this hash is in the manifest, nor in the one before it. Read the manifest again.'

function notYet(): Failure {
  return new Failure('unavailable', PACKING, { retryAfter: 30 })
}

/** True if the served manifest has expired. */
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
