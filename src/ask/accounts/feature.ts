import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Feature } from '../feature.ts'
import { createAgents } from './agents.ts'
import { createAuthentication } from './authentication.ts'
import { measureLimits } from './measure-limits.ts'

type Deps = {
  config: Config
  /** Whether clients may sign in. */
  oauth: boolean
  db: OpenDb
  secrets: Secrets
  clock: Clock
  log: Log
  metrics: Metrics
  limits: Limits
  /** The caller's address, as far as it can be trusted. */
  addressOf(request: Request): string
}

/** Workspaces, people, tokens of agents, and how each of them signs in. */
export function accounts({
  config,
  oauth,
  db,
  secrets,
  clock,
  log,
  metrics,
  limits,
  addressOf,
}: Deps) {
  const { baseUrl } = config
  const { authSecret } = secrets
  const agents = createAgents({ db, clock })
  const limited = measureLimits({ metrics, db, clock, config })
  const authentication = createAuthentication({
    db,
    clock,
    log,
    agents,
    limits,
    baseUrl,
    authSecret,
    addressOf,
  })
  return {
    agents,
    limited,
    authentication,
    owns: [agents],
    others: async () => {
      const { authRoutes } = await import('./auth-routes.ts')
      const trail = { db, clock }
      return [{ routes: authRoutes({ authentication, limits, addressOf, trail }) }]
    },
    routes: async () => (await import('./rest.ts')).accountRoutes({ db, clock }),
    pages: async () => {
      const { accountPages } = await import('./pages/pages.ts')
      return accountPages({ db, clock, limited, authentication, baseUrl, oauth })
    },
  } satisfies Feature & Record<string, unknown>
}
