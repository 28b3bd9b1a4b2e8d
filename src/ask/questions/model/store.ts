import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  sql,
} from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { nulled, placeholders, placeholdersOf, prepared } from '../../../platform/db/prepared.ts'
import { inSession, type SessionName } from '../../../platform/db/sql.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { Requirement } from '../../votes/model/requirement.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { detailWith, lockDetail } from './detail-store.ts'
import { KEY_KEPT_MS } from './key.ts'
import { MOVES, type Move } from './lifecycle.ts'
import { isAmong, isOpen, type OpenFilter } from './open-filter-store.ts'
import { type Ending, type Question, questionBytes } from './question.ts'
import { fromRow } from './row.ts'
import { isPending, type LateAnswer, lateAnswers, questions } from './table.ts'
import { isShown } from './visible-store.ts'

const insertOne = prepared((tx: Tx) =>
  tx
    .insert(questions)
    .values(placeholders(questions))
    .onConflictDoNothing()
    .returning({ id: questions.id })
    .prepare(),
)

/**
 * Stores a new question; false if its key still belongs to an earlier one. `bytes`: its size with
 * its deliveries, for the counts of its token.
 */
export async function insertQuestion(
  tx: Tx,
  question: Question,
  bytes = questionBytes(question),
): Promise<boolean> {
  const row = nulled({
    ...question,
    bytes,
    answerHeldUntil: null,
    requirement: question.requirement ?? null,
    watched: question.watched ?? null,
    askedSeal: null,
    endedSeal: null,
  })
  const insert = async () => (await insertOne(tx).execute(row)).length > 0
  return (await insert()) || ((await forgetKey(tx, question)) && (await insert()))
}

/**
 * Removes the key from a question that is too old for a retry; for one that lives for hours, from a
 * question that nobody answered.
 */
async function forgetKey(tx: Tx, question: Question): Promise<boolean> {
  const { workspaceId, key, createdAt, detail } = question
  if (key === undefined) return false
  const isOld = lte(questions.expiresAt, createdAt - KEY_KEPT_MS)
  const nobodyAnswered = and(
    lte(questions.expiresAt, createdAt),
    // A program withdraws a question that nobody was told of, such as one of a paused session.
    inArray(questions.status, ['pending', 'expired', 'cancelled']),
    isNull(questions.answerHeldUntil),
  )
  const rows = await tx
    .update(questions)
    .set({ key: null })
    .where(
      and(
        eq(questions.workspaceId, workspaceId),
        eq(questions.key, key),
        detail.lifeMs === undefined ? isOld : or(isOld, nobodyAnswered),
      ),
    )
    .returning({ id: questions.id })
  return rows.length > 0
}

const readOne = prepared((read: Read) =>
  read
    .select()
    .from(questions)
    .where(eq(questions.id, sql.placeholder('id')))
    .prepare(),
)

/** The question, of whatever workspace: the caller compares it. */
export async function findQuestionById(read: Read, id: QuestionId): Promise<Question | undefined> {
  const [row] = await readOne(read).execute({ id })
  return row && fromRow(row)
}

export async function findQuestion(
  read: Read,
  workspaceId: WorkspaceId,
  id: QuestionId,
): Promise<Question | undefined> {
  const question = await findQuestionById(read, id)
  return question?.workspaceId === workspaceId ? question : undefined
}

/**
 * Makes `move` if the table of moves allows it at `now`: one conditional update decides every race.
 * Resolves to the question afterwards, or undefined if the move was not possible.
 */
export async function moveQuestion(
  tx: Tx,
  move: Move,
  workspaceId: WorkspaceId,
  id: QuestionId,
  now: number,
  ending: Ending = {},
): Promise<Question | undefined> {
  const detail = ending.detail && (await detailWith(tx, { workspaceId, id }, ending.detail))
  const all: Ending = { ...ending, ...(detail && { detail }) }
  const changes = Object.entries(all).filter(([, value]) => value !== undefined)
  const set = { ...Object.fromEntries(changes), endedAt: now }
  const names = Object.keys(set).sort()
  const update = updates.getOrInsertComputed([move, ...names].join(), () => moveBy(move, names))
  const values = { ...set, _id: id, _workspaceId: workspaceId, _now: now }
  const rows = await update(tx).execute(values)
  return rows[0] && fromRow(rows[0])
}

// There are only so many moves, and fields of an ending.
const updates = new Map<string, ReturnType<typeof moveBy>>()

const HELD = {
  no: isNull(questions.answerHeldUntil),
  yes: isNotNull(questions.answerHeldUntil),
  any: undefined,
} as const

function moveBy(move: Move, fields: readonly string[]) {
  const { from, to, when, held, votes } = MOVES[move]
  const now = sql.placeholder('_now')
  const inTime = when === 'inside' ? gt(questions.expiresAt, now) : lte(questions.expiresAt, now)
  return prepared((tx: Tx) =>
    tx
      .update(questions)
      .set({ ...placeholdersOf(fields), status: to, answerHeldUntil: null })
      .where(
        and(
          eq(questions.id, sql.placeholder('_id')),
          eq(questions.workspaceId, sql.placeholder('_workspaceId')),
          eq(questions.status, from),
          inTime,
          HELD[held],
          votes === 'none' ? isNull(questions.requirement) : undefined,
        ),
      )
      .returning()
      .prepare(),
  )
}

/**
 * Records that its agent follows it as a task, and lets it live until `until` if that is longer.
 * Resolves to the question afterwards, or undefined if it has ended.
 */
export async function followQuestion(
  tx: Tx,
  { workspaceId, id }: Pick<Question, 'workspaceId' | 'id'>,
  now: number,
  until: number,
): Promise<Question | undefined> {
  await lockDetail(tx, id)
  const before = await findQuestion(tx, workspaceId, id)
  if (!before) return undefined
  const expiresAt = Math.max(before.expiresAt, until)
  const { followedAt = now } = before.detail
  const rows = await tx
    .update(questions)
    .set({ expiresAt, detail: { ...before.detail, followedAt, waitsUntil: expiresAt } })
    .where(
      and(
        eq(questions.id, id),
        eq(questions.workspaceId, workspaceId),
        eq(questions.status, 'pending'),
        gt(questions.expiresAt, now),
      ),
    )
    .returning()
  return rows[0] && fromRow(rows[0])
}

/** Records that no call waits for it any more. */
export async function markAbandoned(tx: Tx, id: QuestionId, at: number): Promise<void> {
  await tx
    .update(questions)
    .set({ abandonedAt: at })
    .where(and(eq(questions.id, id), eq(questions.status, 'pending')))
}

/** The ids among these that were asked from this machine. */
export async function listAskedFrom(
  read: Read,
  of: { workspaceId: WorkspaceId; machineId: string; ids: readonly QuestionId[] },
): Promise<Question[]> {
  const { workspaceId, machineId, ids } = of
  const rows = await read
    .select()
    .from(questions)
    .where(
      and(
        inArray(questions.id, [...ids]),
        eq(questions.workspaceId, workspaceId),
        eq(questions.machineId, machineId),
      ),
    )
  return rows.map(fromRow)
}

/**
 * Open questions that wait for the person, the nearest deadline first. Held ones were deliberately
 * sent to nobody: they are only in the activity.
 */
export async function listOpenQuestions(
  read: Read,
  viewer: Viewer,
  now: number,
  limit: number,
  after?: { expiresAt: number; id: QuestionId },
  only: OpenFilter = {},
): Promise<Question[]> {
  const rows = await read
    .select()
    .from(questions)
    .where(
      and(
        isOpen(read, viewer, now),
        isAmong(read, only, now),
        after &&
          or(
            gt(questions.expiresAt, after.expiresAt),
            and(eq(questions.expiresAt, after.expiresAt), gt(questions.id, after.id)),
          ),
      ),
    )
    .orderBy(asc(questions.expiresAt), asc(questions.id))
    .limit(limit)
  return rows.map(fromRow)
}

/**
 * Questions of a workspace, newest first; only those with an id below `before`, and of one session,
 * if given.
 */
export async function listQuestions(
  read: Read,
  viewer: Viewer,
  page: {
    before: QuestionId | undefined
    limit: number
    session?: SessionName | undefined
    repoKey?: string | undefined
  },
): Promise<Question[]> {
  const rows = await read
    .select()
    .from(questions)
    .where(
      and(
        isShown(read, viewer),
        page.session && inSession(questions, page.session),
        page.repoKey === undefined ? undefined : eq(questions.repoKey, page.repoKey),
        page.before && lt(questions.id, page.before),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(page.limit)
  return rows.map(fromRow)
}

/**
 * The questions of a session on any machine, newest first; without test traffic. With `origin`
 * only those asked that way.
 */
export async function listSessionQuestions(
  read: Read,
  viewer: Viewer,
  sessionId: string,
  { limit, origin }: { limit: number; origin?: Question['origin'] },
): Promise<Question[]> {
  const rows = await read
    .select()
    .from(questions)
    .where(
      and(
        isShown(read, viewer),
        eq(questions.sessionId, sessionId),
        eq(questions.test, false),
        origin && eq(questions.origin, origin),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(limit)
  return rows.map(fromRow)
}

/** Questions whose time is over and that are not stored as expired yet, across workspaces. */
export async function listOverdue(
  read: Read,
  now: number,
  limit: number,
): Promise<Array<Pick<Question, 'id' | 'workspaceId'>>> {
  return read
    .select({ id: questions.id, workspaceId: questions.workspaceId })
    .from(questions)
    .where(and(isPending, lte(questions.expiresAt, now), isNull(questions.answerHeldUntil)))
    .orderBy(asc(questions.expiresAt), asc(questions.id))
    .limit(limit)
}

export async function insertLateAnswer(tx: Tx, answer: LateAnswer): Promise<void> {
  await tx.insert(lateAnswers).values(answer)
}

/** The last answer to this question that came too late from this person. */
export async function findLateAnswer(
  read: Read,
  id: QuestionId,
  by: PersonId,
): Promise<LateAnswer | undefined> {
  const rows = await read
    .select()
    .from(lateAnswers)
    .where(and(eq(lateAnswers.questionId, id), eq(lateAnswers.answeredBy, by)))
    .orderBy(desc(lateAnswers.at), desc(lateAnswers.id))
    .limit(1)
  return rows.map(({ seal: _, ...answer }) => answer)[0]
}

/** The open questions for which a rule says who decides, with what it asks for. */
export async function listRequirements(
  read: Read,
  viewer: Viewer,
  now: number,
  only: OpenFilter = {},
): Promise<Array<{ id: QuestionId; requirement: Requirement }>> {
  const { id, requirement } = questions
  const rows = await read
    .select({ id, requirement })
    .from(questions)
    .where(and(isOpen(read, viewer, now), isAmong(read, only, now), isNotNull(requirement)))
  return rows.flatMap((row) =>
    row.requirement ? [{ id: row.id, requirement: row.requirement }] : [],
  )
}

/** How many questions `listOpenQuestions` could list. */
export async function countOpenQuestions(
  read: Read,
  viewer: Viewer,
  now: number,
  only: OpenFilter = {},
): Promise<number> {
  const [row] = await read
    .select({ open: count() })
    .from(questions)
    .where(and(isOpen(read, viewer, now), isAmong(read, only, now)))
  return row?.open ?? 0
}

/** The facts by which people tell questions apart. */
export type OpenFacts = Pick<Question, 'agentName' | 'repoKey' | 'type' | 'origin'>

/** The facts that occur among the open questions, each combination once. */
export async function listOpenFacts(
  read: Read,
  viewer: Viewer,
  now: number,
  only: OpenFilter = {},
): Promise<OpenFacts[]> {
  const { agentName, repoKey, type, origin } = questions
  const rows = await read
    .selectDistinct({ agentName, repoKey, type, origin })
    .from(questions)
    .where(and(isOpen(read, viewer, now), isAmong(read, only, now)))
  return rows.map(nullsToUndefined)
}

/** The facts that occur among the latest `latest` questions, each combination once. */
export async function listLatestFacts(
  read: Read,
  viewer: Viewer,
  latest: number,
): Promise<OpenFacts[]> {
  const { agentName, repoKey, type, origin } = questions
  const rows = await read
    .select({ agentName, repoKey, type, origin })
    .from(questions)
    .where(isShown(read, viewer))
    .orderBy(desc(questions.id))
    .limit(latest)
  // SQLite would sort them for a `distinct` of its own.
  const distinct = new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row]))
  return [...distinct.values()].map(nullsToUndefined)
}
