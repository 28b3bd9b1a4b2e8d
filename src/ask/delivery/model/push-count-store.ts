import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../../../platform/db/database.ts'
import { placeholders, prepared } from '../../../platform/db/prepared.ts'
import { proposed } from '../../../platform/db/sql.ts'
import type { TokenId } from '../../accounts/model/ids.ts'
import type { SubscriberId } from '../../subscribers/model/subscriber.ts'
import type { SubjectId } from '../../wire/ids.ts'
import type { Message } from './channel.ts'
import { deliveries, pushCounts } from './table.ts'

export type PushCount = typeof pushCounts.$inferSelect

/** Pushes are counted for this long from the first one on; then counting starts again. */
export const COUNT_WINDOW_MS = 60_000

const { windowAt, pushes, questions, more, moreQuestions, moreSubject } = pushCounts
const isOver = sql`${proposed(windowAt)} - ${windowAt} >= ${COUNT_WINDOW_MS}`
const anew = (column: AnySQLiteColumn, first: unknown, else_: unknown) =>
  sql`case when ${isOver} then ${first} else ${else_} end`.mapWith(column)

const countOne = prepared((tx: Tx) =>
  tx
    .insert(pushCounts)
    .values(placeholders(pushCounts))
    .onConflictDoUpdate({
      target: [pushCounts.tokenId, pushCounts.recipient],
      set: {
        windowAt: anew(windowAt, proposed(windowAt), windowAt),
        pushes: anew(pushes, proposed(pushes), sql`${pushes} + ${proposed(pushes)}`),
        questions: anew(questions, proposed(questions), sql`${questions} + ${proposed(questions)}`),
        more: anew(more, sql`0`, more),
        moreQuestions: anew(moreQuestions, sql`0`, moreQuestions),
        moreSubject: anew(moreSubject, sql`null`, moreSubject),
      },
    })
    .returning()
    .prepare(),
)

/**
 * Counts one push of a token to a person; `question`: it is a question other than a permission
 * request.
 */
export async function countPush(
  tx: Tx,
  of: { tokenId: TokenId; recipient: string; at: number; question: boolean },
): Promise<PushCount> {
  const { tokenId, recipient, at, question } = of
  const [row] = await countOne(tx).execute({
    tokenId,
    recipient,
    windowAt: at,
    pushes: 1,
    questions: question ? 1 : 0,
    more: 0,
    moreQuestions: 0,
    moreSubject: null,
  })
  if (!row) throw new Error('a push was neither counted first nor again')
  return row
}

/**
 * Stores how many messages of a minute were combined, and which one the combined push is stored
 * with.
 */
export async function keepMore(
  tx: Tx,
  { tokenId, recipient, more, moreQuestions, moreSubject }: PushCount,
): Promise<void> {
  await tx
    .update(pushCounts)
    .set({ more, moreQuestions, moreSubject })
    .where(and(eq(pushCounts.tokenId, tokenId), eq(pushCounts.recipient, recipient)))
}

/** Changes messages that have not been sent yet. */
export async function retellDeliveries(
  tx: Tx,
  subjectId: SubjectId,
  devices: readonly SubscriberId[],
  message: Message,
): Promise<void> {
  await tx
    .update(deliveries)
    .set({ message })
    .where(
      and(
        eq(deliveries.subjectId, subjectId),
        inArray(deliveries.subscriberId, [...devices]),
        eq(deliveries.state, 'waiting'),
      ),
    )
}

/** Deletes counts of minutes that are long over. */
export async function forgetPushCounts(tx: Tx, now: number): Promise<void> {
  await tx.delete(pushCounts).where(lt(windowAt, now - COUNT_WINDOW_MS))
}
