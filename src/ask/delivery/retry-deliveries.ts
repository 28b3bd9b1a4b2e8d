import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { NotificationId, QuestionId } from '../wire/ids.ts'
import type { RetrySender } from './model/sender.ts'
import { type DeliveryRow, listDeliveries } from './model/store.ts'
import type { SentNotifications } from './sent-notifications.ts'

export type RetryDeps = { db: Db; clock: Clock; sender: RetrySender } & Pick<
  SentNotifications,
  'findLastOfGroup'
>

// A check reads one row of an index, and the first retry of a question must not wait long.
const LOOK_EVERY_MS = 1_000
const TAKE_MAX = 500

/**
 * Sends again what is due: what was refused temporarily, and what a process that ended left behind.
 * Gives up pushes of ended questions and messages that a later one replaced. Resolves to how many
 * were sent.
 */
export async function retryDeliveries(deps: RetryDeps): Promise<number> {
  const rows = await deps.sender.takeDue(TAKE_MAX)
  if (rows.length === 0) return 0
  const over = await overQuestions(deps, rows)
  const replaced = await replacedRows(deps, rows)
  const reasonOf = (row: DeliveryRow) => {
    if (row.message.kind === 'question' && over.has(row.subjectId)) return ENDED
    return replaced.has(row) ? REPLACED : undefined
  }
  const groups = Map.groupBy(rows, reasonOf)
  for (const [reason, ended] of groups) if (reason) deps.sender.giveUp(ended, reason)
  const rest = groups.get(undefined) ?? []
  deps.sender.send(rest)
  return rest.length
}

const ENDED = 'The question had ended.'
const REPLACED = 'A later message of the same session took its place.'

async function overQuestions({ db, clock }: RetryDeps, rows: DeliveryRow[]): Promise<Set<string>> {
  const over = new Set<string>()
  const asking = rows.filter((row) => row.message.kind === 'question')
  for (const [subjectId, [row]] of Map.groupBy(asking, ({ subjectId }) => subjectId)) {
    if (!row) continue
    const question = await findQuestion(db.read, row.workspaceId, subjectId as QuestionId)
    if (!question || statusAt(question, clock.now()) !== 'pending') over.add(subjectId)
  }
  return over
}

/**
 * Rows whose device was already sent a newer message of the same group: the older one must not
 * reappear.
 */
async function replacedRows(
  { db, findLastOfGroup }: RetryDeps,
  rows: DeliveryRow[],
): Promise<Set<DeliveryRow>> {
  const replaced = new Set<DeliveryRow>()
  // In a chat messages do not replace each other.
  const earlier = rows.filter(
    ({ kind, message }) => kind !== 'chat' && message.kind === 'notification',
  )
  for (const [groupId, older] of Map.groupBy(earlier, ({ message }) => message.tag)) {
    const [row] = older
    if (!row) continue
    const last = await findLastOfGroup(db.read, row.workspaceId, groupId as NotificationId)
    if (!last) continue
    const later = await listDeliveries(db.read, row.workspaceId, last)
    const on = new Set(later.filter(isOnItsWay).map(({ subscriberId }) => subscriberId))
    for (const one of older) {
      if (one.subjectId !== last && on.has(one.subscriberId)) replaced.add(one)
    }
  }
  return replaced
}

function isOnItsWay({ state }: DeliveryRow): boolean {
  return state === 'accepted' || state === 'waiting'
}

/** Checks now and then every second, until disposed; `report` is called with errors. */
export function keepRetrying(deps: RetryDeps, report: (error: unknown) => void): AsyncDisposable {
  return repeatEvery(deps.clock, LOOK_EVERY_MS, () => retryDeliveries(deps), report)
}
