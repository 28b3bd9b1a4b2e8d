import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Limited } from '../accounts/charge-token.ts'
import type { Feature } from '../feature.ts'
import type { Policies } from '../policy/model/store.ts'

type Deps = { db: Db; clock: Clock; policies: Policies; limited: Limited }

/** The working sessions of agents: seen, paused, resumed. */
export function sessions({ db, clock, policies, limited }: Deps): Feature {
  const deps = { db, clock, policies, limited }
  return {
    routes: async () => (await import('./rest.ts')).sessionRoutes(deps),
    pages: async () => (await import('./pages/sessions.tsx')).sessionPages(deps),
  }
}
