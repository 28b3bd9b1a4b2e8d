import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { countPasskeyUse, listPasskeyKeys } from '../accounts/model/passkey-store.ts'
import { putChallenge, takeChallenge } from '../accounts/model/vote-challenge-store.ts'
import {
  type Ballot,
  challengeOf,
  checkSignature,
  type PasskeySignature,
} from './model/passkey-signature.ts'

// Enough to find the key; what is on the screen is still what they read.
const CHALLENGE_MS = 2 * 60_000

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

/** A checked signature; `use` uses the challenge up, in the transaction of the vote. */
export type PasskeyProof = { signature: PasskeySignature; use: (tx: Tx) => Promise<void> }

/**
 * Checks that a passkey of this person signed this vote, and that it verified them. Throws
 * `forbidden`.
 */
export async function verifyPasskeyVote(
  { db, clock }: Deps,
  ballot: Ballot,
  { response, nonce, origin, rpId }: PasskeyClaim,
): Promise<PasskeyProof> {
  const { questionId, personId } = ballot
  if (!Value.Check(Response, response)) throw refused('no passkey was used')
  const keys = await listPasskeyKeys(db.read, personId)
  const key = keys.find(({ credentialId }) => credentialId === response.id)
  if (!key || response.rawId !== response.id) {
    throw refused('that passkey is not yours, or was removed')
  }
  const { clientDataJSON: clientData, authenticatorData, signature: bytes } = response.response
  const { credentialId, publicKey, counter } = key
  const signature = {
    ...{ credentialId, publicKey, signature: bytes, authenticatorData, clientData, nonce },
    approvalSha256: ballot.approvalSha256,
  }
  const newCounter = await checkSignature(ballot, signature, { origin, rpId, counter })
  if (newCounter === undefined) throw refused(NOT_THIS)
  const now = clock.now()
  const use = async (tx: Tx) => {
    const isUnused = await takeChallenge(tx, { questionId, personId, hash: sha256(nonce) }, now)
    if (!isUnused) throw refused('it was used already, or took longer than two minutes')
    if (!(await countPasskeyUse(tx, key.id, newCounter))) throw refused('it was just removed')
  }
  return { signature, use }
}

const NOT_THIS =
  'it signed something else, or did not verify that it was you (by a fingerprint, a face or a PIN)'

function refused(why: string): Failure {
  return new Failure('forbidden', `The passkey did not count: ${why}. Nothing was sent. Try again.`)
}
