import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { listEnded } from '../questions/model/ended-store.ts'
import { createWaiters, type Waiters } from './waiters.ts'

type Deps = { db: Db; clock: Clock; metrics: Metrics }

/** Calls that wait for an answer, and their figure. */
export function waiting({ db, clock, metrics }: Deps): Waiters {
  const waiters = createWaiters(db.changes, clock, {
    collect: () => Bun.gc(true),
    endedAmong: (ids) => listEnded(db.read, ids),
  })
  metrics.figure({
    name: 'beckon_waits',
    kind: 'gauge',
    help: 'Calls that wait for a person now.',
    read: () => waiters.count(),
  })
  return waiters
}
