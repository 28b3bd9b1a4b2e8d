import type { Clock } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { afterFailure, createOutbox, type OutboxDeps } from '../../platform/db/outbox.ts'
import { unsent } from '../../platform/db/outbox-store.ts'
import { newId } from '../../platform/ids.ts'
import { omitUndefined } from '../../platform/json.ts'
import { matchSubscribers, readSubscribers } from '../subscribers/model/store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import { isOff, readSwitchedOff } from '../subscribers/model/switch-store.ts'
import { addToldViewers, audienceOf } from './model/audience.ts'
import {
  type Channel,
  type Delivery,
  type DeliveryCounts,
  type DeliveryReceipt,
  type DeliveryState,
  serviceOrigin,
} from './model/channel.ts'
import type { Receivers } from './model/receivers.ts'
import type { DirectSender, OutgoingMessage, RetrySender, Sender, Sending } from './model/sender.ts'
import { type Counted, countDeliveries, type DeliveryRow, insertDeliveries } from './model/store.ts'
import { type DeliveryId, deliveries } from './model/table.ts'
import { type AttemptOutcome, createOutcomeLog } from './outcome-log.ts'

export type SenderDeps = OutboxDeps & { channels: readonly Channel[] }

// One push service gets this many requests at a time, so that a slow one does not delay others.
const LANE_WIDTH = 64
// The time that messages in flight have when the server stops; the next process sends the rest.
const CLOSING_MS = 2_000

// Requests that arrive while many messages are sent wait no longer than this.
const AT_A_TIME_MS = 5

/** Where an outcome of a row is counted: the counter of one `send`, and the row's index in it. */
type CountedRow = { counter: DeliveryCounter; index: number }

/** Sends messages to devices, each through its channel. */
export function createSender(
  deps: SenderDeps,
): Sender & DirectSender & RetrySender & AsyncDisposable {
  const { db, clock, log } = deps
  const channels = new Map(deps.channels.map((one) => [one.transport, one]))
  const outcomes = createOutcomeLog(deps)
  const outbox = createOutbox(deps, {
    table: deliveries,
    laneWidth: LANE_WIDTH,
    closingMs: CLOSING_MS,
    written: outcomes.close,
  })
  const counted = new Map<DeliveryId, CountedRow[]>()

  async function start(rows: DeliveryRow[]) {
    if (rows.length === 0) return
    // Encrypting takes long, so the reply to whoever caused the message goes out first.
    await nextTurn()
    const devices = await readSubscribers(
      db.read,
      rows.map((row) => row.subscriberId),
    )
    let since = performance.now()
    for (const row of rows) {
      if (performance.now() - since > AT_A_TIME_MS) {
        await nextTurn()
        since = performance.now()
      }
      const device = devices.get(row.subscriberId)
      const lane = device ? serviceOrigin(device) : ''
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

  /** Sends through the device's channel; returns a receipt whatever the channel does. */
  async function sendTo(
    device: Subscriber,
    delivery: Delivery,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const channel = channels.get(device.transport)
    if (!channel) return { outcome: 'refused', status: 0, reason: NO_CHANNEL }
    try {
      return await channel.send(delivery, device, signal)
    } catch (error) {
      log.error('a channel threw', { error, transport: device.transport })
      return { outcome: 'later', status: 0, reason: 'Something went wrong on this server.' }
    }
  }

  function settle(row: DeliveryRow, receipt: DeliveryReceipt, device: Subscriber | undefined) {
    const at = clock.now()
    const next = stateAfter(row, receipt, at)
    end(row, { row, device, receipt, at, ...next })
  }

  function end(row: DeliveryRow, outcome: AttemptOutcome) {
    const { state } = outcome
    outcomes.add(outcome)
    for (const { counter, index } of counted.get(row.id) ?? []) counter.add(index, state)
    if (state !== 'waiting') counted.delete(row.id)
  }

  return {
    async address(read, outgoing, among) {
      const now = clock.now()
      const candidates = among
        ? devicesByTarget(among, outgoing)
        : await matchSubscribers(read, outgoing.workspaceId, outgoing.targeting)
      const takes = ({ transport }: Subscriber) => takesAgain(channels.get(transport), outgoing)
      const chosen = candidates.filter(takes).filter(isFor(outgoing))
      const audience = among ? undefined : await audienceOf(read, outgoing)
      const devices = audience ? chosen.filter(audience.takes) : chosen
      const off = among?.off ?? (await readOff(read, outgoing, devices))
      const isHeld = switchFilter(off, outgoing)
      return devices.map((device) => {
        const { personId } = device
        const shows = audience?.shows(device) ?? false
        const row = { ...newRow(outgoing, device, now), ...outbox.claim(now), personId, shows }
        return isHeld(device) ? heldRow(row) : row
      })
    },
    async store(tx, rows) {
      await insertDeliveries(tx, rows)
      await addToldViewers(tx, rows)
    },
    send(rows) {
      const counter = new DeliveryCounter(rows, clock)
      const open = rows.filter(({ state }) => state === 'waiting')
      for (const [index, { id, state }] of rows.entries()) {
        if (state === 'waiting') counted.set(id, [...(counted.get(id) ?? []), { counter, index }])
      }
      outbox.hold(open)
      start(open).catch((error) => {
        log.error('deliveries could not be started; they are tried again', { error })
        outbox.letGo(open)
      })
      return counter
    },
    takeDue: outbox.takeDue,
    giveUp(rows, reason) {
      const receipt: DeliveryReceipt = { outcome: 'later', status: 0, reason }
      const at = clock.now()
      for (const row of rows) {
        end(row, { row, device: undefined, receipt, state: 'lapsed', nextAt: undefined, at })
      }
    },
    async sendNow(delivery, device) {
      const receipt = await sendTo(device, delivery, outbox.closing)
      const at = clock.now()
      const state = receipt.outcome === 'later' ? 'lapsed' : receipt.outcome
      outcomes.add({ row: undefined, device, receipt, state, nextAt: undefined, at })
      await outcomes.written()
      return receipt
    },
    [Symbol.asyncDispose]: () => outbox[Symbol.asyncDispose](),
  }
}

/**
 * A message that was sent before is sent again only if its service dropped it, or if it replaces
 * the first one.
 */
function takesAgain(channel: Channel | undefined, { message }: OutgoingMessage): boolean {
  if (message.edit) return channel?.edits === true
  if (message.reminder) return channel?.replaces === true
  return !message.again || channel?.dropsLate === true
}

/**
 * Selects the devices of the people the message is for. A device without a person is left out only
 * if the message is for one person alone.
 */
function isFor({ people }: OutgoingMessage): (device: Subscriber) => boolean {
  if (!people) return () => true
  if ('only' in people) return ({ personId }) => personId === people.only
  if ('among' in people)
    return ({ id, personId }) =>
      personId === undefined ? people.devices.includes(id) : people.among.includes(personId)
  return ({ personId }) => personId === undefined || !people.except.includes(personId)
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const FORGOTTEN: DeliveryReceipt = {
  outcome: 'gone',
  status: 0,
  reason: 'The device was disconnected.',
}
const TOO_LATE: DeliveryReceipt = {
  outcome: 'later',
  status: 0,
  reason: 'It was too late to send it.',
}
const NO_CHANNEL = 'This server has no channel for devices of that kind.'

function stateAfter(row: DeliveryRow, receipt: DeliveryReceipt, now: number) {
  if (receipt.outcome !== 'later') return { state: receipt.outcome, nextAt: undefined }
  return afterFailure(row, now, retryAfterMs(receipt, row.attempts))
}

function newRow(outgoing: OutgoingMessage, device: Subscriber, now: number): DeliveryRow {
  return {
    id: newId('dl', now),
    workspaceId: outgoing.workspaceId,
    subjectId: outgoing.subjectId,
    subscriberId: device.id,
    kind: device.kind,
    message: outgoing.message,
    ...unsent(now, outgoing.expiresAt),
    shownAt: null,
    openedAt: null,
    seal: null,
    messageRef: null,
  }
}

// A question is most urgent in its first minute.
const FIRST_MS = 2_000
const MOST_MS = 60_000

/**
 * How long to wait before the next attempt, in milliseconds: what the service asked for, or twice
 * as long as before.
 */
function retryAfterMs(receipt: DeliveryReceipt, attemptsBefore: number): number {
  const doubled = Math.min(FIRST_MS * 2 ** Math.min(attemptsBefore, 10), MOST_MS)
  if (receipt.outcome !== 'later') return doubled
  return receipt.retryAfterMs ?? doubled
}

/**
 * The part of a row that is counted. Its message and addresses are dropped: a question may wait for
 * minutes.
 */
type CounterRow = Counted & { settled: boolean }

function counterRow({ kind, state, message }: DeliveryRow): CounterRow {
  const { kind: sort, failover, again } = message
  const isUsual = sort === 'question' && failover === undefined && again === undefined
  const about = isUsual ? USUAL : omitUndefined({ kind: sort, failover, again })
  return { kind, state, message: about, settled: state !== 'waiting' }
}

// One for all questions, of which thousands may wait.
const USUAL: Counted['message'] = { kind: 'question' }

/** Counts what becomes of the rows of one `send`, also when a later attempt decides it. */
class DeliveryCounter implements Sending {
  private readonly rows: readonly CounterRow[]
  private readonly clock: Clock
  private listeners: Array<() => void> | undefined
  /** Rows without an outcome. */
  private open: number

  constructor(rows: readonly DeliveryRow[], clock: Clock) {
    this.rows = rows.map(counterRow)
    this.clock = clock
    this.open = this.rows.filter(({ settled }) => !settled).length
  }

  counts(): DeliveryCounts {
    return countDeliveries(this.rows)
  }

  /** Counts an outcome of the row at `index` among those that were sent. */
  add(index: number, state: DeliveryState): void {
    const row = this.rows[index]
    if (!row) return
    if (!row.settled) this.open--
    row.state = state
    row.settled = true
    if (this.open > 0) return
    const { listeners = [] } = this
    this.listeners = undefined
    for (const wake of listeners) wake()
  }

  firstOutcomes(ms: number): Promise<DeliveryCounts> {
    if (this.open === 0) return Promise.resolve(this.counts())
    return new Promise((resolve) => {
      const done = () => {
        forget()
        resolve(this.counts())
      }
      const forget = this.clock.after(ms, done)
      this.listeners = [...(this.listeners ?? []), done]
    })
  }
}

function devicesByTarget({ devices }: Receivers, { targeting }: OutgoingMessage) {
  const wantedIds = new Set(targeting.subscriberIds)
  return devices.filter(({ id }) => wantedIds.has(id))
}

/** Reads the kinds that people have switched off; only if a device has a person. */
async function readOff(
  read: Read,
  { workspaceId }: OutgoingMessage,
  devices: readonly Subscriber[],
): Promise<Receivers['off']> {
  if (!devices.some(({ personId }) => personId !== undefined)) return new Map()
  return await readSwitchedOff(read, workspaceId)
}

/**
 * Finds the devices that must not get the message because their person switched such messages off.
 * Devices without a person get everything.
 */
function switchFilter(
  off: Receivers['off'],
  { sorts }: OutgoingMessage,
): (device: Subscriber) => boolean {
  return ({ personId, kind }) => isOff((personId && off.get(personId)) || [], sorts, kind)
}

/** Stored as a row that has ended, to explain why the message did not arrive. */
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

const SWITCHED_OFF = 'Not sent: the person has switched such messages off.'
