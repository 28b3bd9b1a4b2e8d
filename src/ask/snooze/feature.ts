import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'
import { keepEndingSnoozes } from './snooze-question.ts'

/** Questions put off by one person. */
export function snooze({ db, clock }: { db: Db; clock: Clock }): Feature {
  return {
    jobs: [(report) => keepEndingSnoozes({ db, clock }, report)],
    routes: async () => (await import('./rest.ts')).snoozeRoutes({ db, clock }),
  }
}
