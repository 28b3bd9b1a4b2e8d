import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { WorkspaceId } from '../../platform/ids.ts'
import { loadOnce } from '../../platform/load-once.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { ChannelModule } from '../delivery/channels/module.ts'
import type { Feature } from '../feature.ts'
import type { Callers } from '../rest/route.ts'
import { measureStorage } from './measure-storage.ts'
import { keepPurging } from './purge-old.ts'

type Deps = Pick<Callers, 'authentication' | 'limits'> & {
  config: Config
  db: OpenDb
  secrets: Secrets
  clock: Clock
  metrics: Metrics
  outside: GuardedFetch
  /** Names this process among those that share the database. */
  holder: string
  channels: readonly ChannelModule[]
  /** Aborted when the server begins to report that it is not ready. */
  leaving: AbortSignal
  /** Whether a request began on this machine. */
  isLocal(request: Request): boolean
  /** Why the server does not serve TLS yet although it is set up to. */
  tlsProblem(): string | undefined
}

/** Whether everything works, what the server counts of itself, and what it forgets. */
export function health(deps: Deps): Feature {
  const { config, db, clock, metrics, outside, holder, channels, leaving, tlsProblem } = deps
  const { trustProxy, retentionDays } = config
  const { authSecret } = deps.secrets
  measureStorage({ metrics, db, clock })
  const examination = loadOnce(async () => {
    const { createHealth } = await import('./health.ts')
    const { fetch, addressesOf } = outside
    return createHealth({ config, db, clock, authSecret, fetch, addressesOf, channels })
  })
  const shown = { health: async (id: WorkspaceId) => (await examination())(id) }
  return {
    jobs: [(report) => keepPurging({ db, clock, holder, retentionDays }, report)],
    others: async () => {
      const { healthRoutes, metricsRoutes } = await import('./probes-rest.ts')
      const { mirrorRoutes } = await import('./reflect-request.ts')
      return [
        { routes: healthRoutes({ db, clock, leaving, tlsProblem }) },
        { routes: metricsRoutes(deps) },
        { routes: mirrorRoutes({ clock, authSecret, trustProxy }) },
      ]
    },
    routes: async () => (await import('./rest.ts')).checkRoutes(shown),
    pages: async () => (await import('./pages/health.tsx')).healthPages({ ...shown, db, clock }),
  }
}
