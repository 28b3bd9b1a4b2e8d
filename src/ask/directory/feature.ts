import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { PersonGone } from '../accounts/model/person-gone.ts'
import type { Feature } from '../feature.ts'
import { countWords } from '../settings-row.ts'
import { listDirectories } from './model/store.ts'
import { directoryPaths } from './paths.ts'

type Deps = {
  config: Config
  db: OpenDb
  clock: Clock
  limits: Limits
  personGone: () => readonly PersonGone[]
  addressOf(request: Request): string
}

/** A directory of a company makes people here, puts them into groups, and switches them off. */
export function directory({ config, ...deps }: Deps): Feature {
  const { baseUrl } = config
  return {
    others: async () => [
      {
        routes: (await import('./scim.ts')).scimRoutes({ ...deps, baseUrl }),
        service: 'directory',
      },
    ],
    pages: async () =>
      (await import('./pages/directories.tsx')).directoryPages({ ...deps, baseUrl }),
    settings: async () => [
      {
        group: 'people',
        to: directoryPaths.page,
        icon: 'sessions',
        name: 'Directory',
        needs: 'companySignIn',
        async state({ person }) {
          const { length } = await listDirectories(deps.db.read, person.workspaceId)
          return { words: length === 0 ? 'None connected' : countWords(length, 'directory', '') }
        },
      },
    ],
  }
}
