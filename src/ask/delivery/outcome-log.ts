import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { type AuditStamp, auditRecord, auditStamp } from '../audit/model/audit.ts'
import { recordAudit } from '../audit/model/store.ts'
import { forgetEndpoint, recordError, recordSuccess } from '../subscribers/model/store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import { type DeliveryReceipt, type DeliveryState, serviceOrigin } from './model/channel.ts'
import {
  clearAlarms,
  type DeliveryRow,
  raiseAlarm,
  type SettledDeliveries,
  settleDeliveries,
} from './model/store.ts'

/**
 * The result of one attempt. The row is absent for messages without one (a test push), the device
 * if it is not at fault or no longer exists.
 */
export type AttemptOutcome = {
  row: DeliveryRow | undefined
  device: Subscriber | undefined
  receipt: DeliveryReceipt
  state: DeliveryState
  nextAt: number | undefined
  at: number
}

export type OutcomeLog = {
  add(outcome: AttemptOutcome): void
  /** Resolves when everything added so far is on disk, or was given up. */
  written(): Promise<void>
  /** As `written`, with one more try if the database refuses: the process is about to end. */
  close(): Promise<void>
}

// The database may be full or locked for a moment; rows that stay unwritten are sent again.
const TRY_AGAIN_MS = 1_000
const TRIES = 30

/** Writes outcomes in as few transactions as possible: each writes all that are waiting. */
export function createOutcomeLog(deps: { db: Db; clock: Clock; log: Log }): OutcomeLog {
  const { db, clock, log } = deps
  let waiting: AttemptOutcome[] = []
  let writing: Promise<void> | undefined
  const closing = Promise.withResolvers<void>()
  let triesLeftAtClose = Number.POSITIVE_INFINITY

  async function writeAll() {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await writeOne(batch)
    }
    writing = undefined
  }

  async function writeOne(batch: AttemptOutcome[]) {
    const stamps = new Map(
      goneDevices(batch).map(({ device }) => [device.id, auditStamp(clock.now())]),
    )
    for (let tries = 1; ; tries++) {
      try {
        await db.write((tx) => recordOutcomes(tx, batch, stamps))
        return
      } catch (error) {
        log.error('the outcome of deliveries could not be written', { error, rows: batch.length })
        if (tries === TRIES || triesLeftAtClose-- <= 0) return
        await pause()
      }
    }
  }

  /** Ends early when the process is closing. */
  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const forget = clock.after(TRY_AGAIN_MS, resolve)
      closing.promise.then(() => {
        forget()
        resolve()
      })
    })
  }

  return {
    add(outcome) {
      waiting.push(outcome)
      writing ??= writeAll()
    },
    written: () => writing ?? Promise.resolve(),
    async close() {
      triesLeftAtClose = 1
      closing.resolve()
      await writing
    },
  }
}

type Stamps = ReadonlyMap<string, AuditStamp>

async function recordOutcomes(tx: Tx, batch: AttemptOutcome[], stamps: Stamps): Promise<void> {
  for (const settled of grouped(batch)) await settleDeliveries(tx, settled)
  const reports = batch.flatMap(({ device, receipt, at }) =>
    device ? { device, receipt, at } : [],
  )
  if (reports.length === 0) return

  const at = Math.max(...reports.map((report) => report.at))
  const accepted = reports.filter(({ receipt }) => receipt.outcome === 'accepted')
  await recordSuccess(tx, ids(accepted), at)
  await clearAlarms(tx, [...new Set(accepted.map(({ device }) => serviceOrigin(device)))])
  for (const [reason, failed] of Map.groupBy(reports, reasonOf)) {
    if (reason !== undefined) await recordError(tx, ids(failed), at, reason)
  }
  for (const { receipt, device } of reports) {
    if (receipt.outcome === 'refused' && receipt.alarm) {
      await raiseAlarm(tx, { name: serviceOrigin(device), text: receipt.alarm, at })
    }
  }
  for (const report of goneDevices(batch))
    await forgetGone(tx, report, stamps.get(report.device.id))
  const workspaces = new Set(reports.map(({ device }) => device.workspaceId))
  for (const id of workspaces) tx.emit('subscriber', id)
}

type Gone = { device: Subscriber; reason: string }

function goneDevices(batch: AttemptOutcome[]): Gone[] {
  return batch.flatMap(({ device, receipt }) =>
    device && receipt.outcome === 'gone' ? [{ device, reason: receipt.reason }] : [],
  )
}

/** Deletes the device; its name stays in the audit trail. */
async function forgetGone(tx: Tx, { device, reason }: Gone, stamp: AuditStamp | undefined) {
  const { id, workspaceId, label } = device
  const isForgotten = await forgetEndpoint(tx, id, device.endpoint)
  if (!isForgotten || !stamp) return
  const subject = { subjectId: id, subjectName: label, detail: reason }
  await recordAudit(tx, auditRecord(stamp, { workspaceId, kind: 'device.removed', ...subject }))
}

/** Rows with the same outcome share one update. */
function grouped(batch: AttemptOutcome[]): SettledDeliveries[] {
  const groups = new Map<string, SettledDeliveries>()
  for (const outcome of batch) {
    const { row, receipt, state, nextAt, at } = outcome
    if (!row) continue
    const error = reasonOf(outcome)
    const ref = receipt.outcome === 'accepted' ? receipt.ref : undefined
    const { status } = receipt
    const key = JSON.stringify([state, status, nextAt, error, ref])
    const group = groups.get(key) ?? { ids: [], state, status, error, ref, nextAt, at }
    group.ids.push(row.id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function reasonOf({ receipt }: Pick<AttemptOutcome, 'receipt'>): string | undefined {
  return receipt.outcome === 'accepted' ? undefined : receipt.reason
}

function ids(reports: Array<{ device: Subscriber }>) {
  return reports.map(({ device }) => device.id)
}
