import { createHash } from 'node:crypto'
import { createGunzip, constants as zlib } from 'node:zlib'
import type { Db } from '../../platform/db/database.ts'
import { BLOB_PREFIX, SNAPSHOT_PATH } from '../feeds/manifest-paths.ts'
import { CATALOG_BYTES_MAX, MANIFEST_BYTES_MAX } from '../signing/manifest.ts'
import type { ManifestRefusal } from './judge-manifest.ts'
import type { Origin } from './origin.ts'
import { addBlobs, type Blob } from './store.ts'
import { untar } from './untar.ts'

/** The sizes of missing files by hash. */
export type MissingBlobs = Map<string, number>

export type FetchProblem =
  | { outcome: 'unreachable'; why: string }
  | { outcome: 'refused'; refusal: ManifestRefusal; why: string }

type Deps = {
  db: Db
  origin: Origin
  signal?: AbortSignal
  /** Called for each file. */
  arrived(): void
}

// A transaction of this size takes milliseconds; after an interruption this much is fetched again.
const BATCH_BYTES = 1024 * 1024
const BATCH_FILES = 50
// Other work may run between two pieces of this size; hashing one takes less than a millisecond.
const HASHED_AT_ONCE = 512 * 1024
// The manifest with its signature and keys, and files that are here already.
const BESIDE_THE_FILES = CATALOG_BYTES_MAX
const ENTRY = /^blobs\/sha256\/([0-9a-f]{64})$/
// Names and padding of an archive: two blocks a file.
const AROUND_A_FILE = 1_024

/**
 * Fetches each missing file by its hash, one after the other. Received files are stored, whatever
 * happens next, and removed from `wanted`.
 */
export async function fetchBlobs(
  deps: Deps,
  missing: MissingBlobs,
): Promise<FetchProblem | undefined> {
  const store = batches(deps, missing)
  for (const [sha256, size] of [...missing]) {
    if (deps.signal?.aborted) return await ended(store, unreachable('The server is being stopped.'))
    const reply = await deps.origin.get(`${BLOB_PREFIX}${sha256}`, { maxBytes: size })
    const trouble = troubleWith(reply, sha256)
    if (trouble) return await ended(store, trouble)
    const body = reply.outcome === 'body' ? reply.bytes : new Uint8Array()
    if (body.length !== size || (await sha256Of(body)) !== sha256) {
      return await ended(store, refusedBlob(sha256, `has other bytes than its name says`))
    }
    await store.add({ sha256, body })
  }
  await store.flush()
  return undefined
}

/**
 * The same in one request. Matching files are stored as they come, also those of an interrupted
 * archive; the rest is fetched file by file.
 */
export async function fetchSnapshot(deps: Deps, wanted: MissingBlobs): Promise<void> {
  const sizes = [...wanted.values()]
  const total = sizes.reduce((sum, size) => sum + size + AROUND_A_FILE, 0)
  const largest = sizes.reduce((most, size) => Math.max(most, size), MANIFEST_BYTES_MAX)
  const gunzip = createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH })
  const storing = storeEntries(deps, wanted, untar(gunzip, largest)).finally(() => gunzip.destroy())
  storing.catch(() => {})
  await deps.origin.get(SNAPSHOT_PATH, {
    maxBytes: total + BESIDE_THE_FILES,
    take: (piece) =>
      new Promise((resolve) => {
        if (gunzip.destroyed) resolve()
        else gunzip.write(piece, () => resolve())
      }),
  })
  gunzip.end()
  await storing
}

/** Stores what is wanted of an archive, as far as it can be read. */
async function storeEntries(
  deps: Deps,
  wanted: MissingBlobs,
  entries: AsyncIterable<{ name: string; body: Uint8Array }>,
): Promise<void> {
  const store = batches(deps, wanted)
  const all = entries[Symbol.asyncIterator]()
  for (;;) {
    // A broken archive ends here; what came before counts.
    const { value: entry } = await all.next().catch(() => ({ value: undefined }))
    if (!entry) break
    const [, sha256 = ''] = ENTRY.exec(entry.name) ?? []
    if (wanted.get(sha256) !== entry.body.length || (await sha256Of(entry.body)) !== sha256)
      continue
    await store.add({ sha256, body: entry.body })
  }
  await store.flush()
}

/** Writes files a few at a time. */
function batches({ db, arrived }: Deps, missing: MissingBlobs) {
  let waiting: Blob[] = []
  let bytes = 0

  async function flush() {
    const some = waiting
    waiting = []
    bytes = 0
    await db.write((tx) => addBlobs(tx, some))
    for (const { sha256 } of some) {
      missing.delete(sha256)
      arrived()
    }
  }
  return {
    flush,
    async add(blob: Blob) {
      waiting.push(blob)
      bytes += blob.body.length
      if (bytes >= BATCH_BYTES || waiting.length >= BATCH_FILES) await flush()
    },
  }
}

async function ended(
  store: ReturnType<typeof batches>,
  trouble: FetchProblem,
): Promise<FetchProblem> {
  await store.flush()
  return trouble
}

function troubleWith(
  reply: Awaited<ReturnType<Origin['get']>>,
  sha256: string,
): FetchProblem | undefined {
  if (reply.outcome === 'unreachable') return unreachable(reply.why)
  if (reply.outcome === 'missing') {
    return unreachable(`The source has no file ${sha256} any more; it has a newer manifest by now.`)
  }
  if (reply.outcome === 'long') return refusedBlob(sha256, 'is longer than the manifest says')
  return undefined
}

function unreachable(why: string): FetchProblem {
  return { outcome: 'unreachable', why }
}

function refusedBlob(sha256: string, what: string): FetchProblem {
  return { outcome: 'refused', refusal: 'blob', why: `The file ${sha256} ${what}.` }
}

/** In pieces, so that a large file does not block other work. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    if (at > 0) await Bun.sleep(0)
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE))
  }
  return hash.digest('hex')
}
