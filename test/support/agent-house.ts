import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertPerson, putPassword } from '../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { newId } from '../../src/platform/ids.ts'
import { PASSWORD } from './auth-server.ts'
import { connect } from './devices.ts'
import { freePort } from './free-port.ts'
import { type PushServer, pushServer } from './push-server.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { passwordHash, signInAt } from './sign-in.ts'
import { tempFolder } from './temp-folder.ts'
import { until } from './until.ts'

type Json = Record<string, unknown>
export type Open = Json & { correlationId: string; question: string }

/** A server that can be killed and started again, its only person, and her phone. */
export type AgentHouse = AsyncDisposable & {
  url: string
  token: string
  /** Where its data is. */
  data: string
  /** The push service of her phone. */
  push: PushServer
  /** Starts it, on the same port each time. */
  start(): Promise<ServerProcess>
  /** What happens where the person is. */
  inbox(): Promise<Open[]>
  /** The first question that fits, as soon as it is there. */
  opened(fits?: (question: Open) => boolean): Promise<Open>
  answer(id: string, body: Json): Promise<number>
  /** Changes the policy, as its owner does. */
  setPolicy(changes: Json): Promise<number>
  /** Posts to an address of the API as the person, or reads it without a body. */
  person(path: string, body?: Json): Promise<{ status: number; json: Json }>
  /** Reads a page as the person. */
  page(path: string): Promise<string>
  /** Posts a form of a page as the person. */
  form(path: string, fields: Record<string, string>): Promise<number>
  /** A question as its agent reads it. */
  read(id: string): Promise<Json>
}

/** How she signs in, with `PASSWORD`. */
export const EMAIL = 'ada@example.com'

export async function agentHouse(): Promise<AgentHouse> {
  const folder = tempFolder()
  const data = folder.path
  const push = await pushServer()
  const port = freePort()
  const url = `http://localhost:${port}`
  writeFileSync(join(data, 'beckon.toml'), 'allow_private_hosts = "127.0.0.1"')
  const token = await furnish(data, push.subscribe('phone'))
  let cookie: string | undefined

  async function call(
    path: string,
    body?: Json,
    method = 'POST',
  ): Promise<{ status: number; json: Json }> {
    cookie ??= await signInAt(url, { email: EMAIL, password: PASSWORD })
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { origin: url, cookie, 'content-type': 'application/json' },
      ...(body ? { method, body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, json: (await response.json()) as Json }
  }
  const inbox = async () => (await call('/inbox')).json.questions as Open[]

  return {
    ...{ url, token, data, push, inbox },
    start: () => serverProcess(data, port),
    async opened(fits = () => true) {
      let question: Open | undefined
      await until(async () => {
        question = (await inbox()).find(fits)
        return question !== undefined
      })
      return question as Open
    },
    async read(id) {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/api/v1/questions/${id}?timeoutMs=1000`, { headers })
      return (await response.json()) as Json
    },
    person: (path, body) => call(path, body),
    async page(path) {
      cookie ??= await signInAt(url, { email: EMAIL, password: PASSWORD })
      return await (await fetch(url + path, { headers: { cookie } })).text()
    },
    async form(path, fields) {
      cookie ??= await signInAt(url, { email: EMAIL, password: PASSWORD })
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { origin: url, cookie },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
      return response.status
    },
    setPolicy: async (changes) => (await call('/policy', changes, 'PATCH')).status,
    answer: async (id, body) => (await call(`/questions/${id}/answer`, body)).status,
    async [Symbol.asyncDispose]() {
      await push[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** Ada, her phone, and a token for her agent. */
async function furnish(data: string, phone: { endpoint: string; keys: object }): Promise<string> {
  await using db = openDataFolder(data)
  const now = clock.now()
  const hash = await passwordHash()
  const workspaceId = await db.write(async (tx) => {
    const home = await homeWorkspace(tx, newId('ws', now), now)
    const ada = { id: 'ada', name: 'Ada', email: EMAIL, role: 'owner', workspaceId: home } as const
    await insertPerson(tx, ada, now)
    await putPassword(tx, { id: 'ada', personId: 'ada', hash }, now)
    return home
  })
  const device = { ...phone, keys: phone.keys as { p256dh: string; auth: string } }
  await connect(db, { workspaceId, kind: 'phone', label: 'Phone', ...device })
  return (await createToken({ db, clock }, { workspaceId, name: 'agent' })).token
}
