import { SQL } from 'bun'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { migratePostgres } from '../../src/platform/db/postgres/migrate.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { newId } from '../../src/platform/ids.ts'
import { beckon } from '../support/beckon.ts'
import { connect } from '../support/devices.ts'
import { type Cluster, startCluster } from '../support/postgres-cluster.ts'
import { PROGRAM } from '../support/program.ts'
import { type PushServer, pushServer } from '../support/push-server.ts'
import { type ServerProcess, serverProcess } from '../support/server-process.ts'
import { signInAt } from '../support/sign-in.ts'
import { tempFolder } from '../support/temp-folder.ts'

const PASSWORD = 'correct horse battery'
const EMAIL = 'ada@example.com'

export type ServersWorld = AsyncDisposable & {
  cluster: Cluster
  /** The address of the database. */
  url: string
  /** What agents send. */
  agent: Record<string, string>
  sql: SQL
  /** One more server on the database, over a data folder of its own; `inside` goes before its command. */
  server(env?: Record<string, string>, inside?: readonly string[]): Promise<ServerProcess>
  /** `beckon` as the owner of the servers runs it. */
  command(...args: string[]): Promise<string>
  /** What the owner's browser sends to this server. */
  signIn(server: ServerProcess): Promise<Record<string, string>>
}

/** A PostgreSQL server of its own with an owner and a token, and no Beckon server yet. */
export async function serversWorld(settings?: Record<string, string>): Promise<ServersWorld> {
  const cluster = await startCluster(settings)
  await using opened = new AsyncDisposableStack()
  opened.use(cluster)
  const first = new SQL(cluster.url(), { max: 1 })
  await first.unsafe('create database beckon')
  await first.close()
  const url = cluster.url('beckon')
  await migratePostgres(url)
  const push = opened.use(await pushServer())
  await connectPhone(url, push)
  const env = {
    BECKON_DATABASE_URL: url,
    // One token of one person does what many do in a day; the push service is on this machine.
    BECKON_TOKEN_LIMIT_FACTOR: '1000',
    BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  }

  async function run(args: string[], stdin = '') {
    const { code, out, err } = await beckon(args, { env, stdin })
    if (code !== 0) throw new Error(`beckon ${args.join(' ')}: ${err}`)
    return out
  }
  await run(['user', 'add', '--email', EMAIL, '--password-stdin'], PASSWORD)
  const token = (await run(['key', 'create', '--name', 'agent'])).trim()
  const sql = new SQL(url, { max: 2 })
  opened.defer(() => sql.close({ timeout: 0 }))
  const owned = opened.move()
  return {
    cluster,
    url,
    sql,
    agent: { authorization: `Bearer ${token}` },
    async server(more = {}, inside = []) {
      const folder = owned.use(tempFolder())
      const program = [...inside, ...PROGRAM]
      return owned.use(await serverProcess(folder.path, 0, { program, env: { ...env, ...more } }))
    },
    command: (...args) => run(args),
    async signIn(server) {
      const cookie = await signInAt(server.url, { email: EMAIL, password: PASSWORD })
      return { origin: server.url, cookie }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function connectPhone(url: string, push: PushServer) {
  await using db = await openPostgres({ url, listenUrl: undefined, pool: 1, listens: false })
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', 1), 1))
  await connect(db, { workspaceId, kind: 'phone', label: 'Phone', ...push.subscribe('phone') })
}

type Reply = { status: number; body: Record<string, unknown> }

/** A call of the REST API; status 0 when the connection broke. */
export async function rest(
  { url }: ServerProcess,
  path: string,
  body: object | undefined,
  headers: Record<string, string>,
): Promise<Reply> {
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  } catch (error) {
    return { status: 0, body: { gone: String(error) } }
  }
}
