import { join } from 'node:path'
import type { Person } from '../../src/ask/accounts/model/person.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import type { OpenDb } from '../../src/platform/db/database.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { PASSWORD } from '../support/auth-server.ts'
import { freePort } from '../support/free-port.ts'
import { startReloadableNginx } from '../support/proxies.ts'
import { type ServerProcess, serverProcess } from '../support/server-process.ts'
import { addPersonWithPassword, signInAt } from '../support/sign-in.ts'
import { tempFolder } from '../support/temp-folder.ts'

const OWNER = { email: 'mara@example.org', name: 'Mara', role: 'owner' } as const

/** Several Beckon processes on one PostgreSQL, behind one nginx. */
export type House = AsyncDisposable & {
  /** Of nginx, which hands each request to the next process. */
  url: string
  beckons: ServerProcess[]
  /** A handle beside those of the processes, which hears nothing of changes. */
  db: OpenDb
  owner: Person
  token: string
  /** The owner's session. */
  cookie: string
  /** Starts the process in place `n` anew, on the same port; ends what is left of the one before. */
  restart(n: number): Promise<void>
  /** Marks the process in place `n` as `down` in the configuration of nginx, or none, and reloads it. */
  turnAway(n: number | undefined): Promise<void>
}

export type HouseOptions = {
  /** The address of the database, as the processes have it. */
  database: string
  /** A direct one, where the first leads through a pooler; the processes listen on it. */
  direct?: string
  processes: number
  /** Of each process, beside those that all have. */
  envOf?: (n: number) => Record<string, string>
}

export async function openHouse({
  database,
  direct,
  processes,
  envOf,
}: HouseOptions): Promise<House> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(tempFolder())
  const db = opened.use(
    await openPostgres({
      url: direct ?? database,
      listenUrl: undefined,
      pool: 4,
      listens: false,
    }),
  )
  const owner = await addPersonWithPassword({ db, clock }, OWNER)
  const { token } = await createToken({ db, clock }, { workspaceId: owner.workspaceId, name: 'a' })
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const start = (n: number, at = 0) =>
    serverProcess(join(folder.path, `data-${n}`), at, {
      env: {
        BECKON_DATABASE_URL: database,
        BECKON_BASE_URL: url,
        BECKON_TRUST_PROXY: 'loopback',
        BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
        ...(direct && { BECKON_DATABASE_LISTEN_URL: direct }),
        ...envOf?.(n),
      },
    })
  const beckons = await Promise.all(Array.from({ length: processes }, (_, n) => start(n)))
  opened.defer(async () => {
    await Promise.all(beckons.map((one) => one[Symbol.asyncDispose]()))
  })
  const ports = beckons.map((one) => one.port)
  const blockWithout = (n?: number) => serverBlock(port, ports, n)
  const proxy = opened.use(
    await startReloadableNginx(await blockWithout(), port, join(folder.path, 'nginx')),
  )
  const cookie = await signInAt(url, { email: OWNER.email, password: PASSWORD })
  const owned = opened.move()
  return {
    url,
    beckons,
    db,
    owner,
    token,
    cookie,
    async restart(n) {
      await beckons[n]?.end('SIGKILL')
      beckons[n] = await start(n, ports[n])
    },
    turnAway: async (n) => proxy.reload(await blockWithout(n)),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  }
}

/** docs/ops/nginx.conf before several servers, without https. */
async function serverBlock(
  port: number,
  ports: readonly number[],
  down: number | undefined,
): Promise<string> {
  const example = await Bun.file(join(import.meta.dir, '../../docs/ops/nginx.conf')).text()
  const servers = ports.map(
    (one, n) => `server 127.0.0.1:${one} max_fails=0${n === down ? ' down' : ''};`,
  )
  const server = example
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/ *ssl_certificate.*\n/g, '')
    .replace('http://127.0.0.1:8484', 'http://beckons')
    .replace('location / {', 'location / {\nproxy_connect_timeout 2s;')
  return `upstream beckons { ${servers.join(' ')} }\n${server}`
}

export type Reply = { status: number; body: Record<string, unknown> }

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : {} }
}

/** A call of an agent over REST to the process or proxy at `url`. */
export async function asAgent(
  { token }: Pick<House, 'token'>,
  url: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return replyOf(
    await fetch(`${url}/api/v1${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }),
  )
}

/** A call of the owner's page. */
export async function asOwner(
  { cookie }: Pick<House, 'cookie'>,
  url: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const headers = { cookie, origin: url, 'content-type': 'application/json' }
  return replyOf(
    await fetch(`${url}/api/v1${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }),
  )
}

/** Says at `url` that a page of the owner is visible, so that questions wait without a device. */
export const lookAt = (house: House, url: string) =>
  asOwner(house, url, '/visible-pages', { page: 'p1', visible: true })
