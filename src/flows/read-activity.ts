import type { Db } from '../db/database.ts'
import type { SessionName } from '../db/session-name.ts'
import { Failure } from '../kernel/failure.ts'
import type { NotificationId, QuestionId, WorkspaceId } from '../kernel/ids.ts'
import type { Notification } from '../notifications/notification.ts'
import { listNotifications } from '../notifications/store.ts'
import type { Question } from '../questions/question.ts'
import { listQuestions } from '../questions/store.ts'

export type ActivityItem =
  | { kind: 'question'; question: Question }
  | { kind: 'notification'; notification: Notification }

export type ActivityPage = { items: ActivityItem[]; next?: string }

const PAGE_DEFAULT = 30
const PAGE_MAX = 100
const CURSOR = /^[0-9a-z]{25}$/

/**
 * What happened in a workspace, or in one session of it, newest first. `next` is the cursor of the
 * following page.
 * Throws `malformed` for a cursor that none of these pages gave out.
 */
export async function readActivity(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  page: {
    cursor?: string | undefined
    limit?: number | undefined
    session?: SessionName | undefined
  } = {},
): Promise<ActivityPage> {
  const { cursor, session } = page
  if (cursor !== undefined && !CURSOR.test(cursor)) {
    throw new Failure('malformed', 'That cursor is not one of ours; start again without it.')
  }
  const limit = Math.min(Math.max(1, page.limit ?? PAGE_DEFAULT), PAGE_MAX)
  const [questions, notifications] = await Promise.all([
    listQuestions(db.read, workspaceId, {
      before: cursor === undefined ? undefined : (`q_${cursor}` as QuestionId),
      limit: limit + 1,
      session,
    }),
    listNotifications(db.read, workspaceId, {
      before: cursor === undefined ? undefined : (`n_${cursor}` as NotificationId),
      limit: limit + 1,
      session,
    }),
  ])
  const all = merge(questions, notifications)
  const items = all.slice(0, limit)
  const last = items.at(-1)
  return all.length > limit && last ? { items, next: place(last) } : { items }
}

function merge(questions: Question[], notifications: Notification[]): ActivityItem[] {
  const items: ActivityItem[] = [
    ...questions.map((question) => ({ kind: 'question' as const, question })),
    ...notifications.map((notification) => ({ kind: 'notification' as const, notification })),
  ]
  return items.sort((a, b) => (place(a) < place(b) ? 1 : -1))
}

/** Ids without their prefix are in order of time, whatever they name. */
function place(item: ActivityItem): string {
  const { id } = item.kind === 'question' ? item.question : item.notification
  return id.slice(id.indexOf('_') + 1)
}
