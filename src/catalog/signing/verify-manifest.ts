import { readDetached, verifyDetached } from '../../platform/signing/jws.ts'
import { keyProblem, readKeys, TYP } from './keys.ts'
import { type Manifest, readManifest } from './manifest.ts'

export type VerifiedManifest =
  | { ok: true; kid: string; manifest: Manifest }
  | { ok: false; why: string }

/**
 * Checks that these bytes are a manifest signed by a key of this list on a day on which the key was
 * valid. It does not check that the key is trusted (`followKeys`) or that the manifest is fresh.
 */
export function verifyManifest(bytes: Uint8Array, jws: unknown, keys: unknown): VerifiedManifest {
  const no = (why: string) => ({ ok: false, why }) as const
  const keySet = readKeys(keys)
  if (typeof keySet === 'string') return no(keySet)
  const detached = readDetached(jws)
  if (typeof detached === 'string') return no(detached)
  const key = keySet.keys.find(({ kid }) => kid === detached.kid)
  if (!key)
    return no(`The manifest is signed with ${detached.kid}, which is not in the list of keys.`)
  // A thief could date manifests to any day.
  if (key.revoked) return no(`The key ${key.kid} was revoked: ${key.revoked.reason}`)
  const signed = verifyDetached(bytes, jws, key, TYP.manifest)
  if (signed !== true) return no(signed)
  const manifest = readManifest(bytes)
  if (typeof manifest === 'string') return no(manifest)
  const problem = keyProblem(key, 'manifest', manifest.issuedAt.slice(0, 10))
  return problem ? no(problem) : { ok: true, kid: key.kid, manifest }
}
