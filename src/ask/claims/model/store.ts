import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { claims } from './table.ts'

/** Somebody looks after a question until then. */
export type Claim = typeof claims.$inferSelect

/** False if this person took the question before. */
export async function insertClaim(tx: Tx, claim: Claim): Promise<boolean> {
  const rows = await tx.insert(claims).values(claim).onConflictDoNothing().returning()
  return rows.length > 0
}

/** Who looks after a question now. */
export async function findClaim(
  read: Read,
  questionId: QuestionId,
  now: number,
): Promise<Claim | undefined> {
  const [row] = await findOne(read).execute({ questionId, now })
  return row
}

// Every vote reads it.
const findOne = prepared((read: Read) =>
  read
    .select()
    .from(claims)
    .where(
      and(
        eq(claims.questionId, sql.placeholder('questionId')),
        gt(claims.until, sql.placeholder('now')),
      ),
    )
    .prepare(),
)

/** True if this person takes or took the question. */
export async function hasClaimed(
  read: Read,
  { questionId, personId }: Pick<Claim, 'questionId' | 'personId'>,
): Promise<boolean> {
  const rows = await read
    .select({ id: claims.questionId })
    .from(claims)
    .where(and(eq(claims.questionId, questionId), eq(claims.personId, personId)))
  return rows.length > 0
}

/** The claims of a person that hold now. */
export function listClaimsOf(read: Read, personId: PersonId, now: number): Promise<Claim[]> {
  return read
    .select()
    .from(claims)
    .where(and(eq(claims.personId, personId), gt(claims.until, now)))
}

/** Ends a claim early; false if it is over. */
export async function endClaim(
  tx: Tx,
  { questionId, personId }: Pick<Claim, 'questionId' | 'personId'>,
  now: number,
): Promise<boolean> {
  const rows = await tx
    .update(claims)
    .set({ until: now })
    .where(
      and(eq(claims.questionId, questionId), eq(claims.personId, personId), gt(claims.until, now)),
    )
    .returning()
  return rows.length > 0
}

/** Deletes the claims of a person who is removed. */
export async function deleteClaimsOf(
  tx: Tx,
  { workspaceId, personId }: Pick<Claim, 'workspaceId' | 'personId'>,
): Promise<void> {
  await tx
    .delete(claims)
    .where(and(eq(claims.personId, personId), eq(claims.workspaceId, workspaceId)))
}

export async function deleteClaims(tx: Tx, ids: readonly QuestionId[]): Promise<void> {
  if (ids.length > 0) await tx.delete(claims).where(inArray(claims.questionId, [...ids]))
}
