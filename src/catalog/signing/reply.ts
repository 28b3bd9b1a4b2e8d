import { Type } from '@sinclair/typebox'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { shape } from '../../platform/schema.ts'
import { canonicalBytes } from '../../platform/signing/canonical.ts'
import { type PrivateJwk, type PublicJwk, thumbprint } from '../../platform/signing/ed25519.ts'
import { signDetached, verifyDetached } from '../../platform/signing/jws.ts'
import type { SignedReply } from '../records/reply.ts'
import { TYP } from './keys.ts'

export const REPLY_KEYS_PATH = '/.well-known/catalog-reply-keys.json'
const BYTES_MAX = 64 * 1024
const OK = 200

const KeySet = Type.Object({
  keys: Type.Array(Type.Object({ kty: Type.String(), crv: Type.String(), x: Type.String() }), {
    maxItems: 50,
  }),
})

/** The signed bytes: the reply without its signature, canonical. */
function replyBytes({ tool, date, text }: Omit<SignedReply, 'signature'>) {
  return canonicalBytes({ tool, date, text })
}

/** A reply with the signature of its vendor. */
export function signReply(
  { tool, date, text }: Omit<SignedReply, 'signature'>,
  key: PrivateJwk,
): SignedReply {
  const jws = signDetached(replyBytes({ tool, date, text }), key, TYP.reply)
  const signature = { kid: thumbprint(key), jws: `${jws.protected}..${jws.signature}` }
  return { tool, date, text, signature }
}

/** True, or a sentence that says what is wrong with the signature of a reply. */
export function checkReply(reply: SignedReply, key: PublicJwk): true | string {
  if (thumbprint(key) !== reply.signature.kid) return 'It was signed with another key.'
  const [head = '', signature = ''] = reply.signature.jws.split('..')
  return verifyDetached(replyBytes(reply), { protected: head, signature }, key, TYP.reply)
}

/**
 * Reads the key of a reply at the vendor's own site (`https://DOMAIN`), without following a
 * redirect; a sentence if it is not there.
 */
export async function publishedKey(
  fetch: GuardedFetch['fetch'],
  site: string,
  kid: string,
): Promise<{ url: string; key: PublicJwk } | string> {
  const url = `${site}${REPLY_KEYS_PATH}`
  const answer = await fetch(url, { method: 'GET', maxBytes: BYTES_MAX })
  if (answer.outcome !== 'answered') return `${url} could not be read: ${answer.reason}`
  if (answer.status !== OK || answer.cut) return `${url} answered ${answer.status}, not a key set.`
  const set = keySetIn(answer.body)
  if (!set)
    return `${url} is not a key set, {"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "…"}]}.`
  const own = set.keys.find((key) => isEd25519(key) && thumbprint(key) === kid)
  if (!own) return `${url} does not have the key ${kid}.`
  return { url, key: { kty: 'OKP', crv: 'Ed25519', x: own.x } }
}

function isEd25519({ kty, crv, x }: { kty: string; crv: string; x: string }): boolean {
  return kty === 'OKP' && crv === 'Ed25519' && /^[A-Za-z0-9_-]{43}$/.test(x)
}

function keySetIn(body: Uint8Array) {
  try {
    const value = JSON.parse(new TextDecoder().decode(body))
    return shape(KeySet).wrong(value).length === 0 ? shape(KeySet).parse(value) : undefined
  } catch {
    return undefined
  }
}
