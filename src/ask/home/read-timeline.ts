import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { listAbout } from '../audit/model/store.ts'
import type { Callback } from '../callbacks/model/callback.ts'
import { callbacksOf } from '../callbacks/model/store.ts'
import { type DeliveryTrace, traceDeliveries } from '../delivery/model/trail-store.ts'
import { type Notification, subjectOf } from '../notifications/model/notification.ts'
import type { Question } from '../questions/model/question.ts'
import { readWhoEnded } from '../questions/who-ended.ts'
import type { Ratified, Widening } from '../scopes/model/contract.ts'
import { findContract, findWidening } from '../scopes/model/store.ts'
import type { AgentSession } from '../sessions/model/session.ts'
import { readSubscribers } from '../subscribers/model/store.ts'
import { asRecords, readActivity } from '../trail/read-activity.ts'
import type { QuestionId } from '../wire/ids.ts'

/** How far a message is known to have got, over all the devices that it was for. */
export type DeliverySummary = {
  devices: number
  accepted: number
  /** How many of those that accepted it were reached which way: `webpush`, `ntfy`, … */
  by: Record<string, number>
  waiting: number
  shown: number
  opened: number
  firstAcceptedAt: number | undefined
  firstShownAt: number | undefined
  firstOpenedAt: number | undefined
}

/** Something that happened in a session, with all that followed from it. */
export type TimelineEntry =
  | {
      kind: 'question'
      question: Question
      sent: DeliverySummary
      /** The person who answered or stopped it. */
      who: string | undefined
      callbacks: Callback[]
      agreed: Ratified | undefined
      widened: Widening | undefined
    }
  | { kind: 'notification'; notification: Notification; sent: DeliverySummary }
  | { kind: 'resumed'; id: string; at: number; who: string | undefined }

export type Timeline = { entries: TimelineEntry[]; next?: string }

const ENTRIES = 30
// A person resumes a session a few times a day at most.
const RESUMED_MAX = 200

/**
 * Reads the events of a session, the latest first, page by page. Throws `malformed` for a cursor
 * that these pages did not give out.
 */
export async function readTimeline(
  { db }: { db: Db; clock: Clock },
  viewer: Viewer,
  session: AgentSession,
  cursor: string | undefined,
): Promise<Timeline> {
  const { workspaceId } = session
  const page = await readActivity({ db }, viewer, { session, cursor, limit: ENTRIES })
  const items = asRecords(page.items)
  const questions = items.flatMap((item) => (item.kind === 'question' ? item.question : []))
  const ids = questions.map(({ id }) => id)
  const subjects = items.map((item) =>
    item.kind === 'question' ? item.question.id : subjectOf(item.notification),
  )
  const [summaryOf, names, callbacks, resumed] = await Promise.all([
    readDeliverySummaries(db, subjects),
    readWhoEnded({ db }, questions),
    callbacksOf(db.read, ids),
    listAbout(db.read, { subjectId: session.id, kind: 'session.resumed' }, RESUMED_MAX),
  ])
  const byQuestion = Map.groupBy(callbacks, ({ questionId }) => questionId)
  const entries = await Promise.all(
    items.map(async (item): Promise<TimelineEntry> => {
      if (item.kind === 'notification') {
        const { notification } = item
        return { kind: 'notification', notification, sent: summaryOf(subjectOf(notification)) }
      }
      const { question } = item
      return {
        kind: 'question',
        question,
        sent: summaryOf(question.id),
        who: names.get(question.id),
        callbacks: byQuestion.get(question.id) ?? [],
        ...(await scopeOf(db, workspaceId, question)),
      }
    }),
  )
  const isOnPage = (at: number) => {
    const place = firstIdAt('q', at)
    const before = cursor === undefined || place < `q_${cursor}`
    return before && (page.next === undefined || place > `q_${page.next}`)
  }
  const pauses = resumed
    .filter(({ at }) => isOnPage(at))
    .map(({ id, at, personName }) => {
      return { kind: 'resumed' as const, id, at, who: personName ?? undefined }
    })
  const all = [...entries, ...pauses].sort((a, b) => timeOf(b) - timeOf(a))
  return page.next === undefined ? { entries: all } : { entries: all, next: page.next }
}

export function timeOf(entry: TimelineEntry): number {
  if (entry.kind === 'resumed') return entry.at
  return entry.kind === 'question' ? entry.question.createdAt : entry.notification.createdAt
}

async function scopeOf({ read }: Db, workspaceId: WorkspaceId, question: Question) {
  const { id, origin, status, value, detail } = question
  const yes = status === 'answered' && value === 'yes'
  const isScope = yes && origin === 'scope'
  const isPath = yes && detail.scopePath !== undefined
  return {
    agreed: isScope ? await findContract(read, workspaceId, id) : undefined,
    widened: isPath ? await findWidening(read, id) : undefined,
  }
}

async function readDeliverySummaries(
  { read }: Db,
  subjects: ReadonlyArray<DeliveryTrace['subjectId']>,
) {
  const traces = await traceDeliveries(read, subjects)
  const ids = [...new Set(traces.map(({ subscriberId }) => subscriberId))]
  const devices = ids.length === 0 ? undefined : await readSubscribers(read, ids)
  const bySubject = Map.groupBy(traces, ({ subjectId }) => subjectId)
  return (subject: QuestionId | DeliveryTrace['subjectId']): DeliverySummary => {
    const byDevice = Map.groupBy(bySubject.get(subject) ?? [], ({ subscriberId }) => subscriberId)
    // A device has the message first, and then, when the question ends, its outcome.
    const first = [...byDevice.values()].flatMap(([one]) => one ?? [])
    const wayOf = (one: DeliveryTrace) => devices?.get(one.subscriberId)?.transport ?? one.kind
    return sumOf(first, wayOf)
  }
}

function sumOf(
  traces: readonly DeliveryTrace[],
  wayOf: (one: DeliveryTrace) => string,
): DeliverySummary {
  const accepted = traces.filter(({ state }) => state === 'accepted')
  const visibleTraces = traces.filter(({ shownAt, openedAt }) => shownAt ?? openedAt)
  const by: Record<string, number> = {}
  for (const one of accepted) by[wayOf(one)] = (by[wayOf(one)] ?? 0) + 1
  return {
    devices: traces.length,
    accepted: accepted.length,
    by,
    waiting: traces.filter(({ state }) => state === 'waiting').length,
    shown: visibleTraces.length,
    opened: traces.filter(({ openedAt }) => openedAt !== null).length,
    firstAcceptedAt: earliest(accepted.map(({ endedAt }) => endedAt)),
    firstShownAt: earliest(visibleTraces.map(({ shownAt, openedAt }) => shownAt ?? openedAt)),
    firstOpenedAt: earliest(traces.map(({ openedAt }) => openedAt)),
  }
}

function earliest(times: ReadonlyArray<number | null>): number | undefined {
  const instants = times.filter((at) => at !== null)
  return instants.length === 0 ? undefined : Math.min(...instants)
}
