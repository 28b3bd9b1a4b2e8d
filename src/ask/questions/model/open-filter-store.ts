import { and, count, eq, gt, inArray, isNotNull, isNull, max, ne, notInArray } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { inSession, type SessionName } from '../../../platform/db/sql.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { QuestionKind } from './question.ts'
import { snoozedIds } from './snooze-store.ts'
import { isPending, questions } from './table.ts'
import { isShown } from './visible-store.ts'

/** A filter of the open questions to list; a field that is left out does not filter. */
export type OpenFilter = {
  agentNames?: readonly string[] | undefined
  repoKey?: string | undefined
  kind?: QuestionKind | undefined
  session?: SessionName | undefined
  /** Without those that this person snoozed. */
  viewer?: PersonId | undefined
  /** These alone. */
  ids?: readonly QuestionId[] | undefined
  /** All but these. */
  except?: readonly QuestionId[] | undefined
}

/** The questions that a filter lets through. */
export const isAmong = (
  read: Read,
  { agentNames, repoKey, kind, session, viewer, ids, except = [] }: OpenFilter,
  now: number,
) =>
  and(
    session && inSession(questions, session),
    viewer === undefined ? undefined : notInArray(questions.id, snoozedIds(read, viewer, now)),
    ids && inArray(questions.id, [...ids]),
    except.length > 0 ? notInArray(questions.id, [...except]) : undefined,
    agentNames && inArray(questions.agentName, [...agentNames]),
    repoKey === undefined ? undefined : eq(questions.repoKey, repoKey),
    kind === 'scope' ? eq(questions.origin, 'scope') : undefined,
    kind === undefined || kind === 'scope'
      ? undefined
      : and(eq(questions.type, kind), ne(questions.origin, 'scope')),
  )

/**
 * Waiting for the person: held questions were deliberately sent to nobody, and one whose answer is
 * held has been answered.
 */
export const isOpen = (read: Read, viewer: Viewer, now: number) =>
  and(
    isShown(read, viewer),
    isPending,
    gt(questions.expiresAt, now),
    isNull(questions.held),
    isNull(questions.answerHeldUntil),
  )

/** A repository with open questions. */
type OpenRepository = {
  repoKey: string
  /** One of the agents that ask. */
  agentName: string | undefined
  open: number
  /** When the latest was asked. */
  at: number
}

/** The open questions by repository, counted as `countOpenQuestions` counts them. */
export async function countOpenByRepository(
  read: Read,
  viewer: Viewer,
  now: number,
  only: OpenFilter = {},
): Promise<OpenRepository[]> {
  const { repoKey, agentName, createdAt } = questions
  const rows = await read
    .select({ repoKey, agentName: max(agentName), open: count(), at: max(createdAt) })
    .from(questions)
    .where(and(isOpen(read, viewer, now), isAmong(read, only, now), isNotNull(repoKey)))
    .groupBy(repoKey)
  return rows.map(({ repoKey, agentName, open, at }) => ({
    repoKey: repoKey ?? '',
    agentName: agentName ?? undefined,
    open,
    at: at ?? 0,
  }))
}
