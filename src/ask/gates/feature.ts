import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import type { GateRouteDeps } from './rest.ts'

type Deps = Omit<GateRouteDeps, 'baseUrl'> & { config: Config }

/** Gates: what stands before the MCP servers of agents, and asks before their tools run. */
export function gates({ config, ...rest }: Deps): Feature {
  const deps = { ...rest, baseUrl: config.baseUrl }
  return {
    routes: async () => (await import('./rest.ts')).gateRoutes(deps),
    settings: async () => (await import('./settings-rows.ts')).gateRows(deps),
    pages: async () => (await import('./pages/pages.ts')).gatePages(deps),
  }
}
