import { createAgents } from '../../src/accounts/agents.ts'
import { openDataFolder } from '../../src/db/data-folder.ts'
import { loadSecrets } from '../../src/db/settings-store.ts'
import type { SqliteDb } from '../../src/db/sqlite.ts'
import { createPost } from '../../src/delivery/fan-out.ts'
import { addPerson } from '../../src/flows/people.ts'
import { openSetUp } from '../../src/flows/set-up.ts'
import { createAuthentication } from '../../src/http/auth.ts'
import { authRoutes } from '../../src/http/auth-routes.ts'
import { createEventHub } from '../../src/http/event-hub.ts'
import { createLimits } from '../../src/http/limits.ts'
import type { RestDeps } from '../../src/http/rest-deps.ts'
import { restRoutes } from '../../src/http/rest-routes.ts'
import { startServer } from '../../src/http/server.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createGuardedFetch } from '../../src/kernel/guarded-fetch.ts'
import type { QuestionId, WorkspaceId } from '../../src/kernel/ids.ts'
import { newId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { Notification } from '../../src/notifications/notification.ts'
import { insertNotification } from '../../src/notifications/store.ts'
import { errorPage, pageRoutes } from '../../src/pages/pages.tsx'
import { type Question, WINDOW_MS } from '../../src/questions/question.ts'
import { insertQuestion } from '../../src/questions/store.ts'
import { createWaiting } from '../../src/questions/waiting.ts'
import { cookieOf, PASSWORD } from './auth-server.ts'
import { aNotification, aQuestion } from './question.ts'
import { tempFolder } from './temp-folder.ts'

export { PASSWORD }
export const EMAIL = 'mara@example.org'

export type PageWorld = AsyncDisposable & {
  url: string
  db: SqliteDb
  workspaceId: WorkspaceId
  /** The session of Mara, the owner, as a Cookie header. */
  cookie: string
  /** Opens a question, `ageMs` ago. */
  ask(changes?: Partial<Question>, ageMs?: number): Promise<QuestionId>
  tell(changes?: Partial<Notification>, ageMs?: number): Promise<Notification>
  get(path: string, cookie?: string): Promise<Response>
  /** As a form of our own page, without following where it leads. */
  post(
    path: string,
    fields: Record<string, string> | string[][],
    more?: Record<string, string>,
  ): Promise<Response>
}

/** The pages with real accounts, sign-in and live events, over real HTTP. */
export async function pageWorld({
  owner = true,
} = {}): Promise<PageWorld & { setUpKey: string | undefined }> {
  const folder = tempFolder()
  const db = openDataFolder(folder.path)
  const clock = systemClock
  const baseUrl = 'http://localhost:8484'
  const { authSecret, quickAnswerSecret } = await loadSecrets(db, clock)
  const agents = createAgents({ db, clock })
  const limits = createLimits(clock)
  const addressOf = () => '10.0.0.1'
  const log = silentLog
  const authentication = createAuthentication({
    db,
    clock,
    log,
    agents,
    limits,
    baseUrl,
    authSecret,
    addressOf,
  })
  const closing = new AbortController()
  const waiting = createWaiting(db.bell, clock)
  const post = createPost({ db, clock, channels: [], log, holder: 'here' })
  const deps = {
    db,
    clock,
    waiting,
    post,
    baseUrl,
    announce() {},
    limits,
    events: createEventHub({ db, clock }),
    closing: closing.signal,
    outside: createGuardedFetch(),
    quickAnswerSecret,
    authentication,
    vapidPublicKey: 'BPk',
  } satisfies RestDeps & Parameters<typeof pageRoutes>[0]
  const server = startServer({
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'http://localhost:8484',
    log,
    routes: [authRoutes({ authentication, limits, addressOf }), restRoutes(deps), pageRoutes(deps)],
    errorPage: errorPage(deps),
  })
  const url = `http://127.0.0.1:${server.port}`
  const setUpKey = owner ? undefined : await openSetUp({ db, clock })
  const { workspaceId, cookie } = owner
    ? await signedIn()
    : { workspaceId: 'ws_none' as const, cookie: '' }

  async function signedIn() {
    const { person } = await addPerson(
      { db, clock },
      { email: EMAIL, name: 'Mara Lindqvist', password: PASSWORD },
    )
    const headers = await authentication.signIn(new Request(url), {
      email: EMAIL,
      password: PASSWORD,
    })
    return { workspaceId: person.workspaceId, cookie: cookieOf(headers) }
  }

  return {
    url,
    db,
    workspaceId,
    cookie,
    setUpKey,
    async ask(changes = {}, ageMs = 0) {
      const createdAt = Date.now() - ageMs
      const id = newId('q', createdAt)
      const times = { createdAt, expiresAt: createdAt + WINDOW_MS, waitEndsAt: createdAt + 45_000 }
      const question = aQuestion('', { workspaceId, ...times, ...changes, id })
      await db.write(async (tx) => {
        await insertQuestion(tx, question)
        tx.ring('question', id)
      })
      return id
    },
    async tell(changes = {}, ageMs = 0) {
      const createdAt = Date.now() - ageMs
      const told = aNotification('', {
        workspaceId,
        createdAt,
        ...changes,
        id: newId('n', createdAt),
      })
      await db.write((tx) => insertNotification(tx, told))
      return told
    },
    get: (path, as = cookie) => fetch(url + path, { headers: { cookie: as }, redirect: 'manual' }),
    post: (path, fields, more = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: {
          cookie,
          origin: url,
          'content-type': 'application/x-www-form-urlencoded',
          ...more,
        },
        body: new URLSearchParams(fields as Record<string, string>).toString(),
        redirect: 'manual',
      }),
    async [Symbol.asyncDispose]() {
      closing.abort()
      waiting.close()
      await server.stop(500)
      agents[Symbol.dispose]()
      await post[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
