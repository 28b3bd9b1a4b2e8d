import { canonicalBytes } from '../../platform/canonical-bytes.ts'
import type { Tombstone } from '../records/change.ts'
import { formerSlugs } from '../records/renames.ts'
import type { AuthoredReview, ReviewerKey } from '../records/review.ts'
import { readDetached, signDetached, TYP, verifyDetached } from './jws.ts'
import { type CatalogKey, keyProblem, type PrivateJwk } from './keys.ts'

/** The result of checking a review's signature, with the reason if it is not valid. */
export type Checked =
  | { status: 'valid' }
  | { status: 'invalid' | 'unknown-key' | 'revoked-key'; why: string }

type SignedReviews = {
  reviews: readonly AuthoredReview[]
  keys?: readonly ReviewerKey[]
  removed: readonly Tombstone[]
}
type Signed = NonNullable<AuthoredReview['signature']>

/**
 * The signed bytes: the review without its signature, with the tool's slug and its own id, so that
 * it cannot be moved to another tool.
 */
export function reviewBytes({ signature: _, ...review }: AuthoredReview): Uint8Array<ArrayBuffer> {
  return canonicalBytes(review)
}

/** The signature block for the review's file. */
export async function signReview(
  review: AuthoredReview,
  key: PrivateJwk,
  kid: string,
): Promise<Signed> {
  const jws = await signDetached(reviewBytes(review), key, TYP.review)
  return { alg: 'EdDSA', kid, jws: `${jws.protected}..${jws.signature}` }
}

/**
 * Undefined for an unsigned review. `former` are the earlier slugs of its tool: a signature made
 * under one of them stays valid.
 */
export async function checkReview(
  review: AuthoredReview,
  keys: readonly ReviewerKey[],
  former: readonly string[] = [],
): Promise<Checked | undefined> {
  const { signature } = review
  if (!signature) return undefined
  const no = (why: string) => ({ status: 'invalid', why }) as const
  const jws = detached(signature.jws)
  const detachedJws = readDetached(jws)
  if (typeof detachedJws === 'string') return no(detachedJws)
  if (signature.alg !== 'EdDSA' || signature.kid !== detachedJws.kid) {
    return no('The block of the signature does not say what its header says.')
  }
  const own = keys.find(({ kid }) => kid === detachedJws.kid)
  if (!own) {
    return { status: 'unknown-key', why: `The key ${detachedJws.kid} is not in keys.yaml.` }
  }
  const signed = await verifyDetached(reviewBytes(review), jws, own.jwk, TYP.review)
  if (signed !== true && !(await holdsUnder(former, review, own))) return no(signed)
  const problem = keyProblem(listedKey(own), 'review', review.date)
  if (problem === undefined) return { status: 'valid' }
  const isRevoked = own.revoked !== undefined && own.revoked.at <= review.date
  return isRevoked ? { status: 'revoked-key', why: problem } : no(problem)
}

async function holdsUnder(
  former: readonly string[],
  review: AuthoredReview,
  { jwk }: ReviewerKey,
): Promise<boolean> {
  const jws = detached(review.signature?.jws ?? '')
  for (const tool of former) {
    if ((await verifyDetached(reviewBytes({ ...review, tool }), jws, jwk, TYP.review)) === true) {
      return true
    }
  }
  return false
}

/** The results for each signed review, by `SLUG/ID`. */
export async function checkReviews({
  reviews,
  keys = [],
  removed,
}: SignedReviews): Promise<Map<string, Checked>> {
  const checked = new Map<string, Checked>()
  const former = formerSlugs(removed)
  for (const review of reviews) {
    const result = await checkReview(review, keys, former.get(review.tool))
    if (result) checked.set(`${review.tool}/${review.id}`, result)
  }
  return checked
}

/** Reviews without a forged or revoked signature; only these count in averages. */
export function trustedReviews(
  reviews: readonly AuthoredReview[],
  states: ReadonlyMap<string, Checked>,
): AuthoredReview[] {
  return reviews.filter(({ tool, id }) => {
    const status = states.get(`${tool}/${id}`)?.status
    return status !== 'invalid' && status !== 'revoked-key'
  })
}

/** A key of `keys.yaml` in the published list of keys. */
export function listedKey({ kid, jwk, ...more }: ReviewerKey): CatalogKey {
  return { ...jwk, kid, use: 'sig', purpose: 'review', ...more }
}

/** `HEADER..SIGNATURE` (RFC 7515, appendix F). */
function detached(jws: string) {
  const [head, payload, signature, more] = jws.split('.')
  if (payload !== '' || more !== undefined) return undefined
  return { protected: head, signature }
}
