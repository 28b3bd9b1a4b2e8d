import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import { type DeliveryId, newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { matchSubscribers, readSubscribers } from '../subscribers/store.ts'
import type { Subscriber, Transport } from '../subscribers/subscriber.ts'
import { retryAfterMs } from './backoff.ts'
import { type Channel, originOf, type Parcel } from './channel.ts'
import { createLanes } from './lanes.ts'
import { createOutcomeLog, type Outcome } from './outcome-log.ts'
import type { DirectPost, Letter, Outbox, Post } from './post.ts'
import type { DeliveryState, Receipt } from './receipts.ts'
import { type DeliveryRow, extendClaims, insertDeliveries, releaseClaims } from './store.ts'
import { createTally, type Tally } from './tally.ts'

export type PostDeps = {
  db: Db
  clock: Clock
  log: Log
  channels: readonly Channel[]
  /** Names this process in the rows it works on; another one for each start. */
  holder: string
}

/** How long a row stays in the hands of a process that says nothing any more. */
export const CLAIM_MS = 30_000
// One push service gets this many requests at a time; another's slowness is not its business.
const LANE_WIDTH = 64
// What is on its way when the server stops may still arrive; what does not is sent by the next one.
const CLOSING_MS = 2_000

/** The outbox's sender (design: Delivery). */
export function createPost(deps: PostDeps): Post & DirectPost & Outbox & AsyncDisposable {
  const { db, clock, log, holder } = deps
  const channels = new Map<Transport, Channel>(deps.channels.map((one) => [one.transport, one]))
  const lanes = createLanes(LANE_WIDTH)
  const outcomes = createOutcomeLog(deps)
  const closing = new AbortController()
  const inHand = new Set<DeliveryId>()
  const tallies = new Map<DeliveryId, Tally[]>()
  let stopRenewing: (() => void) | undefined

  function renewClaims() {
    stopRenewing = undefined
    if (inHand.size === 0) return
    keepClaims()
    db.write((tx) => extendClaims(tx, holder, clock.now() + CLAIM_MS)).catch((error) =>
      log.warn('the claims on deliveries could not be renewed', { error }),
    )
  }

  function keepClaims() {
    stopRenewing ??= clock.after(CLAIM_MS / 2, renewClaims)
  }

  async function start(rows: DeliveryRow[]) {
    const devices = await readSubscribers(
      db.read,
      rows.map((row) => row.subscriberId),
    )
    for (const row of rows) {
      const device = devices.get(row.subscriberId)
      if (device) lanes.run(originOf(device), () => attempt(row, device))
      else settle(row, FORGOTTEN, undefined)
    }
  }

  async function attempt(row: DeliveryRow, device: Subscriber) {
    if (closing.signal.aborted) return
    if (clock.now() >= row.expiresAt) return settle(row, TOO_LATE, undefined)
    settle(row, await sendTo(device, row), device)
  }

  /** Whatever a channel does, a receipt comes of it. */
  async function sendTo(device: Subscriber, parcel: Parcel): Promise<Receipt> {
    const channel = channels.get(device.transport)
    if (!channel) return { outcome: 'refused', status: 0, reason: NO_CHANNEL }
    try {
      return await channel.send(parcel, device, closing.signal)
    } catch (error) {
      log.error('a channel threw', { error, transport: device.transport })
      return { outcome: 'later', status: 0, reason: 'Something went wrong on this server.' }
    }
  }

  function settle(row: DeliveryRow, receipt: Receipt, device: Subscriber | undefined) {
    const at = clock.now()
    const next = stateAfter(row, receipt, at)
    end(row, { row, device, receipt, at, ...next })
  }

  function end(row: DeliveryRow, outcome: Outcome) {
    const { state } = outcome
    outcomes.add(outcome)
    inHand.delete(row.id)
    for (const tally of tallies.get(row.id) ?? []) tally.count(row, state)
    if (state !== 'waiting') tallies.delete(row.id)
  }

  return {
    async address(read, letter) {
      const now = clock.now()
      const devices = await matchSubscribers(read, letter.workspaceId, letter.targeting)
      return devices.map((device) => newRow(letter, device, holder, now))
    },
    store: insertDeliveries,
    send(rows) {
      const tally = createTally(rows, clock)
      for (const { id } of rows) {
        inHand.add(id)
        tallies.set(id, [...(tallies.get(id) ?? []), tally])
      }
      if (rows.length > 0) keepClaims()
      start(rows).catch((error) => {
        log.error('deliveries could not be started; they are tried again', { error })
        for (const { id } of rows) inHand.delete(id)
      })
      return tally
    },
    giveUp(rows, reason) {
      const receipt: Receipt = { outcome: 'later', status: 0, reason }
      const at = clock.now()
      for (const row of rows) {
        end(row, { row, device: undefined, receipt, state: 'lapsed', nextAt: undefined, at })
      }
    },
    async sendNow(parcel, device) {
      const receipt = await sendTo(device, parcel)
      const at = clock.now()
      const state = receipt.outcome === 'later' ? 'lapsed' : receipt.outcome
      outcomes.add({ row: undefined, device, receipt, state, nextAt: undefined, at })
      await outcomes.written()
      return receipt
    },
    async [Symbol.asyncDispose]() {
      stopRenewing?.()
      const giveUp = clock.after(CLOSING_MS, () => closing.abort())
      await lanes.idle()
      giveUp()
      closing.abort()
      await outcomes.written()
      await db.write((tx) => releaseClaims(tx, holder)).catch(() => {})
    },
  }
}

const FORGOTTEN: Receipt = { outcome: 'gone', status: 0, reason: 'The device was disconnected.' }
const TOO_LATE: Receipt = { outcome: 'later', status: 0, reason: 'It was too late to send it.' }
const NO_CHANNEL = 'This server has no channel for devices of that kind.'

function stateAfter(row: DeliveryRow, receipt: Receipt, now: number) {
  if (receipt.outcome !== 'later') return { state: receipt.outcome, nextAt: undefined }
  const nextAt = now + retryAfterMs(receipt, row.attempts)
  const state: DeliveryState = nextAt < row.expiresAt ? 'waiting' : 'lapsed'
  return { state, nextAt: state === 'waiting' ? nextAt : undefined }
}

function newRow(letter: Letter, device: Subscriber, holder: string, now: number): DeliveryRow {
  return {
    id: newId('dl', now),
    workspaceId: letter.workspaceId,
    subjectId: letter.subjectId,
    subscriberId: device.id,
    kind: device.kind,
    message: letter.message,
    state: 'waiting',
    attempts: 0,
    nextAt: now,
    expiresAt: letter.expiresAt,
    claimedBy: holder,
    claimedUntil: now + CLAIM_MS,
    createdAt: now,
    endedAt: null,
    lastStatus: null,
    lastError: null,
  }
}
