import type { OutboxDeps } from '../../platform/db/outbox.ts'
import { type Metrics, SERVICE_SECONDS } from '../../platform/metrics.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Feature } from '../feature.ts'
import { keepDeliveringCallbacks } from './deliver-callbacks.ts'

type Deps = OutboxDeps & { metrics: Metrics; outside: GuardedFetch }

/** Answers that are posted to the addresses which agents gave. */
export function callbacks({ db, clock, log, metrics, holder, outside }: Deps): Feature {
  const { fetch } = outside
  const posts = metrics.histogram({
    name: 'beckon_callback_attempt_seconds',
    help: 'Attempts to post a callback, by the state it was left in, with their duration.',
    labels: ['state'],
    bounds: SERVICE_SECONDS,
  })
  const attempted = (state: string, ms: number) => posts(ms / 1_000, state)
  const deps = { db, clock, log, fetch, holder, random: Math.random, attempted }
  return {
    jobs: [(report) => keepDeliveringCallbacks(deps, report)],
    routes: async () => (await import('./rest.ts')).callbackRoutes({ db, clock }),
    settings: async () => (await import('./settings-rows.ts')).callbackRows({ db }),
    pages: async () => (await import('./pages/callbacks.tsx')).callbackPages({ db, clock }),
  }
}
