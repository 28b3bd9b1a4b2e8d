import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../support/beckon.ts'
import { serverProcess } from '../support/server-process.ts'
import { signInAt } from '../support/sign-in.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { waitsAt } from '../support/waits-at.ts'

// Whole processes and many requests on a busy machine.
setDefaultTimeout(60_000)

/** A token made before the server's first start. */
async function tokenIn(data: string): Promise<string> {
  const { out } = await beckon(['key', 'create', '--name', 'test', '--data', data])
  return out.trim()
}

async function ask(url: string, token: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}

async function ready(url: string): Promise<number[]> {
  const paths = ['/healthz', '/readyz', '/openapi.json']
  return await Promise.all(paths.map(async (path) => (await fetch(url + path)).status))
}

test('on an empty folder it serves, and shows the link for the first account', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'made', 'data')
  await using server = await serverProcess(data)
  expect(await ready(server.url)).toEqual([200, 200, 200])
  expect(server.out()).toMatch(/\/setup\?key=\w{20,}\n$/)
  expect(existsSync(join(data, 'beckon.db'))).toBe(true)
  expect((await server.end('SIGTERM')).code).toBe(0)
})

// Requests that are under way get five seconds.
test('a server with no request under way ends without the grace for one', async () => {
  using folder = tempFolder()
  await using server = await serverProcess(folder.path)
  // By then a connection that never had a request would be held against the stop.
  await Bun.sleep(2_500)
  const ended = server.end('SIGTERM').then(({ code }) => code)
  expect(await Promise.race([ended, Bun.sleep(4_500).then(() => 'still there')])).toBe(0)
})

test('the link leads to the port that the system chose', async () => {
  using folder = tempFolder()
  await using server = await serverProcess(folder.path)
  const link = /http\S+\/setup\S+/.exec(server.out())?.[0] ?? ''
  expect(new URL(link).port).toBe(String(server.port))
  expect((await fetch(link)).status).toBe(200)
})

test('a server serves its pages from whatever folder it is started in', async () => {
  using folder = tempFolder()
  await using server = await serverProcess(join(folder.path, 'data'), 0, { cwd: folder.path })
  expect((await fetch(`${server.url}/sign-in`)).status).toBe(200)
})

test('once somebody can sign in there is no such link', async () => {
  using folder = tempFolder()
  const person = ['user', 'add', '--email', 'ada@example.com', '--password-stdin']
  await beckon([...person, '--data', folder.path], { stdin: 'correct horse battery' })
  await using server = await serverProcess(folder.path)
  expect(server.out()).not.toContain('/setup')
  expect((await server.end('SIGINT')).code).toBe(0)
})

test('the log never shows the token or the question', async () => {
  using folder = tempFolder()
  const token = await tokenIn(folder.path)
  await using server = await serverProcess(folder.path)
  await ask(server.url, token, { question: 'Say the magic word', wait: false })
  await fetch(`${server.url}/api/v1/questions`, { headers: { authorization: `Bearer ${token}` } })
  const { err } = await server.end('SIGTERM')
  expect(err).not.toContain(token)
  expect(err).not.toContain('magic')
})

test('draining, it is not ready, answers all the same, and then stops', async () => {
  using folder = tempFolder()
  const env = { BECKON_DRAIN_SECONDS: '3' }
  await using server = await serverProcess(folder.path, 0, { env })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  const ended = server.end('SIGTERM')
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 503)
  const page = await fetch(`${server.url}/sign-in`)
  expect([page.status, page.headers.get('connection')]).toEqual([200, 'close'])
  expect((await ended).code).toBe(0)
})

test('SIGTERM ends a held wait as pending, to be continued, and the process with 0', async () => {
  using folder = tempFolder()
  const token = await tokenIn(folder.path)
  await using server = await serverProcess(folder.path)
  const { correlationId } = await ask(server.url, token, { question: 'Deploy?', wait: false })
  const headers = { authorization: `Bearer ${token}` }
  const waiting = fetch(`${server.url}/api/v1/questions/${correlationId}?timeoutMs=55000`, {
    headers,
  })
  await waitsAt(server.url, token)
  const ended = server.end('SIGTERM')
  const response = await waiting
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({
      status: 'pending',
      answered: false,
      timedOut: true,
      nextAction: 'wait_for_answer',
    }),
  ])
  expect((await ended).code).toBe(0)
})

test('a wait survives a restart of the server', async () => {
  using folder = tempFolder()
  const data = folder.path
  const password = 'correct horse battery'
  await beckon(['user', 'add', '--email', 'ada@example.com', '--password-stdin', '--data', data], {
    stdin: password,
  })
  const token = await tokenIn(data)
  const first = await serverProcess(data)
  const question = await ask(first.url, token, { question: 'Which?', type: 'input', wait: false })
  const id = question.correlationId as string
  const waiting = beckon(['wait', id, '--timeout', '2m'], {
    env: { BECKON_URL: first.url, BECKON_TOKEN: token },
  })
  await Bun.sleep(300)
  expect((await first.end('SIGTERM')).code).toBe(0)

  await using second = await serverProcess(data, first.port)
  const { url } = second
  const json = { 'content-type': 'application/json', origin: url }
  const cookie = await signInAt(url, { email: 'ada@example.com', password })
  const answered = await fetch(`${url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { ...json, cookie },
    body: JSON.stringify({ value: 'the blue one', surface: 'inbox' }),
  })
  expect(answered.status).toBe(200)
  expect(await waiting).toMatchObject({ code: 0, out: 'the blue one\n' })
})

test('a port that is taken is one sentence', async () => {
  using folder = tempFolder()
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const data = join(folder.path, 'data')
  const port = taken.port
  const { code, out, err } = await beckon(['serve', '--data', data, '--port', `${port}`])
  await taken.stop(true)
  expect([code, out]).toEqual([1, ''])
  expect(err).toBe(
    `Port ${port} on 127.0.0.1 is taken by another program; stop that one or choose another with --port.\n`,
  )
})

test('a data folder that cannot be used is one sentence', async () => {
  using folder = tempFolder()
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  for (const data of [file, join(file, 'inside')]) {
    const { code, out, err } = await beckon(['serve', '--data', data, '--port', '0'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`The data folder ${data} cannot be made, because a file is in its place`)
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

const WRONG: [args: string[], env: Record<string, string>, sentence: string][] = [
  [['--port', 'many'], {}, '--port must be a port number from 0 to 65535, not "many".'],
  [['--base-url', 'x'], {}, '--base-url must be an http or https address'],
  [[], { BECKON_PORTT: '1' }, 'BECKON_PORTT is not a variable that Beckon knows'],
  [[], { BECKON_LOG: 'loud' }, 'BECKON_LOG must be pretty or json, not "loud".'],
]
test.each(WRONG)(
  'a wrong configuration is one sentence and 2: %p %p',
  async (args, env, sentence) => {
    using folder = tempFolder()
    const { code, out, err } = await beckon(['serve', '--data', folder.path, ...args], { env })
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
    expect(err.trim().split('\n')).toHaveLength(1)
  },
)

test('a second server on the same data folder is one sentence, until the first is gone', async () => {
  using folder = tempFolder()
  const first = await serverProcess(folder.path)
  const { code, out, err } = await beckon(['serve', '--data', folder.path, '--port', '0'])
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('Another Beckon server is using the data folder')
  expect((await beckon(['key', 'list', '--data', folder.path])).code).toBe(0)
  await first.end('SIGKILL')
  await using next = await serverProcess(folder.path)
  expect(await ready(next.url)).toEqual([200, 200, 200])
})

test('a database of another program is told apart from a folder that cannot be written', async () => {
  using folder = tempFolder()
  using other = new Database(join(folder.path, 'beckon.db'), { create: true })
  other.run('create table people (x)')
  const { code, err } = await beckon(['serve', '--data', folder.path, '--port', '0'])
  expect([code, err]).toEqual([1, expect.stringContaining('is a database of another program')])
})
