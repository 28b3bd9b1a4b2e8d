import { and, eq, gt, sql } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { isPending, questions } from './table.ts'

const findProposal = prepared((read: Read) =>
  read
    .select({ id: questions.id })
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, sql.placeholder('workspaceId')),
        eq(questions.sessionId, sql.placeholder('sessionId')),
        eq(questions.test, sql.placeholder('test')),
        eq(questions.origin, 'scope'),
        isPending,
        gt(questions.expiresAt, sql.placeholder('now')),
      ),
    )
    .limit(1)
    .prepare(),
)

/**
 * Returns true if a person may still agree to a scope of this session; test traffic is counted
 * apart.
 */
export async function isScopeProposed(
  read: Read,
  of: { workspaceId: WorkspaceId; sessionId: string; test: boolean },
  now: number,
): Promise<boolean> {
  const rows = await findProposal(read).execute({ ...of, test: Number(of.test), now })
  return rows.length > 0
}
