import { createHash } from 'node:crypto'
import { createGunzip, constants as zlib } from 'node:zlib'
import type { Db } from '../../platform/db/database.ts'
import { BLOB_PREFIX, SNAPSHOT_PATH } from '../feeds/manifest-paths.ts'
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
/** A larger snapshot would take all the memory of a small machine. */
export const SNAPSHOT_MOST = 64 * 1024 * 1024
const ENTRY = /^blobs\/sha256\/([0-9a-f]{64})$/
// Names and padding of an archive: two blocks a file.
const AROUND_A_FILE = 1_024

/**
 * Fetches each missing file by its hash, one after the other. Received files are stored, whatever
 * happens next, and removed from `wanted`.
 */
export async function fetchBlobs(
  deps: Deps,
  wanted: MissingBlobs,
): Promise<FetchProblem | undefined> {
  const store = batches(deps, wanted)
  for (const [sha256, size] of [...wanted]) {
    if (deps.signal?.aborted) return await ended(store, unreachable('The server is being stopped.'))
    const got = await deps.origin.get(`${BLOB_PREFIX}${sha256}`, { maxBytes: size })
    const trouble = troubleWith(got, sha256)
    if (trouble) return await ended(store, trouble)
    const body = got.outcome === 'body' ? got.bytes : new Uint8Array()
    if (body.length !== size || (await sha256Of(body)) !== sha256) {
      return await ended(store, refusedBlob(sha256, `has other bytes than its name says`))
    }
    await store.add({ sha256, body })
  }
  await store.flush()
  return undefined
}

/**
 * The same in one request. Matching files are stored, also those of an interrupted archive; the
 * rest is fetched file by file.
 */
export async function fetchSnapshot(deps: Deps, wanted: MissingBlobs): Promise<void> {
  const total = [...wanted.values()].reduce((sum, size) => sum + size + AROUND_A_FILE, 0)
  const most = total + SNAPSHOT_MOST / 2
  const got = await deps.origin.get(SNAPSHOT_PATH, { maxBytes: most })
  const bytes = got.outcome === 'body' || got.outcome === 'unreachable' ? got.bytes : undefined
  if (!bytes) return
  const store = batches(deps, wanted)
  for (const { name, body } of untar(await gunzipped(bytes, most))) {
    const [, sha256 = ''] = ENTRY.exec(name) ?? []
    if (wanted.get(sha256) !== body.length || (await sha256Of(body)) !== sha256) continue
    await store.add({ sha256, body })
    await Bun.sleep(0)
  }
  await store.flush()
}

/** Writes files a few at a time. */
function batches({ db, arrived }: Deps, wanted: MissingBlobs) {
  let waiting: Blob[] = []
  let bytes = 0

  async function flush() {
    const some = waiting
    waiting = []
    bytes = 0
    await db.write((tx) => addBlobs(tx, some))
    for (const { sha256 } of some) {
      wanted.delete(sha256)
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
  got: Awaited<ReturnType<Origin['get']>>,
  sha256: string,
): FetchProblem | undefined {
  if (got.outcome === 'unreachable') return unreachable(got.why)
  if (got.outcome === 'missing') {
    return unreachable(`The source has no file ${sha256} any more; it has a newer manifest by now.`)
  }
  if (got.outcome === 'long') return refusedBlob(sha256, 'is longer than the manifest says')
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

/** Unpacks at most this many bytes; as much as possible if the end is missing or broken. */
function gunzipped(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const gunzip = createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH })
    const end = () => resolve(Buffer.concat(chunks))
    gunzip.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= most) chunks.push(chunk)
      else gunzip.destroy()
    })
    gunzip.on('end', end)
    gunzip.on('error', end)
    gunzip.on('close', end)
    gunzip.end(bytes)
  })
}
