import { and, desc, eq, gte, isNotNull, lt } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { Watched } from '../../votes/model/watched.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Question } from './question.ts'
import { questions } from './table.ts'
import { isShown } from './visible-store.ts'

/** A question that rules watched, and how it ended. */
export type WatchedQuestion = Pick<
  Question,
  'id' | 'status' | 'createdAt' | 'endedAt' | 'answeredBy' | 'answeredOn' | 'answerSource'
> & { watched: Watched[]; isVoted: boolean }

/** The questions since `since` that rules watched, as far as a viewer sees them, the latest first: those before `before`. */
export async function listWatched(
  read: Read,
  viewer: Viewer,
  { since, before, limit }: { since: QuestionId; before?: QuestionId | undefined; limit: number },
): Promise<WatchedQuestion[]> {
  const { id, status, createdAt, endedAt, watched, requirement } = questions
  const { answeredBy, answeredOn, answerSource } = questions
  const ending = { status, createdAt, endedAt, answeredBy, answeredOn, answerSource }
  const rows = await read
    .select({ id, ...ending, watched, requirement })
    .from(questions)
    .where(
      and(
        isShown(read, viewer),
        isNotNull(watched),
        gte(id, since),
        before === undefined ? undefined : lt(id, before),
      ),
    )
    .orderBy(desc(id))
    .limit(limit)
  return rows.map(({ requirement: votes, watched: by, ...row }) => ({
    ...nullsToUndefined(row),
    watched: by ?? [],
    isVoted: votes !== null,
  }))
}

/** Replaces what is known of the rules that watched a question. */
export async function putWatched(tx: Tx, id: QuestionId, watched: Watched[]): Promise<void> {
  await tx.update(questions).set({ watched }).where(eq(questions.id, id))
}
