import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { runInSteps } from '../../platform/run-in-steps.ts'
import { canonicalBytes } from '../../platform/signing/canonical.ts'
import { type DetachedJws, signDetached } from '../../platform/signing/jws.ts'
import { type KeyRing, loadKeyRing, signingKey } from '../signing/key-ring.ts'
import { type CatalogKey, TYP } from '../signing/keys.ts'
import type { Manifest, ManifestFile } from '../signing/manifest.ts'
import {
  addManifest,
  latestManifest,
  pruneManifests,
  type StoredManifest,
} from '../signing/store.ts'
import type { BuiltSite } from './built-site.ts'
import { KEYS_PATH, MANIFEST_PATH, SIGNATURE_PATH } from './manifest-paths.ts'
import { hashPieces } from './pack-documents.ts'

/** A signed manifest, with the exact bytes that were signed. */
export type Issued = {
  manifest: Manifest
  bytes: Uint8Array<ArrayBuffer>
  sha256: string
  jws: DetachedJws
  kid: string
}

/** A manifest with the keys that are listed beside it. */
export type CurrentManifest = {
  issued: Issued
  keys: readonly CatalogKey[]
  /** What minisign needs for the SQLite file, by address; empty without such a file. */
  minisign: ReadonlyMap<string, string>
}

export type IssueDeps = { db: Db; clock: Clock }

// A mirror that reads twice a week never sees an expired one.
const VALID_MS = 7 * 86_400_000
export const RENEW_AFTER_MS = VALID_MS / 2
// Enough for a mirror that was offline for a day, and still a readable answer.
const REVISIONS_MOST = 200
const PATHS_MOST = 50_000
const TRIES_MAX = 5

/**
 * The manifest of `site` and its documents `files`, sorted by path: the newest one while its content
 * is the same and it is fresh, else a new one, signed and stored. If another process issues one at the same time, there is still one for
 * each sequence.
 */
export async function issueManifest(
  deps: IssueDeps,
  site: BuiltSite,
  files: ManifestFile[],
): Promise<Issued> {
  const { db, clock } = deps
  for (let n = 0; n < TRIES_MAX; n++) {
    const ring = await loadKeyRing(deps)
    const latest = await latestIssued(db.read)
    const now = clock.now()
    if (latest && saysTheSame(latest, site, files, ring, now)) return latest
    const issued = await signed(nextOf(latest, site, files, now), ring)
    if (await storeManifest(db, issued, latest)) return issued
  }
  throw new Error('others issued a manifest each time')
}

/** The newest signed manifest, of any process; undefined before the first. */
export async function latestIssued(read: Db['read']): Promise<Issued | undefined> {
  const row = await latestManifest(read)
  return row?.body ? fromRow(row, row.body) : undefined
}

/** The bytes of the manifest, its signature and the keys, by their addresses. */
export function signedBodies({
  issued,
  keys,
  minisign,
}: CurrentManifest): Map<string, string | Uint8Array> {
  return new Map<string, string | Uint8Array>([
    ...minisign,
    [MANIFEST_PATH, issued.bytes],
    [SIGNATURE_PATH, `${JSON.stringify(issued.jws)}\n`],
    [KEYS_PATH, `${JSON.stringify({ keys })}\n`],
  ])
}

function fromRow(row: StoredManifest, body: string): Issued {
  return {
    manifest: JSON.parse(body),
    bytes: new TextEncoder().encode(body),
    sha256: row.sha256,
    jws: { protected: row.protectedHeader, signature: row.signature },
    kid: row.kid,
  }
}

function saysTheSame(
  { manifest, kid }: Issued,
  { snapshot }: BuiltSite,
  files: readonly ManifestFile[],
  ring: KeyRing,
  now: number,
): boolean {
  if (kid !== signingKey(ring).kid) return false
  if (now >= Date.parse(manifest.issuedAt) + RENEW_AFTER_MS) return false
  if (manifest.baseUrl !== snapshot.baseUrl || manifest.revision !== snapshot.revision) return false
  if (JSON.stringify(manifest.removed) !== JSON.stringify(removedDocuments(snapshot))) return false
  const { changed, removed } = differenceOf(manifest.files, files)
  return changed.length + removed.length === 0
}

function nextOf(
  latest: Issued | undefined,
  { snapshot }: BuiltSite,
  files: ManifestFile[],
  now: number,
): Omit<Issued, 'bytes' | 'sha256' | 'jws' | 'kid'> & Changed {
  const manifest: Manifest = {
    version: 1,
    baseUrl: snapshot.baseUrl,
    sequence: (latest?.manifest.sequence ?? 0) + 1,
    revision: snapshot.revision,
    issuedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + VALID_MS).toISOString(),
    files,
    removed: removedDocuments(snapshot),
    previous: latest?.sha256 ?? null,
  }
  return { manifest, ...differenceOf(latest?.manifest.files ?? [], files) }
}

type Changed = { changed: string[]; removed: string[] }

/** Sorted keys, as in canonical JSON. */
function removedDocuments({ removed }: BuiltSite['snapshot']): Manifest['removed'] {
  return removed.map(({ slug, date, reason, renamedTo, replacement }) => ({
    date,
    reason,
    ...(renamedTo === undefined ? {} : { renamedTo }),
    ...(replacement === undefined ? {} : { replacement }),
    slug,
  }))
}

async function signed(next: { manifest: Manifest } & Changed, ring: KeyRing) {
  const key = signingKey(ring)
  const bytes = await runInSteps(canonicalSteps(next.manifest))
  const { sha256 } = await hashPieces([bytes])
  return { ...next, bytes, sha256, jws: signDetached(bytes, key, TYP.manifest), kid: key.kid }
}

async function storeManifest(
  db: Db,
  { manifest, bytes, sha256, jws, kid, changed, removed }: Awaited<ReturnType<typeof signed>>,
  before: Issued | undefined,
): Promise<boolean> {
  const row = {
    sequence: manifest.sequence,
    revision: manifest.revision,
    sha256,
    changed,
    removed,
    kid,
    issuedAt: Date.parse(manifest.issuedAt),
    paths: changed.length + removed.length,
    body: new TextDecoder().decode(bytes),
    protectedHeader: jws.protected,
    signature: jws.signature,
  }
  return await db.write(async (tx) => {
    await tx.lock('catalog_manifest')
    const latest = await latestManifest(tx)
    if (latest?.sha256 !== before?.sha256) return false
    if (!(await addManifest(tx, row))) return false
    await pruneManifests(tx, REVISIONS_MOST, PATHS_MOST)
    return true
  })
}

/** The canonical bytes of a manifest, file by file, because thousands at once take too long. */
function* canonicalSteps(manifest: Manifest): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const files: string[] = []
  const decoder = new TextDecoder()
  for (const file of manifest.files) {
    files.push(decoder.decode(canonicalBytes(file)))
    yield
  }
  const around = decoder.decode(canonicalBytes({ ...manifest, files: [] }))
  return new TextEncoder().encode(around.replace(EMPTY, () => `"files":[${files.join(',')}]`))
}

// Keys are sorted, and `baseUrl` and `expiresAt`, which come before it, cannot contain this text.
const EMPTY = '"files":[]'

type Difference = { changed: string[]; removed: string[] }

/** The paths that differ in `after`. */
export function differenceOf(
  before: readonly ManifestFile[],
  after: readonly ManifestFile[],
): Difference {
  const byPath = new Map(before.map((file) => [file.path, file]))
  const paths = new Set(after.map(({ path }) => path))
  return {
    changed: after.filter((file) => !isSame(byPath.get(file.path), file)).map(({ path }) => path),
    removed: before.map(({ path }) => path).filter((path) => !paths.has(path)),
  }
}

function isSame(a: ManifestFile | undefined, b: ManifestFile): boolean {
  return a?.sha256 === b.sha256 && a.type === b.type
}
