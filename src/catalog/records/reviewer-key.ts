import { type Static, Type } from '@sinclair/typebox'
import { closed, day, patternField } from './words.ts'

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
