import type { Feature } from '../feature.ts'
import { type LimitDeps, measureLimits } from './measure-limits.ts'

type Deps = LimitDeps & {
  config: { baseUrl: string }
  /** True if clients may sign in. */
  oauth: boolean
}

/** The tokens of agents and their limits. */
export function tokens(deps: Deps) {
  const { db, clock, oauth } = deps
  const { baseUrl } = deps.config
  const limited = measureLimits(deps)
  return {
    limited,
    routes: async () => (await import('./rest.ts')).tokenRoutes({ db, clock }),
    settings: async () => (await import('./settings-rows.ts')).tokenRows({ db }),
    pages: async () =>
      (await import('./pages/pages.ts')).tokenPages({ db, clock, limited, baseUrl, oauth }),
  } satisfies Feature & Record<string, unknown>
}
