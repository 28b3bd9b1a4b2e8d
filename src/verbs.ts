import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import type { SqliteDb } from './db/sqlite.ts'
import { createPost } from './delivery/fan-out.ts'
import { createNtfy } from './delivery/ntfy/channel.ts'
import { createSlack } from './delivery/slack/api.ts'
import { createSlackChannel } from './delivery/slack/channel.ts'
import { createWebPush } from './delivery/web-push/channel.ts'
import { aboutQuestion } from './flows/about-question.ts'
import { askUser } from './flows/ask-user.ts'
import { cancelQuestion } from './flows/cancel-question.ts'
import { checkPushContact } from './flows/check-push-contact.ts'
import { keepDeliveringCallbacks } from './flows/deliver-callbacks.ts'
import { keepExpiring } from './flows/expire-questions.ts'
import { measureFlows } from './flows/measure-flows.ts'
import { measureLimits } from './flows/measure-limits.ts'
import { proposeScope } from './flows/propose-scope.ts'
import { keepPurging } from './flows/purge-old.ts'
import { keepRetrying } from './flows/retry-deliveries.ts'
import { sendNotification } from './flows/send-notification.ts'
import { keepNoticingHooks } from './flows/silent-hooks.ts'
import { waitForAnswer } from './flows/wait-for-answer.ts'
import type { Clock } from './kernel/clock.ts'
import { createGuardedFetch } from './kernel/guarded-fetch.ts'
import { randomText } from './kernel/ids.ts'
import type { Log } from './kernel/log.ts'
import type { Metrics } from './kernel/metrics.ts'
import type { McpFlows } from './mcp/flows.ts'
import { createPolicies } from './policy/policies.ts'
import { createWaiting } from './questions/waiting.ts'

/** What everything stands on. */
export type Ground = {
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
export function createFlows(ground: Ground, opened: AsyncDisposableStack) {
  const { config, db, secrets, clock, log, metrics } = ground
  const { baseUrl, vapidSubject, allowPrivateHosts, retentionDays } = config
  const { vapid, quickAnswerSecret } = secrets
  const outside = createGuardedFetch({ allowPrivateHosts })
  const { fetch } = outside
  const webPush = createWebPush({ fetch, clock, vapid, vapidSubject, baseUrl, quickAnswerSecret })
  const ntfy = createNtfy({ fetch, clock, baseUrl, quickAnswerSecret })
  const slack = createSlack({ read: db.read, config: config.slack, fetch })
  const chat = createSlackChannel({
    ...{ slack, read: db.read, clock, baseUrl },
    about: (workspaceId, subject) => aboutQuestion({ db }, workspaceId, subject),
  })
  const holder = randomText(16)
  const { counts, measured, attempted } = measureFlows({ metrics, db, clock })
  const channels = [webPush, ntfy, chat].map(measured)
  const post = opened.use(createPost({ db, clock, log, holder, channels }))
  const waiting = createWaiting(db.bell, clock, () => Bun.gc(true))
  metrics.figure({
    ...{ name: 'beckon_waits', kind: 'gauge' },
    help: 'Calls that wait for a person now.',
    read: () => waiting.occupied(),
  })
  const report = (error: unknown) => log.error('work in the background failed', { error })
  const policies = opened.use(createPolicies({ db, clock }))
  const limited = measureLimits(ground)
  const deps = { db, clock, waiting, post, policies, outside, baseUrl, slack, counts, limited }
  const tools: McpFlows = {
    askUser: (input, call) => askUser(deps, input, call),
    waitForAnswer: (input, call) => waitForAnswer(deps, input, call),
    cancelQuestion: (input, call) => cancelQuestion(deps, input, call),
    sendNotification: (input, call) => sendNotification(deps, input, call),
    proposeScope: (input, call) => proposeScope(deps, input, call),
  }
  return {
    deps,
    tools,
    /** What goes on by itself, until everything is closed. */
    begin() {
      checkPushContact({ db, clock, log, vapidSubject, baseUrl }).catch(report)
      opened.use(keepExpiring(deps, report))
      opened.use(keepNoticingHooks(deps, report))
      opened.use(keepRetrying({ db, clock, post }, report))
      opened.use(keepPurging({ db, clock, holder, retentionDays }, report))
      const calling = { db, clock, log, fetch, holder, random: Math.random, attempted }
      opened.use(keepDeliveringCallbacks(calling, report))
    },
  }
}
