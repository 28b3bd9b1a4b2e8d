import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import { firstIdAt, type QuestionId, type WorkspaceId } from '../../../platform/ids.ts'
import { WINDOW_MS } from '../../wire/limits.ts'
import { isHookKey, KEY_KEPT_MS, sameContent } from './key.ts'
import type { Question } from './question.ts'
import { fromRow } from './row.ts'
import { questions } from './table.ts'

const findByKey = prepared((read: Read) =>
  read
    .select()
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, sql.placeholder('workspaceId')),
        eq(questions.key, sql.placeholder('key')),
        gt(questions.expiresAt, sql.placeholder('since')),
      ),
    )
    .prepare(),
)

/** The question with this key at `now`. */
export async function findQuestionByKey(
  read: Read,
  workspaceId: WorkspaceId,
  key: string,
  now: number,
): Promise<Question | undefined> {
  const rows = await findByKey(read).execute({ workspaceId, key, since: now - KEY_KEPT_MS })
  return rows[0] && fromRow(rows[0])
}

/** The newest questions of a session about a path outside its scope, made since `since`. */
export async function listChecks(
  read: Read,
  of: Pick<Question, 'workspaceId' | 'sessionId' | 'tokenId' | 'test'>,
  since: number,
  limit: number,
): Promise<Question[]> {
  if (of.sessionId === undefined) return []
  const rows = await read
    .select()
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, of.workspaceId),
        eq(questions.sessionId, of.sessionId),
        gt(questions.id, firstIdAt('q', since)),
        eq(questions.tokenId, of.tokenId),
        eq(questions.test, of.test),
        eq(questions.origin, 'ask'),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(limit)
  return rows.map(fromRow).filter(({ detail }) => detail.scopePath !== undefined)
}

// Every ask without a key reads this and nearly always finds nothing: SQLite would build a sorter
// each time, which takes fifty times as long as the read.
const findRecentlyAbandoned = prepared((read: Read) =>
  read
    .select()
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, sql.placeholder('workspaceId')),
        gt(questions.abandonedAt, sql.placeholder('since')),
        eq(questions.status, 'pending'),
        eq(questions.tokenId, sql.placeholder('tokenId')),
        eq(questions.question, sql.placeholder('question')),
        eq(questions.type, sql.placeholder('type')),
      ),
    )
    .prepare(),
)

const findAnyAbandoned = prepared((read: Read) =>
  read
    .select({ id: questions.id })
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, sql.placeholder('workspaceId')),
        gt(questions.abandonedAt, sql.placeholder('since')),
        eq(questions.status, 'pending'),
      ),
    )
    .limit(1)
    .prepare(),
)

// Calls of the same time ask for the same, so that one read serves them all.
const SINCE_STEP_MS = 60_000

/**
 * The newest open question with the same content whose caller hung up before it had an answer: a
 * model that lost its call asks again under a new id, or without one. Only of the same grant,
 * session, machine and repository, live or test; never a hook's.
 */
export async function findAbandoned(
  read: Read,
  of: Question,
  now: number,
): Promise<Question | undefined> {
  const { workspaceId, tokenId, question, type } = of
  const since = now - WINDOW_MS
  const before = since - (since % SINCE_STEP_MS)
  const any = await findAnyAbandoned(read).execute({ workspaceId, since: before })
  if (any.length === 0) return undefined
  const rows = await findRecentlyAbandoned(read).execute({
    workspaceId,
    tokenId,
    question,
    type,
    since,
  })
  const newestFirst = rows.map(fromRow).sort((a, b) => (a.id < b.id ? 1 : -1))
  return newestFirst.find((twin) => twin.expiresAt > now && isTwin(twin, of))
}

/**
 * Records that a call waits again for an abandoned question; false if another call took it first. It
 * may have ended since it was found: then this call alone is told how.
 */
export async function takeAbandoned(tx: Tx, id: QuestionId): Promise<boolean> {
  const taken = await tx
    .update(questions)
    .set({ abandonedAt: null })
    .where(and(eq(questions.id, id), isNotNull(questions.abandonedAt)))
    .returning({ id: questions.id })
  return taken.length > 0
}

function isTwin(twin: Question, of: Question): boolean {
  return (
    twin.origin === of.origin &&
    twin.test === of.test &&
    twin.sessionId === of.sessionId &&
    twin.machineId === of.machineId &&
    twin.repoKey === of.repoKey &&
    !isHookKey(twin.key) &&
    sameContent(twin, of)
  )
}
