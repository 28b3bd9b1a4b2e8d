import type { Db } from '../../platform/db/database.ts'
import {
  isReserved,
  KEYS_PATH,
  MANIFEST_PATH,
  SIGNATURE_PATH,
  SIGNED_PATHS,
} from '../feeds/manifest-paths.ts'
import { MANIFEST_BYTES_MAX } from '../signing/manifest.ts'
import { type AcceptedManifest, type FetchedManifest, takeManifest } from './accept-manifest.ts'
import {
  type FetchProblem,
  fetchBlobs,
  fetchSnapshot,
  type MissingBlobs,
  sha256Of,
} from './fetch-blobs.ts'
import { expired, type ManifestRefusal, type TrustedState } from './judge-manifest.ts'
import { type Origin, type OriginDeps, originAt } from './origin.ts'
import type { MirrorFile, MirrorState } from './store.ts'
import * as store from './store.ts'

export type SyncDeps = OriginDeps & {
  db: Db
  /** From 0 to below 1. */
  random(): number
  onProgress?(done: number, of: number): void
}

/** The source to follow; missing fields stay as they were. */
export type SyncAsk = { source?: string; key?: string; allowStale?: boolean }

export type Synced = {
  outcome: 'updated' | 'unchanged' | 'refused' | 'unreachable'
  refusal?: ManifestRefusal
  why?: string
  /** The current state; undefined before the first manifest. */
  state: MirrorState | undefined
  /** The files fetched from the source, and all bytes read for them. */
  fetched: { files: number; requests: number; bytes: number }
}

const HOUR_MS = 60 * 60_000
const FIRST_RETRY_MS = 60_000
const ROWS_AT_ONCE = 500
// Fewer files are fetched one by one instead of as a snapshot, also by a mirror that has others.
const SNAPSHOT_FROM = 8
const SNAPSHOT_AGAIN_FROM = 1_000
const JSON_TYPE = 'application/json'

/**
 * Updates the mirror from its source, or says why it could not. What is served changes in one step
 * at the end, or not at all. The first key that is seen is trusted from then on, unless `key` names
 * one. Throws `unavailable` if the database refuses.
 */
export async function syncMirror(deps: SyncDeps, ask: SyncAsk = {}): Promise<Synced> {
  const { db } = deps
  const before = await store.readMirror(db.read)
  const source = ask.source ?? before?.source
  if (source === undefined) throw new Error('there is nothing to mirror')
  const origin = originAt(source, deps)
  const arrived = { files: 0 }
  const work = { ...deps, origin, arrived, source, ask, before }
  const result = await attempt(work)
  const state = await noteResult(deps, work, result)
  const { outcome, ...more } = result
  return {
    outcome,
    state,
    fetched: { ...arrived, ...origin.spent },
    ...('why' in more ? { why: more.why } : {}),
    ...('refusal' in more ? { refusal: more.refusal } : {}),
  }
}

type Work = SyncDeps & {
  origin: Origin
  source: string
  ask: SyncAsk
  before: MirrorState | undefined
  arrived: { files: number }
}

type Result =
  | { outcome: 'updated'; state: MirrorState }
  | { outcome: 'unchanged'; etag?: string }
  | FetchProblem

async function attempt(work: Work): Promise<Result> {
  const believed = believedBy(work)
  const etag = work.before?.source === work.source && believed.manifest ? work.before.etag : ''
  const first = await work.origin.get(MANIFEST_PATH, {
    maxBytes: MANIFEST_BYTES_MAX,
    ...(etag ? { etag } : {}),
  })
  if (first.outcome === 'unchanged') return unchanged(work, believed)
  const accepted = await takeManifest(work, believed, first)
  if (!('ok' in accepted)) return accepted
  if (!accepted.judged.isNew) return { outcome: 'unchanged', etag: accepted.offer.etag }
  await pin(work, accepted)
  const missing = await stage(work, accepted)
  const trouble = 'outcome' in missing ? missing : await fetchAll(work, missing)
  return trouble ?? (await swap(work, accepted))
}

/** Returns the state that a new manifest is compared with. */
function believedBy({ before, ask }: Work): TrustedState {
  const allowStale = ask.allowStale ?? before?.allowStale ?? false
  // A person names the right key, so manifests of another key do not count.
  const isOther = ask.key !== undefined && ask.key !== before?.kid
  if (!before || isOther) return { kid: ask.key, sequence: 0, manifest: '', allowStale }
  const { kid, sequence, manifest } = before
  return { kid, sequence, manifest, allowStale }
}

function unchanged({ before, clock }: Work, { allowStale }: TrustedState): Result {
  const expiresAt = before?.expiresAt ?? 0
  if (allowStale || expiresAt > clock.now()) return { outcome: 'unchanged' }
  const { refusal, why } = expired(new Date(expiresAt).toISOString())
  return { outcome: 'refused', refusal, why }
}

/** Stores the key before anything is fetched with it. */
async function pin(
  { db, clock, source, ask, before }: Work,
  { judged: verdict }: AcceptedManifest,
): Promise<void> {
  if (before) return
  const now = clock.now()
  const none = { manifest: '', previous: '', revision: '', etag: '', problem: '' }
  const never = { sequence: 0, issuedAt: 0, expiresAt: 0, fetchedAt: 0, checkedAt: 0, failures: 0 }
  const allowStale = ask.allowStale ?? false
  const { baseUrl } = verdict.manifest
  await db.write((tx) =>
    store.putMirror(tx, {
      ...none,
      ...never,
      source,
      kid: verdict.kid,
      allowStale,
      baseUrl,
      nextAt: now,
    }),
  )
}

/** Stores the list of the manifest, and returns the files that are missing here. */
async function stage(
  { db }: Work,
  { judged: verdict, offer }: AcceptedManifest,
): Promise<MissingBlobs | FetchProblem> {
  const { manifest, sha256 } = verdict
  const reserved = manifest.files.find(({ path }) => isReserved(path))
  if (reserved) {
    const why = `The manifest lists ${reserved.path}, where a mirror has something else.`
    return { outcome: 'refused', refusal: 'manifest', why }
  }
  const own = await familyOf(offer)
  const files: MirrorFile[] = [...own.map(({ body: _, ...file }) => file), ...manifest.files]
  for (let at = 0; at < files.length; at += ROWS_AT_ONCE) {
    await db.write((tx) => store.addFiles(tx, sha256, files.slice(at, at + ROWS_AT_ONCE)))
  }
  await db.write((tx) => store.addBlobs(tx, own))
  const missing: MissingBlobs = new Map(manifest.files.map((file) => [file.sha256, file.size]))
  for (const present of await store.presentBlobs(db.read, [...missing.keys()]))
    missing.delete(present)
  return missing
}

async function familyOf({ bytes, jws, keys }: FetchedManifest) {
  const bodies = {
    [MANIFEST_PATH]: bytes,
    [SIGNATURE_PATH]: jws,
    [KEYS_PATH]: keys,
  }
  const files = Object.entries(bodies).map(async ([path, body]) => ({
    path,
    type: JSON_TYPE,
    body,
    size: body.length,
    sha256: await sha256Of(body),
  }))
  return await Promise.all(files)
}

async function fetchAll(work: Work, missing: MissingBlobs): Promise<FetchProblem | undefined> {
  const of = missing.size
  const deps = {
    db: work.db,
    origin: work.origin,
    ...(work.signal ? { signal: work.signal } : {}),
    arrived() {
      work.arrived.files++
      work.onProgress?.(work.arrived.files, of)
    },
  }
  const isEmpty = !work.before?.manifest
  if (of >= (isEmpty ? SNAPSHOT_FROM : SNAPSHOT_AGAIN_FROM)) await fetchSnapshot(deps, missing)
  return await fetchBlobs(deps, missing)
}

/** Serves the new manifest from now on if it is complete, and deletes what is no longer needed. */
async function swap(work: Work, { judged: verdict, offer }: AcceptedManifest): Promise<Result> {
  const { db, clock, source, ask, before } = work
  const { manifest, sha256, kid } = verdict
  const now = clock.now()
  const state: MirrorState = {
    source,
    kid,
    allowStale: ask.allowStale ?? before?.allowStale ?? false,
    manifest: sha256,
    previous: before?.manifest ?? '',
    etag: offer.etag,
    sequence: manifest.sequence,
    revision: manifest.revision,
    baseUrl: manifest.baseUrl,
    issuedAt: Date.parse(manifest.issuedAt),
    expiresAt: Date.parse(manifest.expiresAt),
    fetchedAt: now,
    checkedAt: now,
    nextAt: now,
    failures: 0,
    problem: '',
  }
  const size = manifest.files.length + SIGNED_PATHS.length
  return await db.write(async (tx): Promise<Result> => {
    await tx.lock('catalog_mirror')
    const current = await store.readMirror(tx)
    if (!current) return { outcome: 'unreachable', why: 'The mirror was stopped meanwhile.' }
    if (current.manifest === sha256) {
      // A running server fetched the same one at the same time.
      const same = { ...state, previous: current.previous }
      await store.putMirror(tx, same)
      return { outcome: 'updated', state: same }
    }
    const { files, present } = await store.countFiles(tx, sha256)
    if (files !== size || present !== size || current.manifest !== (before?.manifest ?? '')) {
      return { outcome: 'unreachable', why: 'Another process fetched at the same time. Try again.' }
    }
    await store.putMirror(tx, state)
    await store.sweepMirror(tx, [state.manifest, state.previous])
    return { outcome: 'updated', state }
  })
}

/** Stores the result, and when to ask again. */
async function noteResult({ db, clock, random }: SyncDeps, work: Work, result: Result) {
  const current = await store.readMirror(db.read)
  if (!current) return undefined
  const now = clock.now()
  const went = result.outcome === 'updated' || result.outcome === 'unchanged'
  const failures = went ? 0 : current.failures + 1
  const pause = went ? HOUR_MS : Math.min(HOUR_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10))
  const change: Partial<MirrorState> = {
    failures,
    problem: 'why' in result ? result.why : '',
    nextAt: now + Math.round(pause * (0.9 + 0.2 * random())),
    ...(went ? { checkedAt: now, source: work.source } : {}),
    ...(work.ask.allowStale === undefined || !went ? {} : { allowStale: work.ask.allowStale }),
    ...('etag' in result && result.etag !== undefined ? { etag: result.etag } : {}),
  }
  await db.write((tx) => store.updateMirror(tx, current, change))
  return { ...current, ...change }
}
