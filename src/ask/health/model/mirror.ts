import { randomText } from '../../../platform/ids.ts'
import { hmac, sameText } from '../../../platform/signing/hmac.ts'

/** Shows a caller with the server's own secret how its request arrived. */
export const MIRROR_PATH = '/readyz/mirror'
export const MIRROR_HEADER = 'x-beckon-doctor'
/** Sent like an agent's token, to see whether the header arrives; it has no meaning. */
export const MIRROR_AUTHORIZATION = 'Bearer doctor'
/**
 * The reply starts at once and ends this much later, so that a proxy which buffers it is noticed.
 */
export const MIRROR_MS = 500

/** How a request arrived at the server. */
export type Reflection = {
  /** Proves that the server has the same data folder. */
  proof: string
  version: string
  host: string
  forwardedFor: boolean
  /** True if the Authorization header of the request arrived. */
  authorization: boolean
  forwardedProto: string | null
  /** The other end of the connection; missing in the reply of an earlier version. */
  peer?: string | null
  /** True if the server trusts that end for the caller's address. */
  trustsProxy: boolean
}

/** A challenge that only this server can answer, and that reveals nothing to others. */
export type Challenge = { header: string; proof: string }

// A challenge that was intercepted is useless after this time.
const FRESH_MS = 60_000

export function makeChallenge(authSecret: string, now: number): Challenge {
  const nonce = `${now}.${randomText(24)}`
  const key = keyFrom(authSecret)
  return { header: `${nonce}.${hmac(key, `ask ${nonce}`)}`, proof: hmac(key, `reply ${nonce}`) }
}

/** The proof for a challenge of our own; undefined for any other, and for an old one. */
export function proofFor(
  header: string | null,
  authSecret: string,
  now: number,
): string | undefined {
  const [, nonce = '', at = '', signature = ''] =
    /^((\d{1,16})\.\w{1,64})\.([\w-]{1,64})$/.exec(header ?? '') ?? []
  const key = keyFrom(authSecret)
  if (!nonce || !sameText(signature, hmac(key, `ask ${nonce}`))) return undefined
  return Math.abs(now - Number(at)) <= FRESH_MS ? hmac(key, `reply ${nonce}`) : undefined
}

/**
 * A separate key, so that what is signed here cannot be used for the cookies that the secret signs.
 */
function keyFrom(authSecret: string): string {
  return hmac(authSecret, 'doctor')
}
