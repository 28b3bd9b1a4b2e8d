import type { Config } from '../../platform/config/config.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { HeldTokens } from '../accounts/model/agents.ts'
import type { Feature } from '../feature.ts'
import type { Callers } from '../rest/route.ts'
import type { HttpGates } from './http/handler.ts'
import type { GateRouteDeps } from './rest.ts'

type Deps = Omit<GateRouteDeps, 'baseUrl'> & {
  config: Config
  log: Log
  outside: GuardedFetch
  limits: Pick<Limits, 'token'>
  authentication: Pick<Callers['authentication'], 'agentFrom'>
  agents: { held: HeldTokens }
}

/** Gates: what stands before the MCP servers of agents, and asks before their tools run. */
export function gates({ config, ...rest }: Deps): Feature {
  const deps = { ...rest, baseUrl: config.baseUrl }
  const mounted: HttpGates[] = []
  return {
    routes: async () => (await import('./rest.ts')).gateRoutes(deps),
    settings: async () => (await import('./settings-rows.ts')).gateRows(deps),
    pages: async () => (await import('./pages/pages.ts')).gatePages(deps),
    others: async () => {
      const { createHttpGates } = await import('./http/handler.ts')
      const { httpGateRoute } = await import('./http/route.ts')
      const { allowedOrigins } = config
      const { limits, authentication, agents } = rest
      const gatesOverHttp = createHttpGates({
        ...{ ...deps, allowedOrigins, held: agents.held },
        ...{ callLimit: limits.token, agentFrom: authentication.agentFrom },
      })
      mounted.push(gatesOverHttp)
      return [{ routes: httpGateRoute(gatesOverHttp), ownLimit: true }]
    },
    close: async () => {
      for (const one of mounted) await one.close()
    },
  }
}
