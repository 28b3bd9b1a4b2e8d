import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type Static, Type } from '@sinclair/typebox'
import { canonicalText } from '../../../platform/signing/canonical.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** A vote that somebody gives: what they saw, and what they decide. */
export type Ballot = {
  questionId: QuestionId
  personId: PersonId
  value: string
  /** As in a receipt, which can therefore be checked without the server. */
  textSha256: string
  actionSha256: string | undefined
  /** Of the whole question, what its rules ask for, and the changes of the person. */
  approvalSha256: string
}

/** What proves that somebody was there: a signature by their passkey, and what it is checked with. */
export const PasskeySignature = Type.Object(
  {
    credentialId: Type.String(),
    /** As it was then, COSE, in base64. */
    publicKey: Type.String(),
    /** These three as WebAuthn has them, in base64url. */
    signature: Type.String(),
    authenticatorData: Type.String(),
    clientData: Type.String(),
    approvalSha256: Type.String(),
    /** The random part of the challenge. */
    nonce: Type.String(),
  },
  { additionalProperties: false },
)
export type PasskeySignature = Static<typeof PasskeySignature>

/** What a passkey has to sign, base64url: for another question, text or answer another. */
export function challengeOf(ballot: Ballot, nonce: string): string {
  const { questionId, personId, value, textSha256, actionSha256 = '', approvalSha256 } = ballot
  const about = [questionId, personId, value, textSha256, actionSha256, approvalSha256]
  return Buffer.from(sha256(canonicalText(['vote', ...about, nonce])), 'hex').toString('base64url')
}

/** Where it was signed; the passkeys of a server belong to its name, `rpId`. */
type Place = { origin: string; rpId: string }

/**
 * Checks that this passkey signed this vote, and that it verified its person. Resolves to how often
 * it has signed, undefined if it did not sign this. `counter` is what it was before, if known.
 */
export async function checkSignature(
  ballot: Ballot,
  {
    credentialId: id,
    publicKey,
    signature,
    authenticatorData,
    clientData,
    nonce,
  }: PasskeySignature,
  { origin, rpId, counter = 0 }: Place & { counter?: number },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON: clientData, authenticatorData, signature },
    } satisfies AuthenticationResponseJSON,
    expectedChallenge: challengeOf(ballot, nonce),
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64')), counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

/** The origin in the client data, which the browser wrote; undefined if there is none. */
export function originIn({ clientData }: Pick<PasskeySignature, 'clientData'>): string | undefined {
  try {
    const { origin } = JSON.parse(Buffer.from(clientData, 'base64url').toString())
    return typeof origin === 'string' ? origin : undefined
  } catch {
    return undefined
  }
}
