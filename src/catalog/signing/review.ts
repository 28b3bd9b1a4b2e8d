import { runInSteps } from '../../platform/run-in-steps.ts'
import { canonicalBytes } from '../../platform/signing/canonical.ts'
import type { PrivateJwk } from '../../platform/signing/ed25519.ts'
import { readDetached, signDetached, verifyDetached } from '../../platform/signing/jws.ts'
import type { Tombstone } from '../records/change.ts'
import { formerSlugs } from '../records/renames.ts'
import type { AuthoredReview, ReviewerKey } from '../records/review.ts'
import { type CatalogKey, keyProblem, TYP } from './keys.ts'

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
export function signReview(review: AuthoredReview, key: PrivateJwk, kid: string): Signed {
  const jws = signDetached(reviewBytes(review), key, TYP.review)
  return { alg: 'EdDSA', kid, jws: `${jws.protected}..${jws.signature}` }
}

/**
 * Undefined for an unsigned review. `former` are the earlier slugs of its tool: a signature made
 * under one of them stays valid.
 */
export function checkReview(
  review: AuthoredReview,
  keys: readonly ReviewerKey[],
  former: readonly string[] = [],
): Checked | undefined {
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
  const signed = verifyDetached(reviewBytes(review), jws, own.jwk, TYP.review)
  if (signed !== true && !holdsUnder(former, review, own)) return no(signed)
  const problem = keyProblem(listedKey(own), 'review', review.date)
  if (problem === undefined) return { status: 'valid' }
  const isRevoked = own.revoked !== undefined && own.revoked.at <= review.date
  return isRevoked ? { status: 'revoked-key', why: problem } : no(problem)
}

function holdsUnder(
  former: readonly string[],
  review: AuthoredReview,
  { jwk }: ReviewerKey,
): boolean {
  const jws = detached(review.signature?.jws ?? '')
  return former.some(
    (tool) => verifyDetached(reviewBytes({ ...review, tool }), jws, jwk, TYP.review) === true,
  )
}

/** The results for each signed review, by `SLUG/ID`. The rest of the process runs in between. */
export function checkReviews(reviews: SignedReviews): Promise<Map<string, Checked>> {
  return runInSteps(reviewSteps(reviews))
}

function* reviewSteps({ reviews, keys = [], removed }: SignedReviews) {
  const checked = new Map<string, Checked>()
  const former = formerSlugs(removed)
  for (const review of reviews) {
    const result = checkReview(review, keys, former.get(review.tool))
    if (result) checked.set(`${review.tool}/${review.id}`, result)
    yield
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
