import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { AgreedTime } from '../../platform/db/agreed-time.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import { freeBytes } from '../../platform/db/inspect-folder.ts'
import type { Backlog } from '../../platform/db/outbox-store.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { IsProxy } from '../../platform/http/caller-address.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { loadOnce } from '../../platform/once.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { readCallbackBacklog } from '../callbacks/model/store.ts'
import type { ChannelModule } from '../delivery/channel-module.ts'
import { readDeliveryBacklog } from '../delivery/model/store.ts'
import type { Feature } from '../feature.ts'
import type { Callers } from '../rest/route.ts'
import { keepPurging } from '../retention/purge-old.ts'
import { readPostBacklog } from '../watches/model/post-store.ts'

type Deps = Pick<Callers, 'authentication' | 'limits'> & {
  config: Config
  db: OpenDb
  secrets: Secrets
  clock: Clock
  agreedTime: AgreedTime
  log: Log
  metrics: Metrics
  outside: GuardedFetch
  /** Names this process among those that share the database. */
  holder: string
  channels: readonly ChannelModule[]
  /** Aborted when the server begins to report that it is not ready. */
  leaving: AbortSignal
  isProxy: IsProxy
  peerOf(request: Request): string | undefined
  /** Returns true if a request began on this machine. */
  isLocal(request: Request): boolean
  /** Why the server does not serve TLS yet although it is set up to. */
  tlsProblem(): string | undefined
}

/** Returns the health of the server: its checks, its metrics, and its retention. */
export function health(deps: Deps): Feature {
  const { config, db, clock, log, metrics, outside, channels, leaving, tlsProblem } = deps
  const retentionDays = config.retention.days
  const { authSecret } = deps.secrets
  measureStorage({ metrics, db, clock })
  const examination = loadOnce(async () => {
    const { createHealth } = await import('./health.ts')
    const { fetch, addressesOf } = outside
    return createHealth({ config, db, clock, authSecret, fetch, addressesOf, channels })
  })
  const examiner = { health: async (id: WorkspaceId) => (await examination())(id) }
  return {
    jobs: [(report) => keepPurging({ ...deps, retentionDays }, report)],
    others: async () => {
      const { healthRoutes, metricsRoutes } = await import('./probes-rest.ts')
      const { mirrorRoutes } = await import('./reflect-request.ts')
      return [
        {
          routes: healthRoutes({
            db,
            clock,
            log,
            freeBytes: () => ownFreeBytes(config),
            leaving,
            tlsProblem,
          }),
        },
        { routes: metricsRoutes(deps) },
        { routes: mirrorRoutes({ ...deps, authSecret }) },
      ]
    },
    routes: async () => (await import('./rest.ts')).checkRoutes(examiner),
    settings: async () => (await import('./settings-rows.ts')).healthRows({ ...examiner, clock }),
    pages: async () => (await import('./pages/health.tsx')).healthPages({ ...examiner, db, clock }),
  }
}

function ownFreeBytes({ database, dataFolder }: Config): number | undefined {
  return database ? undefined : freeBytes(dataFolder)
}

type MeasureDeps = { metrics: Metrics; db: OpenDb; clock: Clock }

// If `/metrics` is read often, the database is asked once in this time.
const BACKLOG_MS = 5_000
const OUTBOXES = [
  ['deliveries', readDeliveryBacklog],
  ['callbacks', readCallbackBacklog],
  ['watch_posts', readPostBacklog],
] as const
// Syncing to disk takes about a millisecond; a tenth of a second is a disk in trouble.
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

/** Reports how the database is doing, and what is still to be sent. */
function measureStorage({ metrics, db, clock }: MeasureDeps): void {
  measureDatabase(metrics, db)
  measureBacklog({ metrics, db, clock })
}

function measureDatabase(metrics: Metrics, db: OpenDb) {
  const commits = metrics.histogram({
    name: 'beckon_database_commit_seconds',
    help: 'Commits, with the time from their start until they were on disk.',
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

function measureBacklog({ metrics, db, clock }: MeasureDeps) {
  let reading: { at: number; all: Promise<Array<readonly [string, Backlog]>> } | undefined
  const backlog = () => {
    const now = clock.now()
    if (!reading || now - reading.at >= BACKLOG_MS) {
      const read = OUTBOXES.map(
        async ([name, readWaiting]) => [name, await readWaiting(db.read)] as const,
      )
      reading = { at: now, all: Promise.all(read) }
    }
    return reading.all
  }
  metrics.figure({
    name: 'beckon_outbox_waiting',
    kind: 'gauge',
    labels: ['outbox'],
    help: 'Deliveries, callbacks and news for programs that are still to be sent; up to 5 seconds old.',
    read: async () => (await backlog()).map(([name, { waiting }]) => [[name], waiting]),
  })
  metrics.figure({
    name: 'beckon_outbox_overdue_seconds',
    kind: 'gauge',
    labels: ['outbox'],
    help: 'How long the oldest of them has been due; 0 if none is.',
    read: async () =>
      (await backlog()).map(([name, { firstDueAt = clock.now() }]) => [
        [name],
        Math.max(0, clock.now() - firstDueAt) / 1_000,
      ]),
  })
}
