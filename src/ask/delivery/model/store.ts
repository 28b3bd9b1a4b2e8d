import { and, asc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import { rowBytes } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import {
  type Backlog,
  lapse,
  type Settled as OutboxSettled,
  readBacklog,
  settleRow,
} from '../../../platform/db/outbox-store.ts'
import { nulled, placeholders, prepared } from '../../../platform/db/prepared.ts'
import { together } from '../../../platform/db/together.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { subscribersIn } from '../../subscribers/model/store.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import { type DeliveryCounts, type DeliveryState, NO_DELIVERIES } from './channel.ts'
import { alarms, type DeliveryId, deliveries } from './table.ts'

export type DeliveryRow = typeof deliveries.$inferSelect

const insertOne = prepared((tx: Tx) =>
  tx.insert(deliveries).values(placeholders(deliveries)).prepare(),
)

export async function insertDeliveries(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  const insert = insertOne(tx)
  for (let at = 0; at < rows.length; at += TOGETHER) {
    const piece = rows.slice(at, at + TOGETHER)
    await together(...piece.map((row) => insert.execute(nulled(row))))
  }
}

// So many go to PostgreSQL in one round trip.
const TOGETHER = 50

/** The size of the rows of one message. */
export function deliveriesBytes(rows: readonly DeliveryRow[]): number {
  const [first] = rows
  return first ? rows.length * rowBytes(first.message) : 0
}

/** The result of one attempt for several rows at once. */
export type SettledDeliveries = OutboxSettled & {
  ids: DeliveryId[]
  state: DeliveryState
  /** The service's id of the message. */
  ref?: string | undefined
}

/** Records an attempt, whichever process has claimed the rows by now: the message was sent. */
export async function settleDeliveries(tx: Tx, settled: SettledDeliveries): Promise<void> {
  await settleRow(tx, deliveries, settled)
  const { ids, ref } = settled
  if (ref === undefined) return
  await tx.update(deliveries).set({ messageRef: ref }).where(inArray(deliveries.id, ids))
}

/** Sends nothing about this question before `until`. */
export async function putOffDeliveries(tx: Tx, id: QuestionId, until: number): Promise<void> {
  await tx
    .update(deliveries)
    .set({ nextAt: until })
    .where(
      and(
        eq(deliveries.subjectId, id),
        eq(deliveries.state, 'waiting'),
        lt(deliveries.nextAt, until),
      ),
    )
}

/** Ends rows that are not to be sent any more. */
export async function lapseDeliveries(
  tx: Tx,
  ids: readonly DeliveryId[],
  at: number,
  reason: string,
): Promise<void> {
  await lapse(tx, deliveries, { ids, at, reason })
}

// More than people have waiting at once; messages beyond this ring at their planned time.
const DELAYED_MAX = 500

/** A message to a phone that has not rung, and when it will. */
export type DelayedPhoneDelivery = Pick<DeliveryRow, 'id' | 'subjectId' | 'nextAt'>

/** Messages to phones that are to ring after `now` and that nobody has tried to send yet. */
export async function listDelayedPhoneDeliveries(
  read: Read,
  workspaceId: WorkspaceId,
  now: number,
): Promise<DelayedPhoneDelivery[]> {
  const { id, subjectId, nextAt } = deliveries
  return read
    .select({ id, subjectId, nextAt })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.state, 'waiting'),
        gt(deliveries.nextAt, now),
        eq(deliveries.workspaceId, workspaceId),
        eq(deliveries.kind, 'phone'),
        eq(deliveries.attempts, 0),
        lte(deliveries.claimedUntil, now),
      ),
    )
    .limit(DELAYED_MAX)
}

/** Delays rows of `listUnrung`, in the same transaction. */
export async function holdDeliveries(
  tx: Tx,
  ids: readonly DeliveryId[],
  nextAt: number,
): Promise<void> {
  await tx
    .update(deliveries)
    .set({ nextAt })
    .where(inArray(deliveries.id, [...ids]))
}

/** Allows the unsent messages of a question to be sent until `expiresAt`. */
export async function prolongDeliveries(
  tx: Tx,
  { workspaceId, id }: { workspaceId: WorkspaceId; id: QuestionId },
  expiresAt: number,
): Promise<void> {
  await tx
    .update(deliveries)
    .set({ expiresAt })
    .where(
      and(
        eq(deliveries.subjectId, id),
        eq(deliveries.workspaceId, workspaceId),
        eq(deliveries.state, 'waiting'),
      ),
    )
}

/** Every row about a question or notification, in the order of addressing. */
export async function listDeliveries(
  read: Read,
  workspaceId: WorkspaceId,
  subjectId: SubjectId,
): Promise<DeliveryRow[]> {
  return listOf(read).execute({ workspaceId, subjectId })
}

const listOf = prepared((read: Read) =>
  read.select().from(deliveries).where(ofSubject()).orderBy(asc(deliveries.id)).prepare(),
)

const ofSubject = () =>
  and(
    eq(deliveries.subjectId, sql.placeholder('subjectId')),
    eq(deliveries.workspaceId, sql.placeholder('workspaceId')),
  )

/** The devices that have a row about a question or notification. */
export async function listReceivers(
  read: Read,
  workspaceId: WorkspaceId,
  subjectId: SubjectId,
): Promise<Subscriber[]> {
  return receiversOf(read)({ workspaceId, subjectId })
}

const receiversOf = prepared((read: Read) =>
  subscribersIn(read, () =>
    read.select({ id: deliveries.subscriberId }).from(deliveries).where(ofSubject()),
  ),
)

/**
 * Returns `all` or `some` if people's own switches suppressed a message on all or some of its
 * devices; otherwise undefined.
 */
export function suppressedBySwitches(rows: readonly Pick<DeliveryRow, 'state'>[]) {
  const held = rows.filter(({ state }) => state === 'held').length
  if (held === 0) return undefined
  return held === rows.length ? 'all' : 'some'
}

/** The fields that counts are made of. */
export type Counted = Pick<DeliveryRow, 'kind' | 'state'> & {
  message: Pick<DeliveryRow['message'], 'kind' | 'failover' | 'again'>
}

/**
 * Counts the deliveries of a message; announcements of outcomes do not count, nor does what the next
 * person was told.
 */
export function countDeliveries(rows: readonly Counted[]): DeliveryCounts {
  const { switchedOff, waiting } = NO_DELIVERIES
  const counts = { ...NO_DELIVERIES, switchedOff: { ...switchedOff }, waiting: { ...waiting } }
  for (const row of rows) {
    if (!isCounted(row)) continue
    if (row.state === 'held') {
      counts.switchedOff[row.kind] += 1
      continue
    }
    const accepted = row.state === 'accepted' ? 1 : 0
    if (row.state === 'waiting') {
      counts.pending = true
      counts.waiting[row.kind] += 1
    }
    if (row.kind === 'browser') {
      counts.web += accepted
      counts.addressedWeb += 1
    } else if (row.kind === 'chat') {
      counts.chat += accepted
      counts.addressedChat += 1
    } else {
      counts.mobile += accepted
      counts.addressedMobile += 1
    }
  }
  return counts
}

/** The number of devices that reported that they showed the message. */
export function countShown(rows: readonly DeliveryRow[]): number {
  return rows.filter((row) => isCounted(row) && row.shownAt !== null).length
}

function isCounted({ message: { kind, failover, again } }: Pick<Counted, 'message'>): boolean {
  return kind !== 'outcome' && !failover && !again
}

/** Deliveries that are still to be sent. */
export async function readDeliveryBacklog(read: Read): Promise<Backlog> {
  return readBacklog(read, deliveries)
}

/** The questions and notifications that still have a message to be sent. */
export async function underWay(
  read: Read,
  subjects: readonly SubjectId[],
): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set()
  const rows = await read
    .selectDistinct({ id: deliveries.subjectId })
    .from(deliveries)
    .where(and(inArray(deliveries.subjectId, [...subjects]), eq(deliveries.state, 'waiting')))
  return new Set(rows.map((row) => row.id))
}

export async function deleteDeliveries(tx: Tx, subjects: readonly SubjectId[]): Promise<void> {
  if (subjects.length === 0) return
  await tx.delete(deliveries).where(inArray(deliveries.subjectId, [...subjects]))
}

/** A problem with the server's own set-up, until it is solved. */
type Alarm = { name: string; text: string; at: number }

/** Raises the alarm, or updates its text. */
export async function raiseAlarm(tx: Tx, alarm: Alarm): Promise<void> {
  await tx
    .insert(alarms)
    .values({ ...alarm, since: alarm.at })
    .onConflictDoUpdate({ target: alarms.name, set: { text: alarm.text, at: alarm.at } })
}

export async function clearAlarms(tx: Tx, names: string[]): Promise<void> {
  if (names.length > 0) await tx.delete(alarms).where(inArray(alarms.name, names))
}

/** The alarms for the devices page and the doctor, the oldest first. */
export async function listAlarms(read: Read): Promise<Array<Alarm & { since: number }>> {
  return read.select().from(alarms).orderBy(asc(alarms.since), asc(alarms.name))
}
