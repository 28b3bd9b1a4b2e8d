import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'

type Deps = { db: Db; clock: Clock; config: Pick<Config, 'baseUrl'> }

/** Policy, groups and rules as a file. */
export function policyFile({ db, clock, config }: Deps): Feature {
  const deps = { db, clock, baseUrl: config.baseUrl }
  return {
    others: async () => [{ routes: (await import('./schema-route.ts')).schemaRoute() }],
    pages: async () => (await import('./pages/file.tsx')).filePages(deps),
  }
}
