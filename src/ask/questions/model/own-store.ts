import { and, desc, eq, gt, lt, lte, or } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Question } from './question.ts'
import { fromRow } from './row.ts'
import { isOver, isPending, questions } from './table.ts'

/** Which questions of a token: those that can still be answered, or those that ended. */
export const OWN_STATES = ['open', 'ended'] as const

export type OwnPage = {
  state: (typeof OWN_STATES)[number]
  sessionId: string | undefined
  before: QuestionId | undefined
  limit: number
}

/** The questions that a token asked, the newest first. */
export async function listOwnQuestions(
  read: Read,
  { workspaceId, tokenId }: { workspaceId: WorkspaceId; tokenId: TokenId },
  { state, sessionId, before, limit }: OwnPage,
  now: number,
): Promise<Question[]> {
  const open = and(isPending, gt(questions.expiresAt, now))
  const ended = or(isOver, and(isPending, lte(questions.expiresAt, now)))
  const rows = await read
    .select()
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, workspaceId),
        eq(questions.tokenId, tokenId),
        state === 'open' ? open : ended,
        sessionId === undefined ? undefined : eq(questions.sessionId, sessionId),
        before && lt(questions.id, before),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(limit)
  return rows.map(fromRow)
}
