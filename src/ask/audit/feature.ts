import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'

/** What happened, for people: the activity, and the trail of everything. */
export function audit({ db, clock }: { db: Db; clock: Clock }): Feature {
  return {
    routes: async () => (await import('./rest.ts')).auditRoutes({ db, clock }),
    pages: async () => (await import('./pages/activity.tsx')).activityPages({ db, clock }),
  }
}
