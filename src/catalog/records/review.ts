import { type Static, Type } from '@sinclair/typebox'
import { closed, day, openWord, orNull, patternField, slug, textField, texts } from './words.ts'

/**
 * An Ed25519 signature over the canonical JSON of the review without this block, with `tool` and
 * `id` beside its fields.
 */
const ReviewSignature = closed({
  alg: openWord('Algorithm.', ['EdDSA']),
  kid: textField('Thumbprint of the key.', 128),
  jws: textField('Detached compact JWS, `HEADER..SIGNATURE`.', 4000),
})

/** The results of checking a signature; `unchecked` if it was not. */
const REVIEW_STATES = ['valid', 'invalid', 'unknown-key', 'revoked-key', 'unchecked'] as const

/** The same in words for people. */
export const REVIEW_STATE_NAMES: ReadonlyMap<string, string> = new Map([
  ['valid', 'signature valid'],
  ['invalid', 'signature not valid'],
  ['unknown-key', 'signed with a key that the catalog does not know'],
  ['revoked-key', 'signed with a key that was revoked'],
  ['unchecked', 'signature not checked'],
])

const REVIEW = {
  kind: openWord('From the desk or from use.', ['desk', 'usage']),
  date: day('Day of the review.'),
  rating: Type.Number({ minimum: 1, maximum: 5, description: 'From 1 to 5.' }),
  title: Type.String({ minLength: 1, maxLength: 300, description: 'Headline.' }),
  body: textField('The review.', 20_000),
  pros: texts('What is good.'),
  cons: texts('What is not.'),
  themes: texts('What it is about.', 100),
  source: textField('Who reviewed.', 300),
  basis: textField('What it rests on.', 2000),
  outcome: textField('What came of it.', 2000),
}

/** A review as it lies in `reviews/SLUG/ID.json`. */
export const AuthoredReview = closed({
  ...REVIEW,
  signature: Type.Optional(ReviewSignature),
})

/** A review as it is served. */
export const Review = closed(
  {
    id: slug('Identifier of the review.'),
    ...REVIEW,
    signature: orNull(
      closed(
        {
          ...ReviewSignature.properties,
          status: openWord('What checking it gave.', REVIEW_STATES),
        },
        'Ed25519 signature; null for an unsigned review.',
      ),
    ),
  },
  'A review of a tool.',
)
export type Review = Static<typeof Review>

export type AuthoredReview = Static<typeof AuthoredReview> & { id: string; tool: string }

const filled = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description })
const ofAKey = (means: string, description: string) =>
  patternField(means, { pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43, description })

/** A row of `keys.yaml`: a key whose signatures on reviews count. */
export const ReviewerKey = closed(
  {
    kid: ofAKey('the thumbprint of the key', 'Thumbprint of the key (RFC 7638).'),
    jwk: closed({
      kty: Type.Literal('OKP', { description: 'Kind of key.' }),
      crv: Type.Literal('Ed25519', { description: 'Curve.' }),
      x: ofAKey('a public key in base64url', 'The public key itself.'),
    }),
    name: filled('Whose it is.', 200),
    since: day('First day on which it may sign.'),
    until: Type.Optional(day('Last day on which it may sign.')),
    revoked: Type.Optional(
      closed({
        at: day('Reviews from this day on do not count as signed.'),
        reason: filled('Why.', 500),
      }),
    ),
  },
  'A key of a reviewer.',
)
export type ReviewerKey = Static<typeof ReviewerKey>
