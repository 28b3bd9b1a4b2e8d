import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'

/** Permits: a yes that is bound to one action and used once. */
export function permits({ db, clock }: { db: Db; clock: Clock }): Feature {
  return { routes: async () => (await import('./rest.ts')).permitRoutes({ db, clock }) }
}
