import { join } from 'node:path'
import { createAgents } from '../../src/accounts/agents.ts'
import type { Person } from '../../src/accounts/person.ts'
import { isOwnOrigin } from '../../src/config/origins.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import type { Post } from '../../src/delivery/post.ts'
import type { DeliveryRow } from '../../src/delivery/store.ts'
import { createToken } from '../../src/flows/agent-tokens.ts'
import { createEventHub } from '../../src/http/event-hub.ts'
import { healthRoutes } from '../../src/http/health.ts'
import { createLimits } from '../../src/http/limits.ts'
import type { RestDeps } from '../../src/http/rest-deps.ts'
import { restRoutes } from '../../src/http/rest-routes.ts'
import { startServer } from '../../src/http/server.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { newId, type WorkspaceId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createWaiting } from '../../src/questions/waiting.ts'
import { tempFolder } from '../support/temp-folder.ts'
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
  deps: RestDeps
  /** Everything the server logged. */
  logged: string[]
  headersOf(as: As): Record<string, string>
  /** Calls, and checks the response against `/openapi.json`. */
  call(ask: Ask): Promise<{ status: number; headers: Headers; text: string; body: never }>
}

const HOME = 'ws_home' as WorkspaceId
const OTHER = 'ws_other' as WorkspaceId

/** A whole REST server over a database of its own; one browser is reached by every push. */
export async function restWorld(): Promise<RestWorld> {
  const folder = tempFolder()
  const db = openSqlite(join(folder.path, 'beckon.db'))
  const clock = systemClock
  const closing = new AbortController()
  const logged: string[] = []
  const log = createLog({ format: 'json', level: 'info', write: (line) => logged.push(line) })
  const agents = createAgents({ db, clock })
  const people: Record<string, Person> = {
    ann: { id: 'ann', name: 'Ann', email: 'ann@x.org', workspaceId: HOME, role: 'owner' },
    bob: { id: 'bob', name: 'Bob', email: 'bob@x.org', workspaceId: OTHER, role: 'owner' },
  }
  const deps: RestDeps = {
    db,
    clock,
    waiting: createWaiting(db.bell, clock),
    post: oneBrowser,
    baseUrl: 'http://localhost:8484',
    announce() {},
    limits: createLimits(clock),
    events: createEventHub({ db, clock }),
    trustProxy: false,
    closing: closing.signal,
    async agentFrom(request) {
      const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
      const agent = await agents.find(token)
      if (typeof agent === 'string') throw new Failure('unauthenticated', 'Send a valid token.')
      return { ...agent, client: undefined, testConnection: false, arrivedAt: clock.now() }
    },
    personFrom: async (request) => people[request.headers.get('cookie') ?? ''],
    sameOrigin(request) {
      const origin = request.headers.get('origin')
      return origin === null || isOwnOrigin(origin, deps.baseUrl, request.headers.get('host'))
    },
    async quickAnswerer({ key }) {
      if (key !== 'right-key') throw new Failure('forbidden', 'This button no longer works.')
      return HOME
    },
  }
  const keyOf = async (workspaceId: WorkspaceId, test = false) =>
    (await createToken({ db, clock }, { workspaceId, name: 'a', test })).token
  const headers: Record<As, Record<string, string>> = {
    nobody: {},
    wrong: { authorization: 'Bearer bk_00000000000000000000000000000000000000' },
    agent: { authorization: `Bearer ${await keyOf(HOME)}` },
    tester: { authorization: `Bearer ${await keyOf(HOME, true)}` },
    otherAgent: { authorization: `Bearer ${await keyOf(OTHER)}` },
    member: { cookie: 'ann', origin: 'http://localhost:8484' },
    otherMember: { cookie: 'bob', origin: 'http://localhost:8484' },
  }
  const server = startServer({
    host: '127.0.0.1',
    port: 0,
    https: false,
    log,
    routes: [restRoutes(deps), healthRoutes({ db, closing: closing.signal })],
  })
  const check = describedBy(await (await fetch(`${server.url}/openapi.json`)).json())

  return {
    url: server.url,
    deps,
    logged,
    headersOf: (as) => headers[as],
    async call({ as = 'nobody', method = 'GET', path, body, headers: more, signal }) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await fetch(server.url + path, {
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
      deps.waiting.close()
      await server.stop(1_000)
      agents[Symbol.dispose]()
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const oneBrowser: Post = {
  address: async () => [{ id: newId('dl', 0) } as unknown as DeliveryRow],
  store: async () => {},
  send(rows) {
    const web = rows.length
    const reach = { web, mobile: 0, addressedWeb: web, addressedMobile: 0, pending: false }
    return { reach: () => reach, firstOutcomes: async () => reach }
  },
}
