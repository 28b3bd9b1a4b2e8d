import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'
import type { Callers } from '../rest/route.ts'
import { keepSigning } from './sign-receipts.ts'

type Deps = {
  db: Db
  clock: Clock
  config: { baseUrl: string }
} & Pick<Callers, 'authentication' | 'limits'>

/** Receipts: a decision, signed, so that others can check it without this server. */
export function receipts({ config: { baseUrl }, ...deps }: Deps): Feature {
  return {
    jobs: [(report) => keepSigning({ ...deps, baseUrl }, report)],
    routes: async () => (await import('./rest.ts')).receiptRoutes({ ...deps, baseUrl }),
  }
}
