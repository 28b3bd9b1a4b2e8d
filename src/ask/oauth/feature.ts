import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Agents } from '../accounts/model/agents.ts'
import type { Feature } from '../feature.ts'
import type { SignInMcp } from '../mcp/feature.ts'
import type { Authentication } from '../sign-in/authentication.ts'
import { createConnectedAgents } from './connected-agent.ts'
import { keepTryingDocuments } from './document-failures.ts'
import { challenge, SIGN_IN_MCP_PATH } from './model/issuer.ts'
import { scopeOf } from './model/scope.ts'

type Deps = {
  config: Config
  /** True if clients may sign in. */
  oauth: boolean
  db: Db
  clock: Clock
  log: Log
  limits: Limits
  outside: GuardedFetch
  agents: Agents
  authentication: Authentication
  addressOf(request: Request): string
}

/** Clients that people allow by signing in, in place of a token. Switched off, it has no address. */
export function oauth(deps: Deps): Feature & { signInMcp?: SignInMcp } {
  if (!deps.oauth) return {}
  const { baseUrl } = deps.config
  const { clientDocuments } = deps.config.oauth
  const connected = createConnectedAgents({ ...deps, baseUrl })
  return {
    owns: [connected],
    jobs: [(report) => keepTryingDocuments(deps, report)],
    signInMcp: {
      path: SIGN_IN_MCP_PATH,
      agentFrom: connected.agentFrom,
      challenge: (why) => challenge(baseUrl, why),
      scopeOf,
    },
    others: async () => {
      const { oauthRoutes } = await import('./routes.ts')
      return [{ routes: oauthRoutes({ ...deps, baseUrl, clientDocuments }) }]
    },
    pages: async () => (await import('./pages/pages.ts')).oauthPages({ ...deps, baseUrl }),
  }
}
