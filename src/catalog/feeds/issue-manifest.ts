import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { runInSteps } from '../../platform/run-in-steps.ts'
import { signDetached, TYP } from '../signing/jws.ts'
import { type KeyRing, loadKeyRing, signingKey } from '../signing/key-ring.ts'
import type { DetachedJws } from '../signing/keys.ts'
import type { Manifest, ManifestFile } from '../signing/manifest.ts'
import {
  addManifest,
  latestManifest,
  pruneManifests,
  type StoredManifest,
} from '../signing/store.ts'
import type { BuiltSite } from './built-site.ts'
import { canonicalSteps, differenceOf, fileSteps, hashSteps } from './manifest-files.ts'

/** A manifest that was signed, in the bytes that were signed. */
export type Issued = {
  manifest: Manifest
  bytes: Uint8Array<ArrayBuffer>
  sha256: string
  jws: DetachedJws
  kid: string
}

export type IssueDeps = { db: Db; clock: Clock }

// Design: Signatures and mirrors. Who reads twice a week never meets one that has expired.
const VALID_MS = 7 * 86_400_000
export const RENEW_AFTER_MS = VALID_MS / 2
// Enough for a mirror that was away for a day; an answer that stays readable.
const REVISIONS_MOST = 200
const PATHS_MOST = 50_000
const TRIES_MAX = 5

/**
 * The manifest of what `site` serves: the newest one while it still says the same and is fresh,
 * else the next one, signed and kept. Whoever else issues one meanwhile, there is one for each
 * sequence.
 */
export async function issueManifest(deps: IssueDeps, site: BuiltSite): Promise<Issued> {
  const { db, clock } = deps
  const files = await runInSteps(fileSteps(site.documents))
  for (let n = 0; n < TRIES_MAX; n++) {
    const ring = await loadKeyRing(deps)
    const latest = await latestIssued(db.read)
    const now = clock.now()
    if (latest && saysTheSame(latest, site, files, ring, now)) return latest
    const issued = await signed(nextOf(latest, site, files, now), ring)
    if (await kept(db, issued, latest)) return issued
  }
  throw new Error('others issued a manifest each time')
}

/** The newest manifest that was signed, by whatever process; undefined before the first. */
export async function latestIssued(read: Db['read']): Promise<Issued | undefined> {
  const row = await latestManifest(read)
  return row?.body ? fromRow(row, row.body) : undefined
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
  if (JSON.stringify(manifest.removed) !== JSON.stringify(removedOf(snapshot))) return false
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
    removed: removedOf(snapshot),
    previous: latest?.sha256 ?? null,
  }
  return { manifest, ...differenceOf(latest?.manifest.files ?? [], files) }
}

type Changed = { changed: string[]; removed: string[] }

/** With sorted keys, as they come back from canonical JSON. */
function removedOf({ removed }: BuiltSite['snapshot']): Manifest['removed'] {
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
  const sha256 = await runInSteps(hashSteps(bytes))
  return { ...next, bytes, sha256, jws: await signDetached(bytes, key, TYP.manifest), kid: key.kid }
}

async function kept(
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
