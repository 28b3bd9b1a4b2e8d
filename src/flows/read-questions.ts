import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import type { NotificationId, QuestionId, WorkspaceId } from '../kernel/ids.ts'
import type { Notification } from '../notifications/notification.ts'
import { findNotification } from '../notifications/store.ts'
import type { Question } from '../questions/question.ts'
import { findQuestion, listOpenQuestions } from '../questions/store.ts'

type Deps = { db: Db; clock: Clock }

// More than a person can look through; the rest follows as these end.
const INBOX_MAX = 200

/** The questions that can be answered now, the nearest deadline first. */
export function readInbox({ db, clock }: Deps, workspaceId: WorkspaceId): Promise<Question[]> {
  return listOpenQuestions(db.read, workspaceId, clock.now(), INBOX_MAX)
}

export function readQuestion(
  { db }: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Question | undefined> {
  return findQuestion(db.read, workspaceId, id as QuestionId)
}

export function readNotification(
  { db }: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Notification | undefined> {
  return findNotification(db.read, workspaceId, id as NotificationId)
}
