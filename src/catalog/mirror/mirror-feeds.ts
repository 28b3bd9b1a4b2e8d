import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { archiveFiles } from '../feeds/archive-file.ts'
import type { BuiltSite, DynamicRoutes } from '../feeds/built-site.ts'
import { type Document, documentOf } from '../feeds/document.ts'
import { createDocumentCache } from '../feeds/document-cache.ts'
import {
  BLOB_PREFIX,
  MIRROR_STATE_PATH,
  SIGNED_PATHS,
  SNAPSHOT_PATH,
} from '../feeds/manifest-paths.ts'
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
export function mirrorFeeds({ read, clock, current }: FeedDeps): DynamicRoutes & Disposable {
  const archive = archiveFiles(ASK_AGAIN)

  async function blob(sha256: string): Promise<Document> {
    const body = /^[0-9a-f]{64}$/.test(sha256) ? await readBlob(read, sha256) : undefined
    if (!body) throw new Failure('not_found', NO_FILE)
    const bytes = Uint8Array.from(body)
    return documentOf({ type: BLOB_TYPE, body: bytes, headers: FOR_EVER }, NO_CACHE)
  }

  /** The same bytes as the origin's archive of this manifest. */
  async function wholeSnapshot({ manifest, documents }: MirroredSite): Promise<Document> {
    return await archive.of(manifest, async (path) => {
      if (!path.startsWith(BLOB_PREFIX)) {
        const written = await documents.get(path)?.written('identity')
        return written ? [await new Response(written.content()).bytes()] : []
      }
      const body = await readBlob(read, path.slice(BLOB_PREFIX.length))
      if (body) return [body]
      throw new Failure('unavailable', NO_FILE, { retryAfter: 10 })
    })
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
    [Symbol.dispose]: () => archive[Symbol.dispose](),
  }
}

const NOT_READ = 'The mirror is being read. Try again in a moment.'
const NO_FILE =
  'No file of this hash is in the manifest, nor in the one before it. Read the manifest again.'

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
