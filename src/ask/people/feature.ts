import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import type { RemoveDeps } from './remove-person.ts'

type Deps = RemoveDeps & { config: Pick<Config, 'baseUrl'> }

/** The people of a workspace: invited, given a role, removed. */
export function people({ db, clock, personGone, config }: Deps): Feature {
  const { baseUrl } = config
  return {
    routes: async () => (await import('./rest.ts')).peopleRoutes({ db, clock, personGone }),
    settings: async () => (await import('./settings-rows.ts')).peopleRows({ db }),
    pages: async () =>
      (await import('./pages/pages.ts')).peoplePages({ db, clock, personGone, baseUrl }),
  }
}
