import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import type { TurnPageDeps } from './pages/pages.ts'
import type { TurnRouteDeps } from './rest.ts'

type Deps = Omit<TurnRouteDeps, 'baseUrl'> & TurnPageDeps & { config: Config }

/** Turns of agents that ended, and what people tell them to do next. */
export function turns({ config, ...deps }: Deps): Feature {
  const { baseUrl } = config
  return {
    pages: async () => (await import('./pages/pages.ts')).turnPages(deps),
    routes: async () => (await import('./rest.ts')).turnRoutes({ ...deps, baseUrl }),
  }
}
