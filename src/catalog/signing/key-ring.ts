import type { Clock } from '../../platform/clock.ts'
import type { Db, Read } from '../../platform/db/database.ts'
import { keepSetting, putSetting, readSetting } from '../../platform/db/settings-store.ts'
import { Failure } from '../../platform/failure.ts'
import { makePrivateJwk, type PrivateJwk, publicJwk } from '../../platform/signing/ed25519.ts'
import { signNextKey } from './follow-keys.ts'
import type { CatalogKey } from './keys.ts'

/** The keys of the manifest, oldest first. */
export type KeyRing = {
  keys: CatalogKey[]
  /** The private part of the last key; those of earlier keys are deleted. */
  d: string
}

type Deps = { db: Db; clock: Clock }

const SETTING = 'catalog_manifest_keys'

/** The stored keys; undefined before the first signature. */
export async function readKeyRing(read: Read): Promise<KeyRing | undefined> {
  const text = await readSetting(read, SETTING)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The keys of the manifest; the first is made when it is needed. */
export async function loadKeyRing({ db, clock }: Deps): Promise<KeyRing> {
  const existing = await readKeyRing(db.read)
  if (existing) return existing
  const now = clock.now()
  const ring = nextKey(now)
  const text = JSON.stringify({ keys: [ring.key], d: ring.jwk.d } satisfies KeyRing)
  return JSON.parse(await db.write((tx) => keepSetting(tx, SETTING, text, now)))
}

/** The current key. */
export function signingKey({ keys, d }: KeyRing): PrivateJwk & { kid: string } {
  const key = keys.at(-1)
  if (!key) throw new Error('there is no key')
  return { ...publicJwk(key), kid: key.kid, d }
}

/**
 * Replaces the current key with a new one, which the old one endorses, so that mirrors that pinned
 * it follow. The private part of the old key is deleted.
 */
export async function rotateKey(deps: Deps): Promise<{ from: string; to: string }> {
  const ring = await loadKeyRing(deps)
  const now = deps.clock.now()
  const old = signingKey(ring)
  const { key, jwk } = nextKey(now)
  const endorsement = signNextKey(old, key)
  const ended = ring.keys.map((one) => (one.kid === old.kid ? { ...one, until: key.since } : one))
  await replace(deps, ring, { keys: [...ended, { ...key, endorsement }], d: jwk.d }, now)
  return { from: old.kid, to: key.kid }
}

/**
 * Revokes a key of the manifest. If it is the current one, a new key takes its place without
 * endorsement, because a thief could endorse one too. Throws `not_found` for an unknown key.
 */
export async function revokeKey(
  deps: Deps,
  kid: string,
  reason: string,
): Promise<{ to: string; replaced: boolean }> {
  const ring = await loadKeyRing(deps)
  if (!ring.keys.some((key) => key.kid === kid)) {
    throw new Failure(
      'not_found',
      `No key of the manifest is called ${kid}. Keys of reviewers are revoked in keys.yaml.`,
    )
  }
  const now = deps.clock.now()
  const revoked = { at: dayOf(now), reason }
  const keys = ring.keys.map((key) => (key.kid === kid ? { ...key, revoked } : key))
  const current = signingKey(ring)
  if (current.kid !== kid) {
    await replace(deps, ring, { ...ring, keys }, now)
    return { to: current.kid, replaced: false }
  }
  const { key, jwk } = nextKey(now)
  await replace(deps, ring, { keys: [...keys, key], d: jwk.d }, now)
  return { to: key.kid, replaced: true }
}

async function replace({ db }: Deps, before: KeyRing, after: KeyRing, now: number): Promise<void> {
  const expected = JSON.stringify(before)
  await db.write(async (tx) => {
    await tx.lock(SETTING)
    if ((await readSetting(tx, SETTING)) !== expected) {
      throw new Failure('conflict', 'The keys were changed at the same time. Try again.')
    }
    await putSetting(tx, SETTING, JSON.stringify(after), now)
  })
}

function nextKey(now: number): { key: CatalogKey; jwk: PrivateJwk } {
  const { kid, jwk } = makePrivateJwk()
  const own = { kid, use: 'sig', purpose: 'manifest', since: dayOf(now) } as const
  return { key: { ...publicJwk(jwk), ...own }, jwk }
}

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}
