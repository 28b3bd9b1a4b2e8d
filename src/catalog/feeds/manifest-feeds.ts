import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { cutText } from '../../platform/text.ts'
import { oldestSequence, readChanges } from '../signing/store.ts'
import { archiveFiles } from './archive-file.ts'
import type { BuiltSite, DynamicRoutes } from './built-site.ts'
import { type Document, documentOf, type InPieces } from './document.ts'
import { createDocumentCache } from './document-cache.ts'
import { INVALID_PARAMETER, REVISION_EXPIRED } from './failures.ts'
import { JSON_TYPE } from './json-document.ts'
import type { CurrentManifest, Manifests } from './keep-manifest.ts'
import {
  BLOB_PREFIX,
  KEYS_PATH,
  MANIFEST_PATH,
  MANIFEST_ROUTES,
  REVISIONS_PATH,
  SIGNATURE_PATH,
  SNAPSHOT_PATH,
} from './manifest-paths.ts'
import { feedMeta } from './meta.ts'

export const BLOB_TYPE = 'application/octet-stream'

// A manifest does not match the signature of the one before, so both are revalidated each time.
const ASK_AGAIN = { 'cache-control': 'public, max-age=0, must-revalidate' }
const FOR_EVER = 'public, max-age=31536000, immutable'
const NO_CACHE = createDocumentCache(Number.POSITIVE_INFINITY)

/** Feeds that mirrors read. */
export function manifestFeeds({
  read,
  manifests,
}: {
  read: Read
  manifests: Manifests
}): DynamicRoutes & Disposable {
  let family: { of: CurrentManifest; documents: Map<string, Document> } | undefined
  const archive = archiveFiles(ASK_AGAIN)

  async function offered(): Promise<CurrentManifest> {
    return await manifests.ready().catch(() => {
      throw new Failure('unavailable', NOT_SIGNED, { retryAfter: 10 })
    })
  }

  async function ofFamily(path: string): Promise<Document | undefined> {
    const now = await offered()
    if (family?.of !== now) family = { of: now, documents: familyOf(now) }
    return family.documents.get(path)
  }

  async function wholeSnapshot(): Promise<Document> {
    const { issued } = await offered()
    return await archive.of(issued.manifest, async (path) => {
      if (path.startsWith(BLOB_PREFIX)) return piecesOf(manifests, path.slice(BLOB_PREFIX.length))
      const document = await ofFamily(path)
      return document?.pieces() ?? []
    })
  }

  async function revisions(site: BuiltSite, search: string): Promise<Document> {
    const since = sinceOf(search)
    const { issued } = await offered()
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
      if (path === SNAPSHOT_PATH) return await wholeSnapshot()
      if (!path.startsWith(BLOB_PREFIX)) return await ofFamily(path)
      const document = manifests.file(path.slice(BLOB_PREFIX.length))
      if (document) return asBlob(document)
      throw new Failure('not_found', NO_FILE)
    },
    [Symbol.dispose]: () => archive[Symbol.dispose](),
  }
}

const NOT_SIGNED = 'There is no manifest yet: the first one is being made. Try again in a moment.'
const NO_FILE =
  'No file of this hash is in the manifest, nor in those just before it. Read the manifest again.'

function familyOf({ issued, keys }: CurrentManifest): Map<string, Document> {
  const json = (body: string | InPieces) =>
    documentOf({ type: JSON_TYPE, body, headers: ASK_AGAIN }, NO_CACHE)
  return new Map([
    [MANIFEST_PATH, json({ pieces: () => [issued.bytes] })],
    [SIGNATURE_PATH, json(`${JSON.stringify(issued.jws)}\n`)],
    [KEYS_PATH, json(`${JSON.stringify({ keys })}\n`)],
  ])
}

function piecesOf(manifests: Manifests, sha256: string): Iterable<Uint8Array> {
  const document = manifests.file(sha256)
  if (document) return document.pieces()
  throw new Failure('unavailable', NO_FILE, { retryAfter: 10 })
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
