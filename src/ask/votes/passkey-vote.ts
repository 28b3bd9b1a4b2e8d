import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { canonicalText } from '../../platform/signing/canonical.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { countPasskeyUse, listPasskeyKeys } from '../accounts/model/passkey-store.ts'
import { putChallenge, takeChallenge } from '../accounts/model/vote-challenge-store.ts'
import type { QuestionId } from '../wire/ids.ts'

// Enough to find the key; what is on the screen is still what they read.
const CHALLENGE_MS = 2 * 60_000

/** A vote that somebody gives: the digest is of what they saw and what they decide. */
export type Ballot = { questionId: QuestionId; personId: PersonId; digest: string }

/** What a browser hands in: the signature, the random part that was signed, and where. */
export type PasskeyClaim = { response: unknown; nonce: string; origin: string; rpId: string }

/** The random part, and what a passkey has to sign; base64url. */
export type Challenge = { nonce: string; challenge: string; credentialIds: string[] }

type Deps = { db: Db; clock: Clock }

/** Makes what has to be signed for this vote; undefined for somebody without a passkey. */
export async function makeChallenge(
  { db, clock }: Deps,
  ballot: Ballot,
): Promise<Challenge | undefined> {
  const { questionId, personId } = ballot
  const keys = await listPasskeyKeys(db.read, personId)
  if (keys.length === 0) return undefined
  const [id, nonce, now] = [randomText(32), randomText(43), clock.now()]
  const times = { expiresAt: now + CHALLENGE_MS }
  const row = { id, questionId, personId, hash: sha256(nonce), ...times }
  await db.write((tx) => putChallenge(tx, row, now))
  return {
    nonce,
    challenge: challengeOf(ballot, nonce),
    credentialIds: keys.map(({ credentialId }) => credentialId),
  }
}

/** A signature for another question, text or answer signs another challenge. */
function challengeOf({ questionId, personId, digest }: Ballot, nonce: string): string {
  const signed = canonicalText(['vote', questionId, personId, digest, nonce])
  return Buffer.from(sha256(signed), 'hex').toString('base64url')
}

const Response = Type.Object({
  id: Type.String({ maxLength: 2_000 }),
  rawId: Type.String({ maxLength: 2_000 }),
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Type.String({ maxLength: 4_000 }),
    authenticatorData: Type.String({ maxLength: 4_000 }),
    signature: Type.String({ maxLength: 2_000 }),
  }),
})

/**
 * Checks that a passkey of this person signed this vote, and that it verified them. Resolves to what
 * uses the challenge up in the transaction of the vote. Throws `forbidden`.
 */
export async function verifyPasskeyVote(
  { db, clock }: Deps,
  ballot: Ballot,
  { response, nonce, origin, rpId }: PasskeyClaim,
): Promise<(tx: Tx) => Promise<void>> {
  const { questionId, personId } = ballot
  if (!Value.Check(Response, response)) throw refused('no passkey was used')
  const keys = await listPasskeyKeys(db.read, personId)
  const key = keys.find(({ credentialId }) => credentialId === response.id)
  if (!key) throw refused('that passkey is not yours, or was removed')
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response: { clientExtensionResults: {}, ...response } satisfies AuthenticationResponseJSON,
    expectedChallenge: challengeOf(ballot, nonce),
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: key.credentialId,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64')),
      counter: key.counter,
    },
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!verified?.verified) throw refused(NOT_THIS)
  const { newCounter } = verified.authenticationInfo
  const now = clock.now()
  return async (tx) => {
    const isUnused = await takeChallenge(tx, { questionId, personId, hash: sha256(nonce) }, now)
    if (!isUnused) throw refused('it was used already, or took longer than two minutes')
    if (!(await countPasskeyUse(tx, key.id, newCounter))) throw refused('it was just removed')
  }
}

const NOT_THIS =
  'it signed something else, or did not verify that it was you (by a fingerprint, a face or a PIN)'

function refused(why: string): Failure {
  return new Failure('forbidden', `The passkey did not count: ${why}. Nothing was sent. Try again.`)
}
