import type { Db } from '../../platform/db/database.ts'
import type { SessionName } from '../../platform/db/sql.ts'
import { idBody } from '../../platform/ids.ts'
import {
  idCursor,
  LIST_SIZE,
  limitOf,
  type PageRequest,
  pageOf,
  readInSteps,
} from '../../platform/paging.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Notification } from '../notifications/model/notification.ts'
import { listNotifications } from '../notifications/model/store.ts'
import type { Question } from '../questions/model/question.ts'
import { listQuestions } from '../questions/model/store.ts'
import type { NotificationId, QuestionId } from '../wire/ids.ts'

export type ActivityItem =
  | { kind: 'question'; question: Question }
  | { kind: 'notification'; notification: Notification }

export type ActivityPage = { items: ActivityItem[]; next?: string }

/**
 * Reads the activity of a workspace, or of one of its sessions, newest first. `next` is the cursor
 * of the following page. Throws `malformed` for a cursor that these pages did not give out.
 */
export async function readActivity(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  page: PageRequest & { session?: SessionName | undefined } = {},
): Promise<ActivityPage> {
  const { session } = page
  const cursor = idCursor(page)
  const limit = limitOf(page, LIST_SIZE)
  const [questions, notifications] = await Promise.all([
    readInSteps<Question>(limit + 1, (last, limit) => {
      const before = last?.id ?? (cursor === undefined ? undefined : (`q_${cursor}` as QuestionId))
      return listQuestions(db.read, workspaceId, { before, limit, session })
    }),
    readInSteps<Notification>(limit + 1, (last, limit) => {
      const before =
        last?.id ?? (cursor === undefined ? undefined : (`n_${cursor}` as NotificationId))
      return listNotifications(db.read, workspaceId, { before, limit, session })
    }),
  ])
  return pageOf(merge(questions, notifications), limit, place)
}

/** The items without the notifications that their question, among the items, shows with it. */
export function asRecords(items: readonly ActivityItem[]): ActivityItem[] {
  const questions = items.flatMap((item) => (item.kind === 'question' ? item.question : []))
  const ids = new Set(questions.flatMap(({ id, detail }) => (detail.notice ? id : [])))
  const isShown = ({ questionId }: Notification) => questionId !== undefined && ids.has(questionId)
  return items.filter((item) => item.kind === 'question' || !isShown(item.notification))
}

function merge(questions: Question[], notifications: Notification[]): ActivityItem[] {
  const items: ActivityItem[] = [
    ...questions.map((question) => ({ kind: 'question' as const, question })),
    ...notifications.map((notification) => ({ kind: 'notification' as const, notification })),
  ]
  return items.sort((a, b) => (place(a) < place(b) ? 1 : -1))
}

function place(item: ActivityItem): string {
  return idBody(item.kind === 'question' ? item.question.id : item.notification.id)
}
