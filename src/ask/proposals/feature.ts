import type { Config } from '../../platform/config/config.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import type { Feature } from '../feature.ts'
import { keepNoticingHooks } from '../hooks/silent-hooks.ts'

type Deps = Omit<AskUserDeps, 'baseUrl'> & { config: Config }

/** The boundaries that sessions propose, and the hooks that enforce them. */
export function scopes({ config, ...rest }: Deps): Feature {
  const deps = { ...rest, baseUrl: config.baseUrl }
  return {
    jobs: [(report) => keepNoticingHooks(deps, report)],
    routes: async () => (await import('./rest.ts')).scopeRoutes(deps),
  }
}
