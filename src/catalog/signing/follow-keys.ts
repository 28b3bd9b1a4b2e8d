import { canonicalBytes } from '../../platform/signing/canonical.ts'
import { type PrivateJwk, publicJwk } from '../../platform/signing/ed25519.ts'
import { signDetached, verifyDetached } from '../../platform/signing/jws.ts'
import { type CatalogKey, readKeys, TYP } from './keys.ts'

/** The chain of keys from the pinned one to the current one, both included. */
export type KeyChain = { ok: true; through: string[] } | { ok: false; why: string }

/**
 * Decides if a reader who trusts `pinned` may trust `kid`: it is the same key, or each later key was
 * endorsed by the one before. A revoked key endorses nothing, because a thief could use it.
 */
export function followKeys(keys: unknown, pinned: string, kid: string): KeyChain {
  const keySet = readKeys(keys)
  if (typeof keySet === 'string') return { ok: false, why: keySet }
  const byKid = new Map(keySet.keys.map((key) => [key.kid, key]))
  const through: string[] = []
  for (let key = byKid.get(kid); key; key = byKid.get(key.endorsement?.kid ?? '')) {
    if (key.revoked) return { ok: false, why: revokedOnTheWay(key, pinned) }
    if (through.includes(key.kid)) break
    through.unshift(key.kid)
    if (key.kid === pinned) return { ok: true, through }
    const problem = endorsementProblem(key, byKid)
    if (problem) return { ok: false, why: problem }
  }
  return { ok: false, why: `The key ${kid} does not follow from the pinned ${pinned}.` }
}

/** Signs the endorsement of the next key with `key`. */
export function signNextKey(key: PrivateJwk & { kid: string }, next: CatalogKey) {
  const signed = signDetached(canonicalBytes(publicJwk(next)), key, TYP.key)
  return { kid: key.kid, ...signed }
}

function endorsementProblem(
  key: CatalogKey,
  byKid: ReadonlyMap<string, CatalogKey>,
): string | undefined {
  if (!key.endorsement) return `No key before it vouches for ${key.kid}.`
  const { kid, ...jws } = key.endorsement
  const before = byKid.get(kid)
  if (!before) return `The key ${kid}, which vouches for ${key.kid}, is not in the list of keys.`
  if (before.purpose !== key.purpose) return `The key ${kid} cannot vouch for ${key.kid}.`
  const signed = verifyDetached(canonicalBytes(publicJwk(key)), jws, before, TYP.key)
  return signed === true ? undefined : `${kid} does not vouch for ${key.kid}. ${signed}`
}

function revokedOnTheWay({ kid, revoked }: CatalogKey, pinned: string): string {
  const which = kid === pinned ? `The pinned key ${kid}` : `The key ${kid}`
  return `${which} was revoked on ${revoked?.at}: ${revoked?.reason} Ask the catalog for its new key, and pin that.`
}
