import type { Clock } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { afterFailure, createOutbox, type OutboxDeps } from '../../platform/db/outbox.ts'
import { unsent } from '../../platform/db/outbox-columns.ts'
import { type DeliveryId, newId } from '../../platform/ids.ts'
import { matchSubscribers, readSubscribers } from '../devices/model/store.ts'
import type { Subscriber } from '../devices/model/subscriber.ts'
import { readSwitchedOff } from '../devices/model/switch-store.ts'
import { isOff } from '../devices/model/switches.ts'
import { type Channel, originOf, type Parcel } from './model/channel.ts'
import type { Backlog, DirectPost, Letter, Post, Sending } from './model/post.ts'
import type { DeliveryState, Reach, Receipt } from './model/receipts.ts'
import { type Counted, type DeliveryRow, insertDeliveries, reachOf } from './model/store.ts'
import { deliveries } from './model/table.ts'
import { createOutcomeLog, type Outcome } from './outcome-log.ts'

export type PostDeps = OutboxDeps & { channels: readonly Channel[] }

// One push service gets this many requests at a time; another's slowness is not its business.
const LANE_WIDTH = 64
// What is on its way when the server stops may still arrive; what does not is sent by the next one.
const CLOSING_MS = 2_000

/** Where an outcome of a row counts: which of the rows of one `send` it is. */
type Place = { tally: Tally; place: number }

/** Sends messages to devices, each through its channel. */
export function createPost(deps: PostDeps): Post & DirectPost & Backlog & AsyncDisposable {
  const { db, clock, log } = deps
  const channels = new Map(deps.channels.map((one) => [one.transport, one]))
  const outcomes = createOutcomeLog(deps)
  const outbox = createOutbox(deps, {
    table: deliveries,
    laneWidth: LANE_WIDTH,
    closingMs: CLOSING_MS,
    written: outcomes.close,
  })
  const counted = new Map<DeliveryId, Place[]>()

  async function start(rows: DeliveryRow[]) {
    const devices = await readSubscribers(
      db.read,
      rows.map((row) => row.subscriberId),
    )
    for (const row of rows) {
      const device = devices.get(row.subscriberId)
      const lane = device ? originOf(device) : ''
      outbox.run(row, lane, (signal) => attempt(row, device, signal))
    }
  }

  async function attempt(row: DeliveryRow, device: Subscriber | undefined, signal: AbortSignal) {
    if (!device) return settle(row, FORGOTTEN, undefined)
    if (clock.now() >= row.expiresAt) return settle(row, TOO_LATE, undefined)
    const receipt = await sendTo(device, row, signal)
    if (signal.aborted && receipt.outcome === 'later') return
    settle(row, receipt, device)
  }

  /** Whatever a channel does, a receipt comes of it. */
  async function sendTo(device: Subscriber, parcel: Parcel, signal: AbortSignal): Promise<Receipt> {
    const channel = channels.get(device.transport)
    if (!channel) return { outcome: 'refused', status: 0, reason: NO_CHANNEL }
    try {
      return await channel.send(parcel, device, signal)
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
    for (const { tally, place } of counted.get(row.id) ?? []) tally.count(place, state)
    if (state !== 'waiting') counted.delete(row.id)
  }

  return {
    async address(read, letter) {
      const now = clock.now()
      const devices = await matchSubscribers(read, letter.workspaceId, letter.targeting)
      const isHeld = await readHeld(read, letter, devices)
      return devices.map((device) => {
        const { personId } = device
        const row = { ...newRow(letter, device, now), ...outbox.claim(now), personId }
        return isHeld(device) ? heldRow(row) : row
      })
    },
    store: insertDeliveries,
    send(rows) {
      const tally = createTally(rows, clock)
      const open = rows.filter(({ state }) => state === 'waiting')
      for (const [place, { id, state }] of rows.entries()) {
        if (state === 'waiting') counted.set(id, [...(counted.get(id) ?? []), { tally, place }])
      }
      outbox.hold(open)
      start(open).catch((error) => {
        log.error('deliveries could not be started; they are tried again', { error })
        outbox.letGo(open)
      })
      return tally
    },
    takeDue: outbox.takeDue,
    giveUp(rows, reason) {
      const receipt: Receipt = { outcome: 'later', status: 0, reason }
      const at = clock.now()
      for (const row of rows) {
        end(row, { row, device: undefined, receipt, state: 'lapsed', nextAt: undefined, at })
      }
    },
    async sendNow(parcel, device) {
      const receipt = await sendTo(device, parcel, outbox.closing)
      const at = clock.now()
      const state = receipt.outcome === 'later' ? 'lapsed' : receipt.outcome
      outcomes.add({ row: undefined, device, receipt, state, nextAt: undefined, at })
      await outcomes.written()
      return receipt
    },
    [Symbol.asyncDispose]: () => outbox[Symbol.asyncDispose](),
  }
}

const FORGOTTEN: Receipt = { outcome: 'gone', status: 0, reason: 'The device was disconnected.' }
const TOO_LATE: Receipt = { outcome: 'later', status: 0, reason: 'It was too late to send it.' }
const NO_CHANNEL = 'This server has no channel for devices of that kind.'

function stateAfter(row: DeliveryRow, receipt: Receipt, now: number) {
  if (receipt.outcome !== 'later') return { state: receipt.outcome, nextAt: undefined }
  return afterFailure(row, now, retryAfterMs(receipt, row.attempts))
}

function newRow(letter: Letter, device: Subscriber, now: number): DeliveryRow {
  return {
    id: newId('dl', now),
    workspaceId: letter.workspaceId,
    subjectId: letter.subjectId,
    subscriberId: device.id,
    kind: device.kind,
    message: letter.message,
    ...unsent(now, letter.expiresAt),
    shownAt: null,
    openedAt: null,
    messageRef: null,
  }
}

// A question is worth most in its first minute; after that there is no hurry.
const FIRST_MS = 2_000
const MOST_MS = 60_000

/** How long to wait before the next attempt, in milliseconds: what the service said, or doubling. */
function retryAfterMs(receipt: Receipt, attemptsBefore: number): number {
  const doubled = Math.min(FIRST_MS * 2 ** Math.min(attemptsBefore, 10), MOST_MS)
  if (receipt.outcome !== 'later') return doubled
  return receipt.retryAfterMs ?? doubled
}

/** Counts what becomes of the rows of one `send`, also when a later attempt decides it. */
type Tally = Sending & {
  /** One more outcome of the row that stands at `place` among those that were sent. */
  count(place: number, state: DeliveryState): void
}

/** What is kept of a row: its message and addresses are not, a question may wait for a minute. */
type Slot = Counted & { heard: boolean }

function createTally(rows: readonly DeliveryRow[], clock: Clock): Tally {
  return new RowTally(rows.map(slotOf), clock)
}

function slotOf({ kind, state, message }: DeliveryRow): Slot {
  return { kind, state, message: { kind: message.kind }, heard: state !== 'waiting' }
}

class RowTally implements Tally {
  private readonly slots: readonly Slot[]
  private readonly clock: Clock
  private listeners: Array<() => void> = []
  /** Rows that have given no outcome yet. */
  private open: number

  constructor(slots: readonly Slot[], clock: Clock) {
    this.slots = slots
    this.clock = clock
    this.open = slots.filter(({ heard }) => !heard).length
  }

  reach(): Reach {
    return reachOf(this.slots)
  }

  count(place: number, state: DeliveryState): void {
    const slot = this.slots[place]
    if (!slot) return
    if (!slot.heard) this.open--
    slot.state = state
    slot.heard = true
    if (this.open > 0) return
    const { listeners } = this
    this.listeners = []
    for (const wake of listeners) wake()
  }

  firstOutcomes(ms: number): Promise<Reach> {
    if (this.open === 0) return Promise.resolve(this.reach())
    return new Promise((resolve) => {
      const done = () => {
        forget()
        resolve(this.reach())
      }
      const forget = this.clock.after(ms, done)
      this.listeners.push(done)
    })
  }
}

/** Which devices a letter is kept from by their people; those of nobody get everything. */
async function readHeld(
  read: Read,
  { workspaceId, sorts }: Letter,
  devices: readonly Subscriber[],
): Promise<(device: Subscriber) => boolean> {
  if (!devices.some(({ personId }) => personId !== undefined)) return () => false
  const off = await readSwitchedOff(read, workspaceId)
  return ({ personId, kind }) => isOff((personId && off.get(personId)) || [], sorts, kind)
}

/** Kept as a row that has ended, so that what did not arrive can be explained. */
function heldRow<R extends DeliveryRow>(row: R): R {
  return {
    ...row,
    state: 'held',
    lastError: SWITCHED_OFF,
    endedAt: row.createdAt,
    claimedBy: null,
    claimedUntil: 0,
  }
}

const SWITCHED_OFF = 'Held by the person’s own switch for such messages.'
