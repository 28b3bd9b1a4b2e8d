import type { Db } from '../../platform/db/database.ts'
import type { SessionName } from '../../platform/db/sql.ts'
import { firstIdAt, idBody, newId } from '../../platform/ids.ts'
import {
  idCursor,
  LIST_SIZE,
  limitOf,
  type PageRequest,
  pageOf,
  readInSteps,
} from '../../platform/paging.ts'
import type { Viewer } from '../accounts/model/person.ts'
import type { Notification } from '../notifications/model/notification.ts'
import { listNotifications } from '../notifications/model/store.ts'
import { withHeldAnswers } from '../questions/held-answer.ts'
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
  viewer: Viewer,
  page: PageRequest & { session?: SessionName | undefined } = {},
): Promise<ActivityPage> {
  const { session } = page
  const cursor = idCursor(page)
  const limit = limitOf(page, LIST_SIZE)
  const [questions, notifications] = await Promise.all([
    readInSteps<Question>(limit + 1, (last, limit) => {
      const before = last?.id ?? (cursor === undefined ? undefined : (`q_${cursor}` as QuestionId))
      return listQuestions(db.read, viewer, { before, limit, session })
    }),
    readInSteps<Notification>(limit + 1, (last, limit) => {
      const before =
        last?.id ?? (cursor === undefined ? undefined : (`n_${cursor}` as NotificationId))
      return listNotifications(db.read, viewer, { before, limit, session })
    }),
  ])
  const view = await withHeldAnswers(db.read, questions)
  return pageOf(merge(view, notifications), limit, place)
}

/** The instants that the activity is read between: from the first one on, before the second. */
type Span = { from: number; to: number }

// Items looked at for one page when a filter leaves most of them out.
const LOOKED_AT_MAX = 1_000
const READ_AT_ONCE = 100

/**
 * As `readActivity`, without what `isWanted` refuses, as records. When few are wanted a page may
 * hold few items, or none, and still have a `next`.
 */
export async function searchActivity(
  deps: { db: Db },
  viewer: Viewer,
  isWanted: (item: ActivityItem) => boolean,
  page: PageRequest & { limit: number; span?: Span | undefined },
): Promise<ActivityPage> {
  const { span, limit } = page
  const oldest = span && placeAt(span.from)
  let cursor = page.cursor ?? (span && placeAt(span.to))
  const items: ActivityItem[] = []
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += READ_AT_ONCE) {
    const some = await readActivity(deps, viewer, { cursor, limit: READ_AT_ONCE })
    for (const item of asRecords(some.items)) {
      if (oldest !== undefined && place(item) < oldest) return { items }
      if (isWanted(item)) items.push(item)
      if (items.length > limit) return pageOf(items, limit, place)
    }
    if (some.next === undefined) return { items }
    cursor = some.next
  }
  return cursor === undefined ? { items } : { items, next: cursor }
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

/** The place before everything at or after the instant; as long as an id, to be a cursor. */
function placeAt(instant: number): string {
  return idBody(firstIdAt('q', instant)).padEnd(idBody(newId('q', 0)).length, '0')
}
