import { and, desc, eq, inArray, or } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { createdWithin, inTrail, type TimeRange } from '../../../platform/db/sql.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'
import { type LateAnswer, lateAnswers, questions } from './table.ts'
import { isShown } from './visible-store.ts'

/** The fields that the audit trail shows. */
const TRAIL = {
  id: questions.id,
  tokenId: questions.tokenId,
  question: questions.question,
  detail: questions.detail,
  agentName: questions.agentName,
  machineId: questions.machineId,
  sessionId: questions.sessionId,
  held: questions.held,
  status: questions.status,
  createdAt: questions.createdAt,
  endedAt: questions.endedAt,
  value: questions.value,
  note: questions.note,
  answerSource: questions.answerSource,
  answeredBy: questions.answeredBy,
  answeredAs: questions.answeredAs,
  answeredOn: questions.answeredOn,
  endReason: questions.endReason,
  endedByToken: questions.endedByToken,
}

/** `agent` is the name an agent gave, or the id of its token. */
export type TrailFilter = {
  agent: string | undefined
  sessionId: string | undefined
  /** Only what is about these questions; ids of something else match nothing. */
  subjectIds?: readonly string[] | undefined
}

export type TrailQuestion = Awaited<ReturnType<typeof listOpened>>[number]

/** Questions by when they were asked. */
export async function listOpened(
  read: Read,
  workspaceId: WorkspaceId,
  filter: TrailFilter,
  range: TimeRange,
) {
  return read
    .select(TRAIL)
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, workspaceId),
        createdWithin(questions.id, 'q', range),
        among(filter),
        matching(filter, 'asked'),
      ),
    )
    .orderBy(desc(questions.id))
    .limit(range.limit)
}

/** Questions that ended in one of these ways, by time. */
export async function listEnded(
  read: Read,
  workspaceId: WorkspaceId,
  filter: TrailFilter & { statuses: readonly StoredStatus[]; by: PersonId | undefined },
  range: TimeRange,
): Promise<TrailQuestion[]> {
  return read
    .select(TRAIL)
    .from(questions)
    .where(
      and(
        inTrail(
          { workspaceId: questions.workspaceId, at: questions.endedAt, id: questions.id },
          workspaceId,
          range,
          among(filter),
        ),
        inArray(questions.status, [...filter.statuses]),
        matching(filter, 'asked or withdrew'),
        filter.by === undefined ? undefined : eq(questions.answeredBy, filter.by),
      ),
    )
    .orderBy(desc(questions.endedAt), desc(questions.id))
    .limit(range.limit)
}

/** Answers that came too late, by time. */
export async function listLate(
  read: Read,
  workspaceId: WorkspaceId,
  { by, subjectIds }: { by: PersonId | undefined } & Pick<TrailFilter, 'subjectIds'>,
  range: TimeRange,
): Promise<LateAnswer[]> {
  return read
    .select()
    .from(lateAnswers)
    .where(
      and(
        inTrail(
          lateAnswers,
          workspaceId,
          range,
          subjectIds && inArray(lateAnswers.questionId, subjectIds as QuestionId[]),
        ),
        by === undefined ? undefined : eq(lateAnswers.answeredBy, by),
      ),
    )
    .orderBy(desc(lateAnswers.at), desc(lateAnswers.id))
    .limit(range.limit)
}

/** The questions with these ids that exist, by id. */
export async function readTrailQuestions(
  read: Read,
  ids: readonly QuestionId[],
): Promise<Map<QuestionId, TrailQuestion>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .select(TRAIL)
    .from(questions)
    .where(inArray(questions.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Those of these questions that a viewer sees. */
export async function listVisibleQuestions(
  read: Read,
  viewer: Viewer,
  ids: readonly QuestionId[],
): Promise<QuestionId[]> {
  if (ids.length === 0) return []
  const rows = await read
    .select({ id: questions.id })
    .from(questions)
    .where(and(inArray(questions.id, [...ids]), isShown(read, viewer)))
  return rows.map(({ id }) => id)
}

function among({ subjectIds }: TrailFilter) {
  return subjectIds && inArray(questions.id, subjectIds as QuestionId[])
}

function matching(filter: TrailFilter, who: 'asked' | 'asked or withdrew') {
  const { agent, sessionId } = filter
  return and(
    agent === undefined
      ? undefined
      : or(
          eq(questions.agentName, agent),
          eq(questions.tokenId, agent as TokenId),
          who === 'asked or withdrew' ? eq(questions.endedByToken, agent as TokenId) : undefined,
        ),
    sessionId === undefined ? undefined : eq(questions.sessionId, sessionId),
  )
}
