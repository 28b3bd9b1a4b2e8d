import { randomText } from '../../../platform/ids.ts'
import { sameText, sign } from '../../../platform/sign.ts'

/** Shows a caller with the server's own secret how its request arrived. */
export const MIRROR_PATH = '/readyz/mirror'
export const MIRROR_HEADER = 'x-beckon-doctor'
/** As an agent's token comes; means nothing, and shows whether it would arrive. */
export const MIRROR_AUTHORIZATION = 'Bearer doctor'
/** The reply begins at once and ends so much later: what stores it up on the way is noticed. */
export const MIRROR_MS = 1_500

/** What the server says of a request that came to it. */
export type Reflection = {
  /** Proves that who answers has the same data folder. */
  proof: string
  version: string
  host: string
  forwardedFor: boolean
  /** Whether the Authorization header of the request arrived. */
  authorization: boolean
  forwardedProto: string | null
  trustsProxy: boolean
}

/** A question that only this server can answer; it says nothing to any other. */
export type Challenge = { header: string; proof: string }

// A challenge that fell into other hands is of no use after that.
const FRESH_MS = 60_000

export function makeChallenge(authSecret: string, now: number): Challenge {
  const asked = `${now}.${randomText(24)}`
  const key = keyFrom(authSecret)
  return { header: `${asked}.${sign(key, `ask ${asked}`)}`, proof: sign(key, `reply ${asked}`) }
}

/** The proof that answers a challenge of our own; undefined for any other, and for an old one. */
export function proofFor(
  header: string | null,
  authSecret: string,
  now: number,
): string | undefined {
  const [, asked = '', at = '', signature = ''] =
    /^((\d{1,16})\.\w{1,64})\.([\w-]{1,64})$/.exec(header ?? '') ?? []
  const key = keyFrom(authSecret)
  if (!asked || !sameText(signature, sign(key, `ask ${asked}`))) return undefined
  return Math.abs(now - Number(at)) <= FRESH_MS ? sign(key, `reply ${asked}`) : undefined
}

/** A key of its own: what is signed here means nothing to the cookies that the secret is for. */
function keyFrom(authSecret: string): string {
  return sign(authSecret, 'doctor')
}
