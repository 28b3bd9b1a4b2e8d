import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Feature } from '../feature.ts'
import { keepPosting } from './post-trail.ts'
import { keepSealing } from './seal-audit.ts'

type Deps = {
  config: Pick<Config, 'audit'>
  db: Db
  clock: Clock
  holder: string
  outside: Pick<GuardedFetch, 'fetch'>
}

/** The activity for people, and the trail of everything. */
export function audit({ config, db, clock, holder, outside }: Deps): Feature {
  const { url } = config.audit
  const { fetch } = outside
  return {
    jobs: [
      (report) => keepSealing({ db, clock, holder }, report),
      ...(url === undefined
        ? []
        : [(report: Report) => keepPosting({ db, clock, holder, fetch, url }, report)]),
    ],
    routes: async () => (await import('./rest.ts')).auditRoutes({ db, clock }),
    pages: async () => [
      ...(await import('./pages/activity.tsx')).activityPages({ db, clock }),
      ...(await import('./pages/trail.tsx')).trailPages({ db, clock }),
    ],
  }
}

type Report = (error: unknown) => void
