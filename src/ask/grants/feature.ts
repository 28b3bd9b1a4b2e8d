import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'
import { keepEndingGrants } from './grants.ts'

/** A yes that holds for equal calls for a while. */
export function grants({ db, clock }: { db: Db; clock: Clock }): Feature {
  return {
    jobs: [(report) => keepEndingGrants({ db, clock }, report)],
    routes: async () => (await import('./rest.ts')).grantRoutes({ db, clock }),
  }
}
