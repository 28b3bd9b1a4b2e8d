import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import { createAgents } from '../accounts/model/agents.ts'
import type { Feature } from '../feature.ts'
import { createAuthentication } from './authentication.ts'
import type { CompanyAccess } from './company-access.ts'

type Deps = {
  config: Config
  db: OpenDb
  secrets: Secrets
  clock: Clock
  log: Log
  limits: Limits
  /** The caller's address, as far as it can be trusted. */
  addressOf(request: Request): string
  company?: CompanyAccess
}

/** How people sign in, and how agents prove who they are. */
export function signIn({ config, db, secrets, clock, log, limits, addressOf, company }: Deps) {
  const { baseUrl } = config
  const { authSecret } = secrets
  const agents = createAgents({ db, clock })
  const authentication = createAuthentication({
    db,
    clock,
    log,
    agents,
    limits,
    baseUrl,
    authSecret,
    addressOf,
    ...(company && { company }),
  })
  return {
    agents,
    authentication,
    owns: [agents],
    others: async () => {
      const { authRoutes } = await import('./auth-routes.ts')
      const trail = { db, clock }
      return [{ routes: authRoutes({ authentication, limits, addressOf, trail }) }]
    },
    settings: async () => (await import('./settings-rows.ts')).signInRows({ db, clock }),
    pages: async () => {
      const { signInPages } = await import('./pages/pages.ts')
      return signInPages({ db, clock, authentication, baseUrl })
    },
  } satisfies Feature & Record<string, unknown>
}
