import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import type { AskUserDeps } from '../questions/ask-user.ts'
import { keepNoticingHooks } from './silent-hooks.ts'

type Deps = Omit<AskUserDeps, 'baseUrl'> & { config: Config }

/** The boundaries that sessions propose, and the hooks that enforce them. */
export function scopes({ config, ...given }: Deps): Feature {
  const deps = { ...given, baseUrl: config.baseUrl }
  return {
    jobs: [(report) => keepNoticingHooks(deps, report)],
    routes: async () => (await import('./rest.ts')).scopeRoutes(deps),
  }
}
