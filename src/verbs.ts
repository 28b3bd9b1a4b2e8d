import { measureLimits } from './ask/accounts/measure-limits.ts'
import { keepDeliveringCallbacks } from './ask/callbacks/deliver-callbacks.ts'
import type { ChannelContext, ChannelModule } from './ask/delivery/channels/module.ts'
import { createSender } from './ask/delivery/fan-out.ts'
import { keepRetrying } from './ask/delivery/retry-deliveries.ts'
import { measureFlows } from './ask/health/measure-flows.ts'
import { keepPurging } from './ask/health/purge-old.ts'
import { agentTools } from './ask/mcp/agent-tools.ts'
import { createPolicies } from './ask/policy/model/policies.ts'
import { whoEnded } from './ask/questions/about-question.ts'
import { answerQuestion } from './ask/questions/answer-question.ts'
import { keepExpiring } from './ask/questions/expire-questions.ts'
import { createWaiters } from './ask/questions/waiters.ts'
import { keepNoticingHooks } from './ask/scopes/silent-hooks.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { Secrets } from './platform/db/secrets.ts'
import type { SqliteDb } from './platform/db/sqlite.ts'
import { randomText } from './platform/ids.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import { createGuardedFetch } from './platform/outgoing/guarded-fetch.ts'

/** What everything stands on. */
export type AppContext = {
  config: Config
  db: SqliteDb
  secrets: Secrets
  clock: Clock
  log: Log
  metrics: Metrics
}

/** The verbs with what they need in hand. */
export type Flows = ReturnType<typeof createFlows>

/** Binds the flows; what they own is closed with `opened`. */
export function createFlows(
  app: AppContext,
  modules: readonly ChannelModule[],
  opened: AsyncDisposableStack,
) {
  const { config, db, secrets, clock, log, metrics } = app
  const { baseUrl, allowPrivateHosts, retentionDays } = config
  const outside = createGuardedFetch({ allowPrivateHosts })
  const { fetch } = outside
  const context: ChannelContext = {
    config,
    db,
    clock,
    log,
    secrets,
    outside,
    questions: {
      answer: (answer) => answerQuestion(deps, answer),
      whoEnded: (question) => whoEnded({ db }, question),
    },
  }
  const holder = randomText(16)
  const { counts, measured, attempted } = measureFlows({ metrics, db, clock })
  const channels = modules.map((module) => measured(module.create(context)))
  const sender = opened.use(createSender({ db, clock, log, holder, channels }))
  const waiters = createWaiters(db.changes, clock, () => Bun.gc(true))
  metrics.figure({
    name: 'beckon_waits',
    kind: 'gauge',
    help: 'Calls that wait for a person now.',
    read: () => waiters.count(),
  })
  const report = (error: unknown) => log.error('work in the background failed', { error })
  const policies = opened.use(createPolicies({ db, clock }))
  const limited = measureLimits(app)
  const deps = {
    db,
    clock,
    waiters,
    sender,
    policies,
    outside,
    baseUrl,
    counts,
    limited,
    channels: modules,
  }
  return {
    deps,
    channelRoutes: modules.flatMap(({ name, routes }) =>
      routes ? [{ name, routes: routes(context) }] : [],
    ),
    channelPages: async () =>
      (await Promise.all(modules.map(({ settings }) => settings?.pages(context) ?? []))).flat(),
    tools: () => agentTools(deps),
    /** What goes on by itself, until everything is closed. */
    begin() {
      for (const module of modules) module.begin?.(context).catch(report)
      opened.use(keepExpiring(deps, report))
      opened.use(keepNoticingHooks(deps, report))
      opened.use(keepRetrying({ db, clock, sender }, report))
      opened.use(keepPurging({ db, clock, holder, retentionDays }, report))
      const calling = { db, clock, log, fetch, holder, random: Math.random, attempted }
      opened.use(keepDeliveringCallbacks(calling, report))
    },
  }
}
