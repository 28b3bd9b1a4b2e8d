import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'
import { createPolicies } from './model/store.ts'

/** How a workspace wants to be asked. */
export function policy({ db, clock }: { db: Db; clock: Clock }) {
  const policies = createPolicies({ db, clock })
  const deps = { db, clock, policies }
  return {
    policies,
    owns: [policies],
    routes: async () => (await import('./rest.ts')).policyRoutes(deps),
    settings: async () => (await import('./settings-rows.ts')).policyRows(deps),
    pages: async () => (await import('./pages/pages.ts')).policyPages(deps),
  } satisfies Feature & Record<string, unknown>
}
