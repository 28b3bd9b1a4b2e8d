import type { Tx } from '../../platform/db/database.ts'
import type { Limited } from '../accounts/charge-token.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import type { SubjectId } from '../wire/ids.ts'
import type { Message } from './model/channel.ts'
import {
  COUNT_WINDOW_MS,
  countPush,
  keepMore,
  type PushCount,
  retellDeliveries,
} from './model/push-count-store.ts'
import type { AddressedRow } from './model/sender.ts'
import type { DeliveryRow } from './model/store.ts'

/** The content of a push, and who sends it. */
export type Pushed = {
  tokenId: TokenId
  agentName: string | undefined
  subjectId: SubjectId
  sort: 'notification' | 'question' | 'permission'
  at: number
}

/**
 * Rows to send, rows of combined pushes at the end of the minute, and for how many people they are.
 */
export type LimitedPushes = {
  rows: DeliveryRow[]
  together: DeliveryRow[]
  collapsed: number
}

// A phone that was off for the night still learns of it.
const LIFE_MS = 24 * 60 * 60_000

/**
 * Counts a push to each person it is for. For a person who had enough from this token in this
 * minute the rows are dropped: one combined push at the end of the minute says how many more there
 * were. Questions are combined only with questions, permission requests never.
 */
export async function limitPushes(
  tx: Tx,
  { limits, collapsed: onCollapsed }: Limited,
  rows: readonly AddressedRow[],
  pushed: Pushed,
): Promise<LimitedPushes> {
  const limited: LimitedPushes = { rows: [], together: [], collapsed: 0 }
  const { tokenId, sort, at } = pushed
  for (const [recipient, own] of Map.groupBy(rows, recipientOf)) {
    const waiting = own.filter(({ state }) => state === 'waiting')
    if (waiting.length === 0) {
      limited.rows.push(...own)
      continue
    }
    const count = await countPush(tx, { tokenId, recipient, at, question: sort === 'question' })
    if (!isTooMany(count, sort, limits.pushesAMinute)) {
      limited.rows.push(...own)
      continue
    }
    limited.collapsed++
    limited.rows.push(...own.filter(({ state }) => state !== 'waiting'))
    limited.together.push(...(await tellTogether(tx, count, waiting, pushed)))
  }
  if (limited.collapsed > 0) onCollapsed?.(limited.collapsed)
  return limited
}

/** A device without a person counts as a person of its own. */
function recipientOf({ personId, subscriberId }: AddressedRow): string {
  return personId ?? subscriberId
}

function isTooMany({ pushes, questions }: PushCount, sort: Pushed['sort'], most: number): boolean {
  if (sort === 'permission') return false
  return sort === 'question' ? questions > most : pushes > most
}

/** The row of the combined push, or none if it exists already and its count was increased. */
async function tellTogether(
  tx: Tx,
  count: PushCount,
  rows: readonly DeliveryRow[],
  { subjectId, sort, agentName }: Pushed,
): Promise<DeliveryRow[]> {
  const more = count.more + 1
  const moreQuestions = count.moreQuestions + (sort === 'question' ? 1 : 0)
  const moreSubject = count.moreSubject ?? subjectId
  const now = { ...count, more, moreQuestions, moreSubject }
  await keepMore(tx, now)
  const message = commonMessage(now, agentName ?? 'an agent')
  if (count.moreSubject === null) return rows.map((row) => commonRow(row, message, count.windowAt))
  const devices = rows.map(({ subscriberId }) => subscriberId)
  await retellDeliveries(tx, count.moreSubject, devices, message)
  return []
}

/** Claimed by nobody until it is due, so that any process sends it, also after a restart. */
function commonRow(row: DeliveryRow, message: Message, windowAt: number): DeliveryRow {
  const nextAt = windowAt + COUNT_WINDOW_MS
  return { ...row, message, nextAt, expiresAt: nextAt + LIFE_MS, claimedBy: null, claimedUntil: 0 }
}

function commonMessage(
  { tokenId, windowAt, more, moreQuestions }: PushCount,
  agentName: string,
): Message {
  const sort =
    moreQuestions === 0 ? 'notification' : moreQuestions === more ? 'question' : 'message'
  return {
    kind: 'notification',
    title: `${more.toLocaleString('en')} more ${sort}${more === 1 ? '' : 's'} from ${agentName}`,
    body: 'They came too fast to be shown one by one.',
    tag: `more-${tokenId}-${windowAt}`,
    url: moreQuestions > 0 ? '/inbox' : '/activity',
    urgency: moreQuestions > 0 ? 'high' : 'normal',
  }
}
