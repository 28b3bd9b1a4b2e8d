import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import packageJson from '../../package.json'
import { executable, inFolder } from '../support/executable.ts'
import { freePort } from '../support/free-port.ts'
import { signInAt } from '../support/sign-in.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { waitsAt } from '../support/waits-at.ts'

const PERSON = { email: 'ada@example.com', password: 'correct horse battery staple' }

const built = tempFolder()
let binary: string
beforeAll(async () => {
  binary = await executable(built.path)
}, 120_000)
afterAll(() => built[Symbol.dispose]())

type Result = Record<string, unknown>

/** The official client, connected with `token`. */
async function agent(url: string, token: string) {
  const client = new Client({ name: 'smoke', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  const address = new URL(`${url}/api/mcp/mcp`)
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers } })
  // The transport's own type does not know exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0])
  return {
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    async call(name: string, args: Result): Promise<Result> {
      const called = await client.callTool({ name, arguments: args }, undefined, {
        timeout: 70_000,
      })
      return called.structuredContent as Result
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The person's half: signs in and answers. */
async function answer(url: string, questionId: unknown, value: string) {
  const cookie = await signInAt(url, PERSON)
  const answered = await fetch(`${url}/api/v1/questions/${questionId}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify({ value, note: 'from the test' }),
  })
  expect([answered.status, await answered.json()]).toEqual([200, expect.anything()])
}

test('from an empty folder to an answered question and a clean stop', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  const port = freePort()
  const url = `http://localhost:${port}`
  await using server = await beckon.serve(['--port', String(port)])
  expect(server.said()).toContain(`${url}/setup?key=`)
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(`${url}/readyz`)).status).toBe(200)

  const added = await beckon.run(['user', 'add', '--email', PERSON.email, '--password-stdin'], {
    stdin: PERSON.password,
  })
  expect(added).toMatchObject({ code: 0 })
  const created = await beckon.run(['key', 'create', '--name', 'smoke'])
  const token = created.out.trim()
  expect(token).toStartWith('bk_')

  await using client = await agent(url, token)
  expect(await client.tools()).toHaveLength(5)
  const question = await client.call('ask_user', { question: 'Deploy?', wait: false })
  expect(question).toMatchObject({ question: 'Deploy?', type: 'confirm', status: 'pending' })
  const waiting = client.call('wait_for_answer', { correlationId: question.correlationId })
  await answer(url, question.correlationId, 'yes')
  expect(await waiting).toMatchObject({ answered: true, value: 'yes', note: 'from the test' })

  expect(await server.end('SIGTERM')).toBe(0)
}, 60_000)

test('a question outlives kill -9: answered after the restart, collected by its id', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  const port = freePort()
  const url = `http://localhost:${port}`
  const add = ['user', 'add', '--email', PERSON.email, '--password-stdin']
  expect(await beckon.run(add, { stdin: PERSON.password })).toMatchObject({ code: 0 })
  const token = (await beckon.run(['key', 'create', '--name', 'smoke'])).out.trim()

  let correlationId: unknown
  {
    await using server = await beckon.serve(['--port', String(port)])
    await using client = await agent(url, token)
    const question = await client.call('ask_user', { question: 'Deploy?', wait: false })
    correlationId = question.correlationId
    // The call that is cut off never learns anything; that is the point.
    client.call('wait_for_answer', { correlationId }).catch(() => {})
    await server.end('SIGKILL')
  }
  await using server = await beckon.serve(['--port', String(port)])
  await answer(url, correlationId, 'no')
  await using client = await agent(url, token)
  const collected = await client.call('wait_for_answer', { correlationId })
  expect(collected).toMatchObject({ answered: true, value: 'no' })
  expect(await server.end('SIGTERM')).toBe(0)
}, 60_000)

test('nothing in the folder that it runs in is read as its own settings or code', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  const at = (name: string) => join(folder.path, name)
  // An agent may write all of these into its project, and a hook runs there.
  writeFileSync(at('.env'), `XDG_STATE_HOME=${at('elsewhere')}\nBECKON_URL=http://127.0.0.1:1\n`)
  writeFileSync(at('.env.local'), 'BECKON_TOKEN=mine\n')
  writeFileSync(at('bunfig.toml'), 'preload = ["./mine.ts"]\n')
  writeFileSync(at('mine.ts'), `require('node:fs').writeFileSync(${JSON.stringify(at('ran'))}, '')`)
  const started = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', cwd: '/' })
  const result = await beckon.run(['hook', 'claude'], { stdin: started })
  expect(result).toEqual({ code: 0, out: '', err: '' })
  expect([existsSync(at('ran')), existsSync(at('elsewhere'))]).toEqual([false, false])
})

// A minute of waiting is worth it once a build.
test.skipIf(!process.env.BINARY)(
  'a call waits its full 55 seconds over real HTTP',
  async () => {
    using folder = tempFolder()
    const beckon = inFolder(binary, folder.path)
    const port = freePort()
    await using server = await beckon.serve(['--port', String(port)])
    const token = (await beckon.run(['key', 'create', '--name', 'smoke'])).out.trim()
    await using client = await agent(`http://localhost:${port}`, token)
    const { correlationId } = await client.call('ask_user', { question: 'Deploy?', wait: false })
    const waited = await client.call('wait_for_answer', { correlationId, timeoutMs: 55_000 })
    expect(waited).toMatchObject({ status: 'pending', timedOut: true })
    expect(await server.end('SIGTERM')).toBe(0)
  },
  90_000,
)

test('a stop in the middle of a wait ends the call as pending', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  const port = freePort()
  await using server = await beckon.serve(['--port', String(port)])
  const token = (await beckon.run(['key', 'create', '--name', 'smoke'])).out.trim()
  await using client = await agent(`http://localhost:${port}`, token)
  const { correlationId } = await client.call('ask_user', { question: 'Deploy?', wait: false })
  const waiting = client.call('wait_for_answer', { correlationId, timeoutMs: 55_000 })
  await waitsAt(`http://localhost:${port}`, token)
  const stopped = server.end('SIGTERM')
  expect(await waiting).toMatchObject({ status: 'pending', nextAction: 'wait_for_answer' })
  expect(await stopped).toBe(0)
}, 60_000)

test('the bridge inside the executable asks over standard input and output', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  const port = freePort()
  await using _server = await beckon.serve(['--port', String(port)])
  const token = (await beckon.run(['key', 'create', '--name', 'smoke'])).out.trim()
  const env = { HOME: folder.path, BECKON_URL: `http://localhost:${port}`, BECKON_TOKEN: token }
  const transport = new StdioClientTransport({ command: binary, args: ['mcp'], env })
  const client = new Client({ name: 'smoke', version: '1' })
  await client.connect(transport)
  expect((await client.listTools()).tools).toHaveLength(5)
  const call = { name: 'ask_user', arguments: { question: 'Deploy?', wait: false } }
  expect(await client.callTool(call)).toMatchObject({ structuredContent: { status: 'pending' } })
  const { pid } = transport
  await client.close()
  expect(() => process.kill(Number(pid), 0)).toThrow()
}, 60_000)

test('pages and everything they name are inside the executable', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  const port = freePort()
  const url = `http://localhost:${port}`
  await using server = await beckon.serve(['--port', String(port)])
  const link = server.said().match(/http:\S+\/setup\?key=\S+/)?.[0] ?? ''
  const page = await fetch(link)
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ])
  const links = [...(await page.text()).matchAll(/(?:href|src)="(\/[^"#]*)"/g)]
  const paths = new Set([
    '/sw.js',
    '/offline',
    '/openapi.json',
    ...links.map((match) => String(match[1])),
  ])
  expect(
    [...paths].filter((path) => /\.(css|js|svg|png|webmanifest)(\?|$)/.test(path)).length,
  ).toBeGreaterThan(2)
  for (const path of paths) {
    const response = await fetch(url + path)
    const bytes = await response.arrayBuffer()
    expect([path, response.status, bytes.byteLength > 100]).toEqual([path, 200, true])
  }
  expect(await server.end('SIGTERM')).toBe(0)
}, 60_000)

test('the executable says its version, and needs nothing beside it', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  const { version } = packageJson
  expect(await beckon.run(['--version'])).toEqual({ code: 0, out: `beckon ${version}\n`, err: '' })
  mkdirSync(join(folder.path, 'fresh'))
  expect((await beckon.run(['migrate', '--data', 'fresh'])).code).toBe(0)
})

test('what cannot work is said in one sentence, with the right exit code', async () => {
  using folder = tempFolder()
  const beckon = inFolder(binary, folder.path)
  await using taken = Object.assign(Bun.serve({ port: 0, fetch: () => new Response() }), {
    [Symbol.asyncDispose]: async () => {},
  })
  writeFileSync(join(folder.path, 'file'), '')
  const cases: Array<[args: string[], env: object, code: number, named: string]> = [
    [['serve', '--port', 'eighty'], {}, 2, '--port'],
    [['serve', '--colour'], {}, 2, '--colour'],
    [['serve'], { BECKON_PROT: '1' }, 2, 'BECKON_PROT'],
    [['serve'], { BECKON_LOG: 'loud' }, 2, 'BECKON_LOG'],
    [['serve', '--host', '0.0.0.0', '--port', String(taken.port)], {}, 1, String(taken.port)],
    [['serve', '--port', '0', '--data', 'file'], {}, 1, 'file'],
    [['surf'], {}, 2, 'surf'],
  ]
  for (const [args, env, code, word] of cases) {
    const result = await beckon.run(args, { env })
    expect([args, result.code, result.out]).toEqual([args, code, ''])
    expect(result.err).toContain(word)
    expect(result.err.trim().split('\n')).toHaveLength(1)
  }
  taken.stop(true)
}, 60_000)
