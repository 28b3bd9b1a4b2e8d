import { inSeconds } from '../../platform/http/limits.ts'
import { readDetached } from '../../platform/signing/jws.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { followKeys } from '../signing/follow-keys.ts'
import type { Manifest } from '../signing/manifest.ts'
import { verifyManifest } from '../signing/verify-manifest.ts'

/** Why a manifest was refused; the one before stays. */
export type ManifestRefusal =
  | 'signature'
  | 'key'
  | 'rollback'
  | 'fork'
  | 'expired'
  | 'clock'
  | 'manifest'
  | 'blob'

export type ManifestOffer = {
  bytes: Uint8Array
  jws: unknown
  keys: unknown
}

/** The state trusted so far; `kid` is undefined if any key will do, as on the first time. */
export type TrustedState = {
  kid: string | undefined
  /** 0 before the first. */
  sequence: number
  manifest: string
  allowStale: boolean
}

export type ManifestVerdict =
  | { ok: true; kid: string; sha256: string; manifest: Manifest; isNew: boolean }
  | { ok: false; refusal: ManifestRefusal; why: string }

// Clocks differ; a day covers every time zone that was set wrongly.
const AHEAD_MOST_MS = 86_400_000

/** Decides if a manifest is trusted, given the state trusted so far (docs/catalog/mirrors.md). */
export function judgeManifest(
  offer: ManifestOffer,
  believed: TrustedState,
  now: number,
): ManifestVerdict {
  const { bytes, jws, keys } = offer
  const detached = readDetached(jws)
  if (typeof detached === 'string') return no('signature', detached)
  if (believed.kid !== undefined) {
    const followed = followKeys(keys, believed.kid, detached.kid)
    if (!followed.ok) return no('key', followed.why)
  }
  const verified = verifyManifest(bytes, jws, keys)
  if (!verified.ok) return no('signature', verified.why)
  const { manifest, kid } = verified
  const hash = sha256(bytes)
  const problem =
    orderProblem(manifest, hash, believed) ?? timeProblem(manifest, believed.allowStale, now)
  return problem ?? { ok: true, kid, sha256: hash, manifest, isNew: hash !== believed.manifest }
}

function orderProblem(manifest: Manifest, sha256: string, believed: TrustedState) {
  const { sequence, previous } = manifest
  if (sequence < believed.sequence) {
    const why = `The manifest has the sequence ${sequence}, and ${believed.sequence} was seen before: the source went back.`
    return no('rollback', why)
  }
  if (sequence === believed.sequence && sha256 !== believed.manifest) {
    const why = `There are two manifests with the sequence ${sequence}: the source shows others something else.`
    return no('fork', why)
  }
  if (
    sequence === believed.sequence + 1 &&
    believed.sequence > 0 &&
    previous !== believed.manifest
  ) {
    const why = `The manifest ${sequence} comes after another ${believed.sequence} than the one that was seen.`
    return no('fork', why)
  }
  return undefined
}

function timeProblem({ issuedAt, expiresAt }: Manifest, allowStale: boolean, now: number) {
  const ahead = Date.parse(issuedAt) - now
  if (ahead > AHEAD_MOST_MS) {
    const why = `The manifest says to be of ${issuedAt}, ${inSeconds(Math.round(ahead / 1000))} from now: one of the two clocks is wrong.`
    return no('clock', why)
  }
  if (!allowStale && Date.parse(expiresAt) <= now) return expired(expiresAt)
  return undefined
}

/** The source still serves a manifest that it should have replaced. */
export function expired(expiresAt: string) {
  const why = `The manifest expired at ${expiresAt}: no newer one was signed, or the source hides it. If the clock of this machine is right, ask the source, or take it with --allow-stale.`
  return no('expired', why)
}

function no(refusal: ManifestRefusal, why: string) {
  return { ok: false, refusal, why } as const
}
