import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { canonicalText } from '../../platform/signing/canonical.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'
import { contentDigest } from '../questions/model/key.ts'
import { shownDigests } from '../questions/model/shown-digests.ts'
import type { Ballot, PasskeySignature } from '../votes/model/passkey-signature.ts'
import { PROOF_NEEDED } from '../votes/model/refusals.ts'
import type { Fresh } from '../votes/model/requirement.ts'
import { verifyPasskeyVote } from '../votes/passkey-vote.ts'
import type { CheckedAnswer } from './checked-answer.ts'

/** How old a fresh sign-in may be. */
const FRESH_MS = 15 * 60_000

/** A yes of somebody who may give it, but has not proven themselves as its rule asks. */
export class ProofNeeded extends Failure {
  readonly fresh: Fresh
  /** What they have to sign. */
  readonly ballot: Ballot

  constructor(fresh: Fresh, ballot: Ballot) {
    super(PROOF_NEEDED, NEEDED[fresh])
    this.fresh = fresh
    this.ballot = ballot
  }
}

/** What a yes needs that is not proven so. */
export const NEEDED: Record<Fresh, string> = {
  sign_in:
    'A rule takes a yes to this only within 15 minutes of signing in. Sign in again, and vote on its page. Nothing was sent.',
  passkey: 'A rule takes a yes to this only with a passkey. Vote on its page. Nothing was sent.',
}

/** What proved a vote. `use` runs in its transaction, and throws if the proof was used before. */
export type Proven = {
  kind: string
  use?: (tx: Tx) => Promise<void>
  passkey?: PasskeySignature
}

/** Reads what proves a vote, before its transaction. Throws `forbidden` for a wrong passkey. */
export async function readProof(deps: EndQuestionDeps, answer: CheckedAnswer): Promise<Proven> {
  const { question, ending, by, at, proof } = answer
  const fresh = question.requirement?.fresh
  if (ending.answeredOn || by === undefined) return { kind: ending.answeredOn?.kind ?? 'session' }
  if (fresh === undefined) return { kind: 'session' }
  if (proof?.passkey) {
    const ballot = ballotOf(answer, by)
    const { use, signature } = await verifyPasskeyVote(deps, ballot, proof.passkey)
    return { kind: 'passkey', use, passkey: signature }
  }
  return { kind: isFresh(proof?.signedInAt, at) ? 'sign_in' : 'session' }
}

/** True for a sign-in of a few minutes ago; of some it is not known when they were. */
export function isFresh(signedInAt: number | undefined, now: number): boolean {
  return signedInAt !== undefined && Math.abs(now - signedInAt) <= FRESH_MS
}

/** Throws `ProofNeeded` unless this proof is as strong as the rule asks. */
export function requireProof(answer: CheckedAnswer, { kind }: Proven): void {
  const { question, by } = answer
  const fresh = question.requirement?.fresh
  if (fresh === undefined || by === undefined) return
  if (kind === 'passkey' || kind === fresh) return
  throw new ProofNeeded(fresh, ballotOf(answer, by))
}

/** What was shown and what is decided, with everything that the person changed. */
function ballotOf(
  { question, ending, edited }: CheckedAnswer,
  personId: Ballot['personId'],
): Ballot {
  const { value, detail } = ending
  const sight = [contentDigest(question), question.requirement ?? null]
  const changes = [detail?.edited ?? null, edited ?? null]
  // Text, since what is absent has no canonical form.
  const approval = canonicalText(JSON.parse(JSON.stringify([sight, changes])))
  return {
    ...{ questionId: question.id, personId, value: String(value), ...shownDigests(question) },
    approvalSha256: sha256(approval),
  }
}
