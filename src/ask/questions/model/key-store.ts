import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import { firstIdAt } from '../../../platform/ids.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { findJoinedByKey } from './joined-store.ts'
import { isHookKey, joinsByContent, KEY_KEPT_MS, sameContent } from './key.ts'
import type { Question } from './question.ts'
import { fromRow } from './row.ts'
import { isPending, questions } from './table.ts'

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

/** The question with this key at `now`, or that a call with this key joined. */
export async function findQuestionByKey(
  read: Read,
  workspaceId: WorkspaceId,
  key: string,
  now: number,
): Promise<Question | undefined> {
  const since = now - KEY_KEPT_MS
  const rows = await findByKey(read).execute({ workspaceId, key, since })
  if (rows[0]) return fromRow(rows[0])
  return joinsByContent(key) ? findJoinedByKey(read, workspaceId, key, since) : undefined
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

/** The newest questions of a session that certain people decide, made since `since`. */
export async function listDecidable(
  read: Read,
  of: Pick<Question, 'workspaceId' | 'sessionId' | 'machineId' | 'tokenId'>,
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
        isNotNull(questions.requirement),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(limit)
  return rows.map(fromRow)
}

/** The newest answered questions of a token, made since `since`. */
export async function listAnswered(
  read: Read,
  of: Pick<Question, 'workspaceId' | 'tokenId'>,
  since: number,
  limit: number,
): Promise<Question[]> {
  const rows = await read
    .select()
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, of.workspaceId),
        eq(questions.tokenId, of.tokenId),
        gt(questions.id, firstIdAt('q', since)),
        eq(questions.status, 'answered'),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(limit)
  return rows.map(fromRow)
}

const findOpen = prepared((read: Read) =>
  read
    .select()
    .from(questions)
    .where(
      and(
        eq(questions.tokenId, sql.placeholder('tokenId')),
        eq(questions.question, sql.placeholder('question')),
        isPending,
        gt(questions.expiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(),
)

/**
 * The newest question with the same content that is open when `of` is asked: a model that gave up its
 * call, or makes it twice, asks under a new id or without one. Only of the same grant, session,
 * machine, repository and target, live or test; never a hook's.
 */
export async function findOpenTwin(read: Read, of: Question): Promise<Question | undefined> {
  const { tokenId, question, createdAt: now } = of
  const rows = await findOpen(read).execute({ tokenId, question, now })
  // Sorting in SQLite takes fifty times as long as the read, which nearly always finds nothing.
  const newestFirst = rows.map(fromRow).sort((a, b) => (a.id < b.id ? 1 : -1))
  return newestFirst.find((twin) => isTwin(twin, of))
}

function isTwin(twin: Question, of: Question): boolean {
  return (
    twin.id !== of.id &&
    twin.workspaceId === of.workspaceId &&
    twin.origin === of.origin &&
    twin.test === of.test &&
    twin.sessionId === of.sessionId &&
    twin.machineId === of.machineId &&
    twin.repoKey === of.repoKey &&
    !isHookKey(twin.key) &&
    Bun.deepEquals(twin.targeting, of.targeting) &&
    // A paused question was sent to nobody; where no local surface is there, the phone is asked.
    twin.detail.paused === of.detail.paused &&
    twin.detail.localSurfaceAvailable === of.detail.localSurfaceAvailable &&
    sameContent(twin, of)
  )
}
