import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { channelEndpoint } from '../../../src/ask/channels/slack/place.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { newId } from '../../../src/platform/ids.ts'
import { beckon } from '../../support/beckon.ts'
import { callbackReceiver } from '../../support/callback-receiver.ts'
import { connect } from '../../support/devices.ts'
import { holdingRelay } from '../../support/holding-relay.ts'
import { ntfyServer } from '../../support/ntfy-server.ts'
import { pushServer } from '../../support/push-server.ts'
import { type ServerProcess, serverProcess } from '../../support/server-process.ts'
import { slackServer } from '../../support/slack-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { EMAIL, letClaimsRunOut, PASSWORD, signIn } from './world.ts'

const ABOUT = 'Built in the middle'
const AFTER = 'Built afterwards'

/** A data folder with a device of each kind, each behind a relay that can keep replies back. */
async function world() {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(tempFolder())
  const receiver = stack.use(await callbackReceiver())
  const push = stack.use(await pushServer())
  const ntfy = stack.use(await ntfyServer())
  const slack = stack.use(await slackServer())
  const at = async (origin: string) => stack.use(await holdingRelay(origin))
  const relays = {
    callback: await at(new URL(receiver.url('/hook', { status: 204 })).origin),
    push: await at(push.origin),
    ntfy: await at(ntfy.origin),
    slack: await at(new URL(slack.apiUrl).origin),
  }
  const data = folder.path
  const apiUrl = `${relays.slack.origin}/api`
  const settings = {
    allow_private_hosts: '127.0.0.1',
    slack_api_url: apiUrl,
    slack_bot_token: slack.botToken,
    slack_signing_secret: slack.signingSecret,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = "${value}"`)
  writeFileSync(join(data, 'beckon.toml'), lines.join('\n'))
  {
    await using db = openDataFolder(data)
    const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', 1), 1))
    const { endpoint, keys } = push.subscribe('phone')
    const path = new URL(endpoint).pathname
    await connect(
      db,
      { workspaceId, label: 'Phone', endpoint: relays.push.origin + path, keys },
      {
        ...{ workspaceId, label: 'ntfy', kind: 'phone', transport: 'ntfy', keys: undefined },
        endpoint: `${relays.ntfy.origin}/topic`,
      },
      {
        ...{ workspaceId, label: '#ops', kind: 'chat', transport: 'slack', keys: undefined },
        endpoint: channelEndpoint(apiUrl, 'C0OPS'),
      },
    )
  }
  const person = ['user', 'add', '--email', EMAIL, '--password-stdin', '--data', data]
  await beckon(person, { stdin: PASSWORD })
  const { out } = await beckon(['key', 'create', '--name', 'crash', '--data', data])
  const agent = { authorization: `Bearer ${out.trim()}` }
  const callbackUrl = `${relays.callback.origin}/hook`
  /** How often each service was told of something with these words. */
  const countMessages = (words: string) => ({
    push: push.delivered.filter(({ payload }) => payload.notification.title === words).length,
    ntfy: ntfy.published.filter(({ title }) => title?.includes(words)).length,
    slack: slack.of('chat.postMessage').filter(({ input }) => `${input.text}`.includes(words))
      .length,
  })
  const resources = stack.move()
  return {
    ...{ data, agent, callbackUrl, receiver, push, ntfy, slack, relays, countMessages },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

type World = Awaited<ReturnType<typeof world>>

async function post(
  { url }: ServerProcess,
  path: string,
  as: Record<string, string>,
  body: object,
) {
  const headers = { origin: url, 'content-type': 'application/json', ...as }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v1${path}`, init)
  expect(response.status).toBe(200)
  return (await response.json()) as { correlationId: string }
}

const notify = (on: ServerProcess, { agent }: World, title: string) =>
  post(on, '/notifications', agent, { title, body: 'All green' })

async function answered(on: ServerProcess, { agent, callbackUrl }: World, question: string) {
  const result = await post(on, '/questions', agent, { question, wait: false, callbackUrl })
  const owner = await signIn(on.url)
  await post(on, `/questions/${result.correlationId}/answer`, owner, { value: 'yes' })
  return result.correlationId
}

/** A callback and a message to each device that their services have taken and not yet confirmed. */
async function inTheMiddle(on: ServerProcess, here: World): Promise<string> {
  const { relays } = here
  relays.callback.hold()
  const correlationId = await answered(on, here, 'Deploy?')
  // The question and its outcome have arrived everywhere.
  await until(() => waiting(here.data, 'deliveries') === 0)
  for (const relay of Object.values(relays)) relay.hold()
  await notify(on, here, ABOUT)
  await until(() => Object.values(here.countMessages(ABOUT)).every((count) => count === 1))
  await until(() => relays.callback.replied() === 1)
  expect([waiting(here.data, 'deliveries'), waiting(here.data, 'callbacks')]).toEqual([3, 1])
  return correlationId
}

function waiting(data: string, table: 'deliveries' | 'callbacks'): number {
  using db = new Database(join(data, 'beckon.db'), { readonly: true })
  const row = db.query(`select count(*) as n from ${table} where state = 'waiting'`).get()
  return (row as { n: number }).n
}

/** Another message goes everywhere: what was owed before it has been sent by then. */
async function afterwards(on: ServerProcess, here: World) {
  await answered(on, here, 'And now?')
  await notify(on, here, AFTER)
  await until(() => Object.values(here.countMessages(AFTER)).every((count) => count === 1))
  await until(() => waiting(here.data, 'deliveries') + waiting(here.data, 'callbacks') === 0)
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'what services took in the moment of a %s is sent once more, as the same',
  async (signal) => {
    await using here = await world()
    const first = await serverProcess(here.data)
    const correlationId = await inTheMiddle(first, here)
    const { code } = await first.end(signal)
    expect(code).toBe(signal === 'SIGTERM' ? 0 : 137)
    // A server that was stopped lets go of what it had by itself.
    if (signal === 'SIGKILL') letClaimsRunOut(here.data)

    for (const relay of Object.values(here.relays)) relay.release()
    await using second = await serverProcess(here.data, first.port)
    await until(() => waiting(here.data, 'deliveries') + waiting(here.data, 'callbacks') === 0)
    await afterwards(second, here)

    const same = here.receiver.received.filter(({ body }) => body.includes(correlationId))
    expect(same).toHaveLength(2)
    const [lost, got] = same
    if (!lost || !got) throw new Error('nothing arrived')
    expect([got.body, got.headers['webhook-id']]).toEqual([lost.body, lost.headers['webhook-id']])
    const owner = await signIn(second.url)
    const secrets = await fetch(`${second.url}/api/v1/callback-secret`, { headers: owner })
    const { secret } = (await secrets.json()) as { secret: string }
    for (const { body, headers } of same) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({
        correlationId,
        value: 'yes',
      })
    }

    // A device that shows both shows one: the second takes the place of the first.
    expect(here.countMessages(ABOUT)).toEqual({ push: 2, ntfy: 2, slack: 2 })
    const pushed = here.push.delivered.filter(({ payload }) => payload.notification.title === ABOUT)
    expect(pushed[0]?.headers.topic).toBeString()
    expect(new Set(pushed.map(({ headers }) => headers.topic)).size).toBe(1)
    expect(new Set(pushed.map(({ payload }) => payload.notification.tag)).size).toBe(1)
    expect(pushed[0]?.payload).toEqual(pushed[1]?.payload as never)
    const published = here.ntfy.published.filter(({ title }) => title?.includes(ABOUT))
    expect(published[0]?.sequence_id).toBeString()
    expect(published[1]).toEqual(published[0] as never)
    expect((await second.end('SIGTERM')).code).toBe(0)
  },
  60_000,
)

test('what services confirm while the server stops is not sent again', async () => {
  await using here = await world()
  const first = await serverProcess(here.data)
  await inTheMiddle(first, here)
  const ended = first.end('SIGTERM')
  await until(() => isClosed(first.url))
  for (const relay of Object.values(here.relays)) relay.release()
  expect((await ended).code).toBe(0)
  expect([waiting(here.data, 'deliveries'), waiting(here.data, 'callbacks')]).toEqual([0, 0])

  await using second = await serverProcess(here.data, first.port)
  await afterwards(second, here)
  expect(here.countMessages(ABOUT)).toEqual({ push: 1, ntfy: 1, slack: 1 })
  expect(here.receiver.received).toHaveLength(2)
}, 60_000)

const isClosed = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ status }) => status !== 200,
    () => true,
  )
