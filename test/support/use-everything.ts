import { deviceKey } from '../../src/ask/delivery/model/links.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { WINDOW_MS } from '../../src/ask/wire/limits.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { connect } from './devices.ts'
import { type PageWorld, pageWorld } from './page-world.ts'
import { type PushServer, pushServer } from './push-server.ts'
import { until } from './until.ts'

const SESSION = { sessionId: 's1', machineId: 'm1', agentName: 'Claude Code - shop' }
const RETENTION_MS = 90 * 24 * 60 * 60_000

/**
 * The server over a folder that `fill` has filled, used once in each way that stores or looks for
 * something: by agents and hooks, people and their devices, and by what it does by itself.
 */
export async function useEverything(fill: (folder: string) => Promise<void>): Promise<void> {
  await using push = await pushServer()
  await using world = await pageWorld({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }, fill })
  const { token } = await createToken({ db: world.db, clock }, { ...world, name: 'agent' })
  const phone = await connectDevices(world, push)
  const call = caller(world, token)
  await ask(call, world, push)
  await tell(call)
  await hook(call)
  const seen = { key: deviceKey(world.app.secrets.quickAnswerSecret, phone.id), id: 'q_1' }
  await call('POST', `/api/v1/subscribers/${phone.id}/shown`, { ...seen, kind: 'question' })
  await look(world)
  await byItself(world)
}

type Call = ReturnType<typeof caller>

function caller({ url, cookie }: PageWorld, token: string) {
  const agent = { authorization: `Bearer ${token}` }
  return async (method: string, path: string, body?: object, as: 'agent' | 'person' = 'agent') => {
    const who = as === 'agent' ? agent : { cookie, origin: url }
    const response = await fetch(url + path, {
      ...{ method, headers: { 'content-type': 'application/json', ...who } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text || '{}') as { correlationId?: string }
  }
}

/** One that takes everything, one that is gone, and one that is tried again. */
async function connectDevices({ db, workspaceId }: PageWorld, push: PushServer) {
  const [phone] = await connect(
    db,
    { workspaceId, tags: ['all'], ...push.subscribe('a') },
    { workspaceId, ...push.subscribe('b', { status: 410 }) },
    { workspaceId, ...push.subscribe('c', { status: 503, headers: { 'retry-after': '1' } }) },
  )
  if (!phone) throw new Error('nothing was connected')
  return phone
}

async function ask(call: Call, { ask }: PageWorld, push: PushServer) {
  const question = { question: 'Deploy?', wait: false, ...SESSION }
  const askId = async (more: object = {}) =>
    (await call('POST', '/api/v1/questions', { ...question, ...more })).correlationId
  const id = await askId({ requestId: 'r1', callbackUrl: `${push.origin}/hook` })
  await askId({ requestId: 'r1' })
  await call('GET', `/api/v1/questions/${id}?timeoutMs=1`)
  for (const value of ['yes', 'no']) {
    await call('POST', `/api/v1/questions/${id}/answer`, { value }, 'person')
  }
  await call('POST', `/api/v1/questions/${await askId()}/cancel`, {})
  await call('POST', `/api/v1/questions/${await askId()}/stop`, {}, 'person')
  await askId({ tags: ['all'], externalIds: ['x'] })
  await ask(SESSION, WINDOW_MS + 1)
}

async function tell(call: Call) {
  const notification = { title: 'Done', body: 'All of it.', ...SESSION }
  await call('POST', '/api/v1/notifications', notification)
  const context = { type: 'success', summary: 'Done', askQuestion: { question: 'And now?' } }
  await call('POST', '/api/v1/notifications', { ...notification, context })
}

async function hook(call: Call) {
  const scope = { doneWhen: 'tests pass', ...SESSION, allowedPaths: ['src/**'], timeoutMs: 1 }
  const { correlationId } = await call('POST', '/api/v1/scopes', scope)
  await call('POST', `/api/v1/questions/${correlationId}/answer`, { value: 'yes' }, 'person')
  await call('POST', '/api/v1/sessions/presence', SESSION)
  await call('POST', '/api/v1/hooks/claude', { event: 'heartbeat', ...SESSION })
  const path = { question: 'Write infra/a.tf?', scopePath: 'infra/a.tf' }
  await call('POST', '/api/v1/hooks/claude', {
    event: 'check',
    ask: path,
    ...SESSION,
    timeoutMs: 1,
  })
  await call('GET', `/api/v1/scopes/${SESSION.sessionId}`)
}

async function look({ get, ask, tell, work }: PageWorld) {
  const [question, notification, session] = [await ask(SESSION), await tell(), await work()]
  const lists = ['inbox', 'activity', 'audit', 'sessions', 'callbacks', 'subscribers', 'keys']
  for (const path of [
    ...['/', '/inbox', '/activity', '/audit', '/sessions', '/settings/callbacks'],
    ...[`/d/${question}`, `/n/${notification.id}`, `/live/${session}`, '/metrics', '/healthz'],
    ...lists.map((list) => `/api/v1/${list}`),
    ...[`/api/v1/deliveries/${question}`, '/api/v1/health', '/settings/health'],
    ...['session=s1', 'agent=key_1', 'kind=question.answered'].map((q) => `/api/v1/audit?${q}`),
  ]) {
    const { status } = await get(path)
    if (status !== 200) throw new Error(`${path}: ${status}`)
  }
}

/** Deadlines, retries, callbacks, and the purge that begins with the server. */
async function byItself({ db, workspaceId }: PageWorld) {
  const some = async (sql: string) =>
    (await db.orm.all(`/* a look of the test */ ${sql}`)).length > 0
  const old = Date.now() - RETENTION_MS
  await until(async () => !(await some(`select 1 from questions where ended_at < ${old}`)))
  const mine = `workspace_id = '${workspaceId}'`
  await until(() => some(`select 1 from questions where ${mine} and status = 'expired'`))
  await until(() => some('select 1 from deliveries where attempts > 1'))
}
