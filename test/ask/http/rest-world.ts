import webPushKeys from 'web-push'
import { createAgents } from '../../../src/ask/accounts/model/agents.ts'
import type { WorkspaceId } from '../../../src/ask/accounts/model/ids.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../src/ask/accounts/model/table.ts'
import { CHANNELS } from '../../../src/ask/channels/channels.ts'
import { createWebPush } from '../../../src/ask/channels/web-push/channel.ts'
import { createSender } from '../../../src/ask/delivery/fan-out.ts'
import { healthRoutes } from '../../../src/ask/health/probes-rest.ts'
import { hideUnseen } from '../../../src/ask/hide-unseen.ts'
import { createEventHub, type EventHub } from '../../../src/ask/home/event-hub.ts'
import { findNotification } from '../../../src/ask/notifications/model/store.ts'
import { createPolicies } from '../../../src/ask/policy/model/store.ts'
import { noteDecision } from '../../../src/ask/receipts/sign-receipts.ts'
import { mountRest } from '../../../src/ask/rest/mount-rest.ts'
import { createAuthentication } from '../../../src/ask/sign-in/authentication.ts'
import type { Subscriber } from '../../../src/ask/subscribers/model/subscriber.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { createWaiters, type Waiters } from '../../../src/ask/waiting/waiters.ts'
import { type Clock, systemClock } from '../../../src/platform/clock.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { createLimits } from '../../../src/platform/http/limits.ts'
import type { Listener } from '../../../src/platform/http/listener.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { connect } from '../../support/devices.ts'
import { onEnded } from '../../support/on-ended.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { routesWith } from '../../support/rest-routes.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { startServer } from '../../support/start-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { openTestDatabase } from '../../support/test-database.ts'
import { describedBy } from './described.ts'

export type As = 'nobody' | 'wrong' | 'agent' | 'tester' | 'otherAgent' | 'member' | 'otherMember'

export type Ask = {
  as?: As
  method?: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export type RestWorld = AsyncDisposable & {
  url: string
  deps: {
    db: OpenDb
    clock: Clock
    waiters: Waiters
    events: EventHub
    quickAnswerSecret: string
  }
  db: OpenDb
  /** The push service behind every device. */
  push: PushServer
  /** The browser that is connected from the beginning. */
  browser: Subscriber
  /** Everything the server logged. */
  logged: string[]
  headersOf(as: As): Record<string, string>
  /** Calls, and checks the response against `/openapi.json`. */
  call(ask: Ask): Promise<{ status: number; headers: Headers; text: string; body: never }>
}

export const HOME = 'ws_home' as WorkspaceId
const BASE_URL = 'http://localhost:8484'
const QUICK_SECRET = 'a secret of the tests'
const OTHER = 'ws_other' as WorkspaceId

/** A whole REST server over a database of its own; one browser is connected to its push service. */
export async function restWorld(more: { idleSeconds?: number } = {}): Promise<RestWorld> {
  const folder = tempFolder()
  const database = await openTestDatabase(folder.path)
  const { db } = database
  const clock = systemClock
  const vapid = webPushKeys.generateVAPIDKeys()
  const closing = new AbortController()
  const logged: string[] = []
  const log = createLog({ format: 'json', level: 'info', write: (line) => logged.push(line) })
  const agents = createAgents({ db, clock })
  const rows = [HOME, OTHER].map((id) => ({ id, name: id, createdAt: clock.now() }))
  await db.write((tx) => tx.insert(workspaces).values(rows))
  const push = await pushServer()
  const outside = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const webPush = createWebPush({
    clock,
    vapid,
    quickAnswerSecret: QUICK_SECRET,
    sessionOf: async () => undefined,
    fetch: outside.fetch,
    vapidSubject: 'mailto:ann@example.com',
    baseUrl: BASE_URL,
  })
  const sender = createSender({ db, clock, log, channels: [webPush], holder: 'here' })
  const [browser] = await connect(db, { workspaceId: HOME, ...push.subscribe('browser') })
  const limits = createLimits({ db, clock })
  let server: Listener | undefined
  const authentication = createAuthentication({
    db,
    clock,
    log,
    agents,
    limits,
    baseUrl: BASE_URL,
    authSecret: 'a secret of thirty-two characters',
    addressOf: (request) => server?.peerOf(request) ?? '',
  })
  const policies = createPolicies({ db, clock })
  const deps = {
    db,
    clock,
    waiters: createWaiters(db.changes, clock),
    sender,
    onEnded: [...onEnded(sender), noteDecision],
    onDecided: noteDecision,
    policies,
    outside,
    vapidPublicKey: vapid.publicKey,
    quickAnswerSecret: QUICK_SECRET,
    channels: CHANNELS,
    findNotification,
    baseUrl: BASE_URL,
    health: async () => ({ at: clock.now(), checks: [] }),
    limits,
    authentication,
    events: createEventHub({ db, clock }),
    closing: closing.signal,
  }
  const signedIn = async (name: string, workspaceId: WorkspaceId) => {
    const email = `${name}@example.com`
    await db.write((tx) =>
      insertPerson(tx, { id: name, name, email, workspaceId, role: 'owner' }, clock.now()),
    )
    const { api } = await authentication.better()
    const { headers } = await api.signInAs({ body: { personId: name }, returnHeaders: true })
    return cookieOf(headers)
  }
  const keyOf = async (workspaceId: WorkspaceId, test = false) =>
    (await createToken({ db, clock }, { workspaceId, name: 'a', test })).token
  const headers: Record<As, Record<string, string>> = {
    nobody: {},
    wrong: { authorization: 'Bearer bk_00000000000000000000000000000000000000' },
    agent: { authorization: `Bearer ${await keyOf(HOME)}` },
    tester: { authorization: `Bearer ${await keyOf(HOME, true)}` },
    otherAgent: { authorization: `Bearer ${await keyOf(OTHER)}` },
    member: { cookie: await signedIn('ann', HOME), origin: BASE_URL },
    otherMember: { cookie: await signedIn('bob', OTHER), origin: BASE_URL },
  }
  const running = startServer({
    log,
    ...more,
    routes: [
      mountRest(routesWith(deps), {
        callers: { ...deps, hide: hideUnseen(deps) },
        baseUrl: BASE_URL,
      }),
      healthRoutes({
        ...{ db, clock, log, leaving: closing.signal },
        ...{ tlsProblem: () => undefined, freeBytes: () => undefined },
      }),
    ],
  })
  server = running
  const check = describedBy(await (await fetch(`${running.url}/openapi.json`)).json())

  return {
    url: running.url,
    deps,
    db,
    push,
    browser: browser as Subscriber,
    logged,
    headersOf: (as) => headers[as],
    async call({ as = 'nobody', method = 'GET', path, body, headers: more, signal }) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await fetch(running.url + path, {
        method,
        headers: { ...headers[as], ...json, ...more },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      })
      const text = await response.text()
      const parsed = text === '' ? undefined : JSON.parse(text)
      check(method, path, response, parsed)
      return { status: response.status, headers: response.headers, text, body: parsed as never }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      deps.waiters.close()
      await running.stop(1_000)
      await sender[Symbol.asyncDispose]()
      await push[Symbol.asyncDispose]()
      agents[Symbol.dispose]()
      await database[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
