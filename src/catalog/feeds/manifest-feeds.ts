import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { cutText } from '../../platform/text.ts'
import { oldestSequence, readChanges } from '../signing/store.ts'
import type { BuiltSite, DynamicRoutes } from './built-site.ts'
import { type Document, documentOf } from './document.ts'
import { createDocumentCache } from './document-cache.ts'
import { ASK_AGAIN } from './etag.ts'
import { INVALID_PARAMETER, REVISION_EXPIRED } from './failures.ts'
import { type CurrentManifest, signedBodies } from './issue-manifest.ts'
import { JSON_TYPE } from './json-document.ts'
import type { Manifests } from './keep-manifest.ts'
import { BLOB_PREFIX, MANIFEST_ROUTES, REVISIONS_PATH, SNAPSHOT_PATH } from './manifest-paths.ts'
import { feedMeta } from './meta.ts'

export const BLOB_TYPE = 'application/octet-stream'
const MINISIGN_TYPE = 'text/plain'

const FOR_EVER = 'public, max-age=31536000, immutable'
const NO_CACHE = createDocumentCache(Number.POSITIVE_INFINITY)

/** Feeds that mirrors read. */
export function manifestFeeds({
  read,
  manifests,
}: {
  read: Read
  manifests: Manifests
}): DynamicRoutes {
  let family: { of: CurrentManifest; documents: Map<string, Document> } | undefined

  async function offered<T>(what: Promise<T>): Promise<T> {
    return await what.catch((error) => {
      if (error instanceof Failure) throw error
      throw new Failure('unavailable', NOT_SIGNED, { retryAfter: 10 })
    })
  }

  async function ofFamily(path: string): Promise<Document | undefined> {
    const now = await offered(manifests.ready())
    if (family?.of !== now) family = { of: now, documents: familyOf(now) }
    return family.documents.get(path)
  }

  async function revisions(site: BuiltSite, search: string): Promise<Document> {
    const since = sinceOf(search)
    const { issued } = await offered(manifests.ready())
    const oldest = await oldestSequence(read)
    if (since !== undefined && oldest !== undefined && since < oldest - 1) throw tooOld(oldest)
    const changes = await readChanges(read, since ?? 0)
    const body = {
      meta: feedMeta(site.snapshot),
      sequence: issued.manifest.sequence,
      revisions: changes
        .filter(({ sequence }) => sequence <= issued.manifest.sequence)
        .map((one) => ({ ...one, issuedAt: new Date(one.issuedAt).toISOString() })),
    }
    const source = { type: JSON_TYPE, body: `${JSON.stringify(body)}\n`, headers: ASK_AGAIN }
    return documentOf(source, NO_CACHE)
  }

  return {
    routes: MANIFEST_ROUTES,
    asks: new Set([REVISIONS_PATH]),
    async answer(site, path, search) {
      if (path === REVISIONS_PATH) return await revisions(site, search)
      if (path === SNAPSHOT_PATH) return await offered(manifests.archive())
      if (!path.startsWith(BLOB_PREFIX)) return await ofFamily(path)
      const document = manifests.file(path.slice(BLOB_PREFIX.length))
      if (document) return asBlob(document)
      throw new Failure('not_found', NO_FILE)
    },
  }
}

const NOT_SIGNED = 'The manifest could not be made; the log of the server says why.'
const NO_FILE =
  'No file of this hash is in the manifest, nor in those just before it. Read the manifest again.'

function familyOf(current: CurrentManifest): Map<string, Document> {
  const documents = new Map<string, Document>()
  for (const [path, bytes] of signedBodies(current)) {
    const body = typeof bytes === 'string' ? bytes : { pieces: () => [bytes] }
    const type = current.minisign.has(path) ? MINISIGN_TYPE : JSON_TYPE
    documents.set(path, documentOf({ type, body, headers: ASK_AGAIN }, NO_CACHE))
  }
  return documents
}

/** The same bytes under a name that never changes its meaning. */
function asBlob(document: Document): Document {
  return {
    type: document.type,
    isLarge: document.isLarge,
    pieces: () => document.pieces(),
    compressAll: () => document.compressAll(),
    async written(coding) {
      const { headers, unchanged, ...written } = await document.written(coding)
      const own = new Headers(headers)
      const unchangedHeaders = new Headers(unchanged)
      for (const one of [own, unchangedHeaders]) {
        one.set('cache-control', FOR_EVER)
        one.delete('link')
      }
      own.set('content-type', BLOB_TYPE)
      return { ...written, headers: own, unchanged: unchangedHeaders }
    },
  }
}

function sinceOf(search: string): number | undefined {
  const query = new URLSearchParams(search)
  const [other] = [...query.keys()].filter((name) => name !== 'since')
  if (other !== undefined) {
    throw new Failure(INVALID_PARAMETER, `${REVISIONS_PATH} takes only since.`, {
      parameter: cutText(other, 64),
      allowed: ['since'],
    })
  }
  const [since, second] = query.getAll('since')
  if (since === undefined) return undefined
  if (second === undefined && /^\d{1,15}$/.test(since)) return Number(since)
  throw new Failure(INVALID_PARAMETER, 'since is the sequence of a manifest, once.', {
    parameter: 'since',
    allowed: ['a whole number from 0'],
  })
}

function tooOld(oldest: number): Failure {
  return new Failure(
    REVISION_EXPIRED,
    `What changed before manifest ${oldest} is not known any more. Read the manifest as a whole.`,
  )
}
