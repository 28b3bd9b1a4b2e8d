import type { Clock } from '../../platform/clock.ts'
import type { Backlog } from '../../platform/db/outbox-store.ts'
import type { SqliteDb } from '../../platform/db/sqlite.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { readCallbackBacklog } from '../callbacks/model/store.ts'
import type { Channel } from '../delivery/model/channel.ts'
import { readDeliveryBacklog } from '../delivery/model/store.ts'
import type { QuestionCounts } from '../questions/model/counts.ts'

type Deps = { metrics: Metrics; db: SqliteDb; clock: Clock }

// If `/metrics` is read often, the database is asked once in this time.
const BACKLOG_MS = 5_000
const OUTBOXES = [
  ['deliveries', readDeliveryBacklog],
  ['callbacks', readCallbackBacklog],
] as const
// From a service next door to a very slow one.
const SERVICE_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
// Syncing to disk takes about a millisecond; a tenth of a second is a disk in trouble.
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

export type FlowMeasures = {
  counts: QuestionCounts
  /** The same channel with its attempts counted and timed. */
  measured(channel: Channel): Channel
  /** Counts an attempt to post a callback that ended in `state` after `ms`. */
  attempted(state: string, ms: number): void
}

/** Counts and times what the use cases do, and reports how much they still have to do. */
export function measureFlows({ metrics, db, clock }: Deps): FlowMeasures {
  measureDatabase(metrics, db)
  measureBacklog({ metrics, db, clock })
  const opened = metrics.counter({
    name: 'beckon_questions_opened_total',
    help: 'Questions that were stored, by where they came from.',
    labels: ['origin'],
  })
  const ended = metrics.counter({
    name: 'beckon_questions_ended_total',
    help: 'Questions that ended, by outcome: answered, cancelled, expired or stopped.',
    labels: ['outcome'],
  })
  const attempts = metrics.histogram({
    name: 'beckon_delivery_attempt_seconds',
    help: 'Attempts to deliver a message to one device, by channel and result, with their duration.',
    labels: ['channel', 'result'],
    bounds: SERVICE_SECONDS,
  })
  const posts = metrics.histogram({
    name: 'beckon_callback_attempt_seconds',
    help: 'Attempts to post a callback, by the state it was left in, with their duration.',
    labels: ['state'],
    bounds: SERVICE_SECONDS,
  })
  return {
    counts: {
      opened: ({ origin }) => opened(origin),
      ended: (status) => ended(status),
    },
    attempted: (state, ms) => posts(ms / 1_000, state),
    measured: (channel) => ({
      ...channel,
      async send(delivery, to, signal) {
        const began = performance.now()
        const receipt = await channel.send(delivery, to, signal)
        attempts((performance.now() - began) / 1_000, channel.transport, receipt.outcome)
        return receipt
      },
    }),
  }
}

function measureDatabase(metrics: Metrics, db: SqliteDb) {
  const commits = metrics.histogram({
    name: 'beckon_database_commit_seconds',
    help: 'Commits, with the time from their begin until they were on disk.',
    bounds: COMMIT_SECONDS,
  })
  let written = 0
  db.onCommit((ms, writes) => {
    commits(ms / 1_000)
    written += writes
  })
  metrics.figure({
    name: 'beckon_database_writes_total',
    kind: 'counter',
    help: 'Writes; several share one commit.',
    read: () => written,
  })
  metrics.figure({
    name: 'beckon_database_write_queue',
    kind: 'gauge',
    help: 'Writes that wait for their commit.',
    read: () => db.queued(),
  })
  metrics.figure({
    name: 'beckon_database_refusals_total',
    kind: 'counter',
    help: 'Writes that the storage refused: a full disk, a database that is locked or damaged.',
    read: () => db.refusals().count,
  })
}

function measureBacklog({ metrics, db, clock }: Deps) {
  let known: { at: number; all: Promise<Array<readonly [string, Backlog]>> } | undefined
  const backlog = () => {
    const now = clock.now()
    if (!known || now - known.at >= BACKLOG_MS) {
      const read = OUTBOXES.map(
        async ([name, readWaiting]) => [name, await readWaiting(db.read)] as const,
      )
      known = { at: now, all: Promise.all(read) }
    }
    return known.all
  }
  metrics.figure({
    name: 'beckon_outbox_waiting',
    kind: 'gauge',
    labels: ['outbox'],
    help: 'Deliveries and callbacks that are still to be sent; up to 5 seconds old.',
    read: async () => (await backlog()).map(([name, { waiting }]) => [[name], waiting]),
  })
  metrics.figure({
    name: 'beckon_outbox_overdue_seconds',
    kind: 'gauge',
    labels: ['outbox'],
    help: 'For how long the oldest of them is due; 0 when none is.',
    read: async () =>
      (await backlog()).map(([name, { firstDueAt = clock.now() }]) => [
        [name],
        Math.max(0, clock.now() - firstDueAt) / 1_000,
      ]),
  })
}
