import { and, eq, gt, like } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { verification } from './auth-tables.ts'
import type { PersonId } from './ids.ts'

/** What one person has to sign with a passkey to vote on one question, once. */
export type VoteChallenge = {
  id: string
  questionId: QuestionId
  personId: PersonId
  /** SHA-256 of the random part, hex. */
  hash: string
  expiresAt: number
}

/** Keeps a challenge in the place of an earlier one of the same person and question. */
export async function putChallenge(tx: Tx, challenge: VoteChallenge, now: number): Promise<void> {
  const { id, questionId, personId: value, hash, expiresAt } = challenge
  await tx
    .delete(verification)
    .where(and(eq(verification.value, value), like(verification.identifier, `${of(questionId)}%`)))
  const at = new Date(now)
  await tx.insert(verification).values({
    id,
    identifier: of(questionId) + hash,
    value,
    expiresAt: new Date(expiresAt),
    createdAt: at,
    updatedAt: at,
  })
}

/** Uses a challenge up: of two who try, one succeeds. */
export async function takeChallenge(
  tx: Tx,
  { questionId, personId, hash }: Pick<VoteChallenge, 'questionId' | 'personId' | 'hash'>,
  now: number,
): Promise<boolean> {
  const taken = await tx
    .delete(verification)
    .where(
      and(
        eq(verification.identifier, of(questionId) + hash),
        eq(verification.value, personId),
        gt(verification.expiresAt, new Date(now)),
      ),
    )
    .returning()
  return taken.length > 0
}

function of(questionId: QuestionId): string {
  return `vote:${questionId}:`
}
