import { and, asc, eq, gt, gte, inArray, isNull, lt, or } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { questions, tallied, tallies } from './table.ts'
import type { EndedQuestion, Tally } from './tally.ts'
import { isShown } from './visible-store.ts'

// These asked nobody: approvals left to the terminal, test traffic, and questions that were
// deliberately held.
const COUNTED = ['answered', 'stopped', 'expired', 'cancelled'] as const

/** Where a list of ended questions begins: at an instant, or after a question. */
export type EndedAfter = { at: number; id?: QuestionId | undefined }

/** Questions that were asked of people or rules and ended before `before`, the earliest first. */
export async function listEndedAfter(
  read: Read,
  viewer: Viewer,
  after: EndedAfter,
  { before, limit }: { before: number; limit: number },
): Promise<EndedQuestion[]> {
  const { id, status, createdAt, endedAt, repoKey } = questions
  const { answeredBy, answeredOn, answerSource } = questions
  const from =
    after.id === undefined
      ? gte(endedAt, after.at)
      : or(gt(endedAt, after.at), and(eq(endedAt, after.at), gt(id, after.id)))
  const rows = await read
    .select({ id, status, createdAt, endedAt, repoKey, answeredBy, answeredOn, answerSource })
    .from(questions)
    .where(
      and(
        isShown(read, viewer),
        // The index ends here; the condition on the id is looked at row by row.
        gte(endedAt, after.at),
        from,
        lt(endedAt, before),
        inArray(status, [...COUNTED]),
        eq(questions.test, false),
        isNull(questions.held),
      ),
    )
    .orderBy(asc(endedAt), asc(id))
    .limit(limit)
  return rows.map((row) => ({
    ...nullsToUndefined(row),
    endedAt: row.endedAt ?? row.createdAt,
  }))
}

/** Until when the ended questions of a workspace are counted; undefined if none are. */
export async function findTallied(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<number | undefined> {
  const rows = await read.select().from(tallied).where(eq(tallied.workspaceId, workspaceId))
  return rows[0]?.until
}

/** Stores counts, and until when everything is counted. */
export async function putTallies(
  tx: Tx,
  workspaceId: WorkspaceId,
  rows: readonly Tally[],
  until: number,
): Promise<void> {
  for (const row of rows) {
    const { byPerson, byRule, unanswered, withdrawn, times } = row
    await tx
      .insert(tallies)
      .values(row)
      .onConflictDoUpdate({
        target: [tallies.workspaceId, tallies.repoKey, tallies.at],
        set: { byPerson, byRule, unanswered, withdrawn, times },
      })
  }
  await tx
    .insert(tallied)
    .values({ workspaceId, until })
    .onConflictDoUpdate({ target: tallied.workspaceId, set: { until } })
}

/** The counts of a workspace or, with `repoKey`, of one repository since `from`, in order. */
export async function listTallies(
  read: Read,
  { workspaceId, repoKey = '' }: { workspaceId: WorkspaceId; repoKey?: string | undefined },
  from: number,
): Promise<Tally[]> {
  return read
    .select()
    .from(tallies)
    .where(
      and(
        eq(tallies.workspaceId, workspaceId),
        eq(tallies.repoKey, repoKey),
        gte(tallies.at, from),
      ),
    )
    .orderBy(asc(tallies.at))
}

/** Deletes the counts of a workspace from before `before`. */
export async function purgeTallies(
  tx: Tx,
  workspaceId: WorkspaceId,
  before: number,
): Promise<void> {
  await tx.delete(tallies).where(and(eq(tallies.workspaceId, workspaceId), lt(tallies.at, before)))
}
