import { join } from 'node:path'
import type { App } from '../../src/app.ts'
import type { WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import type { Notification } from '../../src/ask/notifications/model/notification.ts'
import { insertNotification } from '../../src/ask/notifications/model/store.ts'
import { settleScope } from '../../src/ask/proposals/settle-scope.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { insertQuestion } from '../../src/ask/questions/model/store.ts'
import type { AgentSessionId } from '../../src/ask/sessions/model/session.ts'
import { type Sighting, sightSession } from '../../src/ask/sessions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { WINDOW_MS } from '../../src/ask/wire/limits.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { OpenDb } from '../../src/platform/db/database.ts'
import { DATABASE_FILE } from '../../src/platform/db/find-database.ts'
import { newId } from '../../src/platform/ids.ts'
import { aNotification, aQuestion } from './question.ts'
import { addPersonWithPassword, signInAs } from './sign-in.ts'
import { startedApp } from './started-app.ts'

const EMAIL = 'mara@example.org'

const SIGHTING = {
  tokenId: 'key_1' as const,
  machineId: 'm1',
  sessionId: 's1',
  agentName: 'Claude Code - shop-api',
  client: undefined,
  repoKey: undefined,
  lastAction: 'npm test',
  errored: false,
}

export type PageWorld = AsyncDisposable & {
  app: App
  url: string
  /** Where the database is. */
  file: string
  db: OpenDb
  dataFolder: string
  workspaceId: WorkspaceId
  /** The session of Mara, the owner, as a Cookie header; empty when there is nobody yet. */
  cookie: string
  /** What the first-run link carries; undefined when there is an owner. */
  setUpKey: string | undefined
  /** Opens a question, `ageMs` ago. */
  ask(changes?: Partial<Question>, ageMs?: number): Promise<QuestionId>
  tell(changes?: Partial<Notification>, ageMs?: number): Promise<Notification>
  /** A session does something, `ageMs` ago; without more it is `s1` on `m1`. */
  work(changes?: Partial<Sighting>, ageMs?: number): Promise<AgentSessionId>
  /** The session of another browser of Mara, as a Cookie header. */
  otherBrowser(): Promise<string>
  get(path: string, cookie?: string): Promise<Response>
  /** As a form of our own page, without following where it leads. */
  post(
    path: string,
    fields: Record<string, string> | string[][],
    headers?: Record<string, string>,
  ): Promise<Response>
}

type Options = Parameters<typeof startedApp>[0] & { owner?: boolean; undo?: boolean }

/** The whole server with Mara, its owner, signed in; or as it is before there is anybody. */
export async function pageWorld({
  owner = true,
  undo = false,
  ...how
}: Options = {}): Promise<PageWorld> {
  const started = await startedApp(how)
  const { app } = started
  const { db, url } = app
  const { clock = systemClock } = how

  function send(path: string, fields: Record<string, string> | string[][], headers = {}) {
    return fetch(url + path, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields as Record<string, string>).toString(),
      redirect: 'manual',
    })
  }

  async function mara() {
    const who = { email: EMAIL, name: 'Mara Lindqvist', undo }
    const { id, workspaceId } = await addPersonWithPassword({ db, clock }, who)
    return { personId: id, workspaceId, cookie: await signInAs(app, id) }
  }

  const nobody = { personId: '', workspaceId: 'ws_none' as const, cookie: '' }
  const { personId, workspaceId, cookie } = owner ? await mara() : nobody

  return {
    app,
    url,
    file: join(started.dataFolder, DATABASE_FILE),
    db,
    dataFolder: started.dataFolder,
    workspaceId,
    cookie,
    setUpKey: app.setUpLink && (new URL(app.setUpLink).searchParams.get('key') ?? undefined),
    async ask(changes = {}, ageMs = 0) {
      const createdAt = clock.now() - ageMs
      const id = newId('q', createdAt)
      const times = { createdAt, expiresAt: createdAt + WINDOW_MS, waitEndsAt: createdAt + 45_000 }
      const question = aQuestion('', { workspaceId, ...times, ...changes, id })
      await db.write(async (tx) => {
        await insertQuestion(tx, question)
        await settleScope(tx, { question })
        tx.emit('question', id)
      })
      return id
    },
    async tell(changes = {}, ageMs = 0) {
      const createdAt = clock.now() - ageMs
      const id = newId('n', createdAt)
      const notification = aNotification('', { workspaceId, createdAt, ...changes, id })
      await db.write(async (tx) => {
        await insertNotification(tx, notification)
        tx.emit('notification', id)
      })
      return notification
    },
    async work(changes = {}, ageMs = 0) {
      const at = clock.now() - ageMs
      const sighting = { ...SIGHTING, workspaceId, id: newId('ses', at), at, ...changes }
      return db.write(async (tx) => {
        const id = await sightSession(tx, sighting)
        if (id === undefined) throw new Error('the session was not written down')
        tx.emit('session', id)
        return id
      })
    },
    otherBrowser: () => signInAs(app, personId),
    get: (path, as = cookie) => fetch(url + path, { headers: { cookie: as }, redirect: 'manual' }),
    post: (path, fields, headers = {}) => send(path, fields, { cookie, ...headers }),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}
