import type { GuardedChange } from './ask/accounts/model/guarded-change.ts'
import { asking } from './ask/asking/feature.ts'
import { callbacks } from './ask/callbacks/feature.ts'
import { callBack } from './ask/callbacks/queue-callback.ts'
import { chatAccounts } from './ask/chat-accounts/feature.ts'
import { company, openCompany } from './ask/company/feature.ts'
import { announceVotes } from './ask/delivery/announce-votes.ts'
import type { ChannelModule } from './ask/delivery/channel-module.ts'
import { delivery } from './ask/delivery/feature.ts'
import { announceOutcome } from './ask/delivery/question-message.ts'
import { devices } from './ask/devices/feature.ts'
import { directory } from './ask/directory/feature.ts'
import { findByExternalId, isOfDirectory } from './ask/directory/model/store.ts'
import { failOver } from './ask/fail-over/feature.ts'
import type { Feature } from './ask/feature.ts'
import { gates } from './ask/gates/feature.ts'
import { noteYes } from './ask/gates/note-yes.ts'
import { grants } from './ask/grants/feature.ts'
import { groups } from './ask/groups/feature.ts'
import { health } from './ask/health/feature.ts'
import { hideUnseen } from './ask/hide-unseen.ts'
import { home } from './ask/home/feature.ts'
import { inbox } from './ask/inbox/feature.ts'
import { mcp } from './ask/mcp/feature.ts'
import { notifications } from './ask/notifications/feature.ts'
import { findLastOfGroup, findNotification } from './ask/notifications/model/store.ts'
import type { SendNotificationDeps } from './ask/notifications/send-notification.ts'
import { oauth } from './ask/oauth/feature.ts'
import { people } from './ask/people/feature.ts'
import { permits } from './ask/permits/feature.ts'
import { personGone } from './ask/person-gone.ts'
import { policy } from './ask/policy/feature.ts'
import { guardChange } from './ask/policy/guard.ts'
import { judgeWatched } from './ask/policy/watched.ts'
import { policyFile } from './ask/policy-file/feature.ts'
import { sessions } from './ask/presence/feature.ts'
import { scopes } from './ask/proposals/feature.ts'
import { settleScope } from './ask/proposals/settle-scope.ts'
import { protect } from './ask/protect/feature.ts'
import { settleChanges } from './ask/protect/settle-change.ts'
import { onlyFor } from './ask/questions/end-question.ts'
import { questions } from './ask/questions/feature.ts'
import { concernsScope } from './ask/questions/model/question.ts'
import { receipts } from './ask/receipts/feature.ts'
import { noteDecision, noteDecisions } from './ask/receipts/sign-receipts.ts'
import { reminders } from './ask/reminders/feature.ts'
import { rota } from './ask/rota/feature.ts'
import { signIn } from './ask/sign-in/feature.ts'
import { snooze } from './ask/snooze/feature.ts'
import { createOpenPages } from './ask/subscribers/model/open-page-store.ts'
import { tokens } from './ask/tokens/feature.ts'
import { audit } from './ask/trail/feature.ts'
import { turns } from './ask/turns/feature.ts'
import { sessionAccess } from './ask/turns/session-access.ts'
import type { TellPeople } from './ask/turns/turn-message.ts'
import { waiting } from './ask/waiting/feature.ts'
import { watches } from './ask/watches/feature.ts'
import type { ReadPublishedNews } from './ask/watches/model/watched-catalog.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { AgreedTime } from './platform/db/agreed-time.ts'
import type { OpenDb } from './platform/db/database.ts'
import type { Secrets } from './platform/db/secrets.ts'
import type { IsProxy } from './platform/http/caller-address.ts'
import type { Limits } from './platform/http/limits.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import type { GuardedFetch } from './platform/outgoing/guarded-fetch.ts'

/** The parts that the features are built from. */
export type Platform = {
  config: Config
  db: OpenDb
  secrets: Secrets
  clock: Clock
  /** For work that cannot be undone. */
  agreedTime: AgreedTime
  log: Log
  metrics: Metrics
  limits: Limits
  /** The guarded fetch for outgoing requests. */
  outside: GuardedFetch
  channels: readonly ChannelModule[]
  /** True if MCP clients may sign in. */
  oauth: boolean
  /** Names this process among those that share the database. */
  holder: string
  /** Aborted when the server begins to report that it is not ready, so that callers go elsewhere. */
  leaving: AbortController
  /** Aborted when the server begins to close. */
  closing: AbortController
  /** Tells commands on this machine where the server is reached. */
  announce(): void
  /** Why the server does not serve TLS yet although it is set up to. */
  tlsProblem(): string | undefined
  /** What is new in the catalog that this server shows. */
  publishedNews: ReadPublishedNews
  /** Returns true for the address of a proxy whose `X-Forwarded-For` is trusted. */
  isProxy: IsProxy
  /** The other end of the connection a request came over. */
  peerOf(request: Request): string | undefined
  addressOf(request: Request): string
  isLocal(request: Request): boolean
}

/** Delivery, with what it asks of features after its own. */
function deliveryFor(platform: Platform, decisions: () => ReturnType<typeof inbox>) {
  return delivery({
    ...platform,
    questions: {
      answer: (answer) => decisions().answer(answer),
      whoEnded: (question) => decisions().whoEnded(question),
    },
    sessions: sessionAccess({ ...platform, findNotification }),
    notifications: { findNotification, findLastOfGroup },
  })
}

/** The rows of the settings page, in the order of the features. */
async function settingsRows(features: readonly Feature[]) {
  return (await Promise.all(features.map(({ settings }) => settings?.() ?? []))).flat()
}

/** Tells people of the end of a turn; a tap opens the session. */
function tellingTurns(deps: SendNotificationDeps): TellPeople {
  return async (input, call) => {
    const { sendNotification } = await import('./ask/notifications/send-notification.ts')
    await sendNotification(deps, input, call, { opensUrl: true })
  }
}

/** The parts that several features share, and the features that make them. */
function partsOf(platform: Platform) {
  const { access, documents } = openCompany(platform)
  const signingIn = signIn({ ...platform, company: access })
  const agentTokens = tokens(platform)
  const rules = policy(platform)
  const sending = deliveryFor(platform, () => decisions)
  const { agents, authentication } = signingIn
  const { limited } = agentTokens
  const { policies } = rules
  const { sender } = sending
  const onEnded = [
    onlyFor(concernsScope, settleScope),
    noteYes,
    callBack,
    noteDecisions,
    announceOutcome(sender),
    settleChanges(platform.config),
    judgeWatched,
  ]
  const ending = questions({ ...platform, onEnded })
  const shared = {
    ...platform,
    closing: platform.closing.signal,
    waiters: waiting(platform),
    counts: ending.counts,
    agents,
    authentication,
    limited,
    policies,
    sender,
    onEnded,
    onVote: announceVotes(sender),
    openPages: createOpenPages(platform),
    onDecided: noteDecision,
    documents,
  }
  const decisions = inbox(shared)
  return { shared, signingIn, agentTokens, rules, sending, ending, decisions }
}

export type Features = ReturnType<typeof featuresOf>

/** The features of the question service, each with what it needs of those before it. */
export function featuresOf(platform: Platform, more: readonly Feature[]) {
  const { shared, signingIn, agentTokens, rules, sending, ending, decisions } = partsOf(platform)
  const { counts, onEnded, waiters, authentication } = shared
  const signIns = oauth(shared)
  const gone = () => personGone({ onEnded, counts, channels: platform.channels })
  const features: Feature[] = [
    signingIn,
    agentTokens,
    people({ ...platform, personGone: gone }),
    groups({ ...platform, guard: guardChange }),
    rota(platform),
    company({ ...shared, isOfDirectory, findByExternalId }),
    directory({ ...platform, personGone: gone }),
    audit(platform),
    devices(shared),
    chatAccounts(platform),
    sending,
    callbacks(platform),
    turns({
      ...shared,
      tell: tellingTurns(shared),
      showSession: async (visit, unsent) =>
        (await import('./ask/home/pages/live.tsx')).showLive(shared, visit, unsent),
    }),
    sessions(shared),
    rules,
    policyFile(shared),
    protect(shared),
    ending,
    asking(platform),
    decisions,
    snooze(platform),
    grants(platform),
    failOver(shared),
    reminders(shared),
    permits(platform),
    receipts(shared),
    notifications(shared),
    scopes(shared),
    gates(shared),
    watches(shared),
    home({ ...shared, settingsRows: () => settingsRows(features) }),
    health({ ...shared, leaving: platform.leaving.signal }),
    signIns,
    mcp({ ...shared, signInMcp: signIns.signInMcp }),
    ...more,
  ]
  const hide = hideUnseen(platform)
  const propose = async (change: GuardedChange) =>
    (await (await import('./ask/protect/propose.ts')).propose(platform, change)).id
  return { features, authentication, waiters, hide, propose, countOpen: decisions.countOpen }
}
