import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'
import { keepSealing } from './seal-audit.ts'

/** What happened, for people: the activity, and the trail of everything. */
export function audit({ db, clock, holder }: { db: Db; clock: Clock; holder: string }): Feature {
  return {
    jobs: [(report) => keepSealing({ db, clock, holder }, report)],
    routes: async () => (await import('./rest.ts')).auditRoutes({ db, clock }),
    pages: async () => (await import('./pages/activity.tsx')).activityPages({ db, clock }),
  }
}
