import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beckon } from '../../support/beckon.ts'
import { callbackReceiver } from '../../support/callback-receiver.ts'
import { serverProcess } from '../../support/server-process.ts'
import { signInAt } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const PASSWORD = 'correct horse battery'

test('an answer whose server is killed before its callback arrived is posted by the next one', async () => {
  using folder = tempFolder()
  await using receiver = await callbackReceiver()
  const data = folder.path
  writeFileSync(join(data, 'beckon.toml'), 'allow_private_hosts = "127.0.0.1"')
  const person = ['user', 'add', '--email', 'ada@example.com', '--password-stdin', '--data', data]
  await beckon(person, { stdin: PASSWORD })
  const { out } = await beckon(['key', 'create', '--name', 'test', '--data', data])
  const agent = { authorization: `Bearer ${out.trim()}` }

  const first = await serverProcess(data)
  const callbackUrl = receiver.url('/hook', 'hang', { status: 204 })
  const response = await post(`${first.url}/api/v1/questions`, agent, {
    question: 'Deploy?',
    wait: false,
    callbackUrl,
  })
  const { correlationId } = (await response.json()) as { correlationId: string }
  const owner = await signIn(first.url)
  const answering = `${first.url}/api/v1/questions/${correlationId}/answer`
  expect((await post(answering, owner, { value: 'yes' })).status).toBe(200)
  await until(() => receiver.received.length === 1)
  await first.end('SIGKILL')

  letClaimsRunOut(data)
  await using second = await serverProcess(data)
  await until(() => receiver.received.length === 2)
  const [lost, got] = receiver.received
  if (!lost || !got) throw new Error('nothing arrived')
  expect(got.body).toBe(lost.body)
  const secrets = await fetch(`${second.url}/api/v1/callback-secret`, {
    headers: await signIn(second.url),
  })
  const { secret } = (await secrets.json()) as { secret: string }
  expect(new Webhook(secret).verify(got.body, got.headers)).toMatchObject({
    id: lost.headers['webhook-id'],
    correlationId,
    value: 'yes',
  })
  expect((await second.end('SIGTERM')).code).toBe(0)
}, 60_000)

function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  const { origin } = new URL(url)
  return fetch(url, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function signIn(url: string): Promise<Record<string, string>> {
  return { cookie: await signInAt(url, { email: 'ada@example.com', password: PASSWORD }) }
}

/** Half a minute goes by. */
function letClaimsRunOut(data: string) {
  using db = new Database(join(data, 'beckon.db'))
  db.run('update callbacks set claimed_until = 0')
}
