import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { type SecretWorld, type Sent, secretWorld } from '../../support/secret-world.ts'
import { until } from '../../support/until.ts'
import { methodAndPath, ROWS } from './who/rows.ts'

setDefaultTimeout(60_000)

let world: SecretWorld
beforeAll(async () => {
  world = await secretWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The names of the secrets that stand in a text, however they are written there. */
function secretsIn(text: string, but: readonly string[] = []): string[] {
  const plain = [text, decoded(text)].join('\n')
  return Object.entries(world.secrets)
    .filter(([name, secret]) => !but.includes(name) && plain.includes(secret))
    .map(([name]) => name)
}

function decoded(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })
}

async function readAnswer(path: string, request: Sent = {}): Promise<string> {
  const response = await world.send(path, request)
  return `${[...response.headers].join('\n')}\n${await response.text()}`
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

test('the secrets to search for are one of each kind, and too long to be met by chance', () => {
  for (const [name, secret] of Object.entries(world.secrets)) {
    expect([name, secret.length >= 16]).toEqual([name, true])
  }
})

/** Where a secret gets by mistake, or by somebody who tries what comes of it. */
function misplacements(secret: string): Record<string, [path: string, sent: Sent]> {
  const path = encodeURIComponent(secret)
  const get = (to: string, headers: Record<string, string> = {}): [string, Sent] => [
    to,
    { headers },
  ]
  const json = (to: string, body: unknown): [string, Sent] => [
    to,
    { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) },
  ]
  const form = (to: string, body: Record<string, string>): [string, Sent] => [
    to,
    { method: 'POST', headers: FORM, body: new URLSearchParams(body).toString() },
  ]
  const long = secret.repeat(Math.ceil(70_000 / secret.length))
  const rpc = (method: string, params: unknown) =>
    json('/api/mcp/mcp', { jsonrpc: '2.0', id: 1, method, params })
  return {
    'a bearer token of nobody': get('/api/v1/agent', { authorization: `Bearer ${secret}x` }),
    'no bearer at all': get('/api/v1/agent', { authorization: secret }),
    'a basic password': get('/api/v1/agent', { authorization: `Basic ${btoa(`a:${secret}`)}` }),
    'a header of another service': get('/api/v1/inbox', { 'x-api-key': secret }),
    'a broken cookie': get('/inbox', { cookie: `beckon.session_token=${secret}x` }),
    'a program': get('/api/v1/agent', { 'user-agent': secret }),
    'a referrer': get('/nowhere', { referer: `http://localhost/${path}` }),
    'a language': get('/sign-in', { 'accept-language': secret, accept: secret }),
    'a protocol version': get('/api/mcp/mcp', { 'mcp-protocol-version': secret }),
    'a forwarded address': get('/api/v1/agent', { 'x-forwarded-for': secret }),
    'a query': get(`/api/v1/agent?token=${path}`),
    'a query of a page': get(`/inbox?token=${path}`),
    'a query of the catalog': get(`/api/v1/tools.json?key=${path}`),
    'a query of the MCP address': get(`/api/mcp/mcp?access_token=${path}`),
    'an address that is not there': get(`/${path}`),
    'an address of the API': get(`/api/v1/${path}`),
    'an id': get(`/api/v1/questions/${path}`),
    'a file': get(`/assets/${path}`),
    'a link': get(`/a/${path}x`),
    'a code': get(`/pair/${path}x`),
    'a set-up link': get(`/setup?key=${path}x`),
    'an address of better-auth': get(`/api/auth/${path}`),
    'a password': form('/sign-in', { email: 'eve@example.org', password: secret }),
    'a password as JSON': json('/api/auth/sign-in/email', { email: 'e@x.org', password: secret }),
    'a field that nobody knows': json('/api/v1/notifications', { [secret]: secret }),
    'a value of the wrong kind': json('/api/auth/sign-in/email', { email: { secret } }),
    'a body that breaks off': [
      '/api/v1/questions',
      { method: 'POST', headers: JSON_TYPE, body: `{"${secret}` },
    ],
    'a body of the wrong kind': [
      '/api/v1/questions',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: secret },
    ],
    'a body that is too long': form('/pair/x', { secret: long }),
    'an argument of a tool': rpc('tools/call', { name: 'ask_user', arguments: { [secret]: 1 } }),
    'the name of a tool': rpc('tools/call', { name: secret }),
    'the name of a method': rpc(secret, {}),
    'a signature of Slack': [
      '/slack/interactions',
      { method: 'POST', headers: { ...FORM, 'x-slack-signature': secret }, body: secret },
    ],
    'a key of a device': json('/api/v1/subscribers/sub_x/shown', { key: secret }),
    'a key of a button': json('/api/v1/questions/q_x/answer', { value: 'yes', key: secret }),
  }
}

test('a secret in the wrong place is not said back, to nobody and to the owner', async () => {
  const leaks: string[] = []
  let tried = 0
  for (const [name, secret] of Object.entries(world.secrets)) {
    for (const [place, [path, request]] of Object.entries(misplacements(secret))) {
      // A password is hashed to be tried, which takes its time.
      for (const who of place.startsWith('a password') ? [{}] : [{}, world.asOwner]) {
        tried++
        const headers = { ...who, ...request.headers }
        const names = secretsIn(await readAnswer(path, { ...request, headers }))
        if (names.length > 0) leaks.push(`${name} as ${place}: ${path.split('?')[0]} says ${names}`)
      }
    }
  }
  expect(tried).toBeGreaterThan(1_000)
  expect(leaks).toEqual([])
})

test('a token in an address is refused with the reason, and with nothing of it', async () => {
  for (const path of ['/api/v1/agent?token=', '/api/mcp/mcp?access_token=', '/metrics?key=']) {
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } }
    const request = path.includes('mcp')
      ? { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(rpc) }
      : {}
    const response = await world.send(path + world.secrets['the agent token'], request)
    const text = await response.text()
    expect([path, response.status]).toEqual([path, 401])
    expect(text).toContain('in the address')
    expect(text).toContain('replace it')
    expect(secretsIn(text)).toEqual([])
  }
})

/** Where a secret is meant to be read, by whom it was made for. */
const MEANT: Record<string, string[]> = {
  'GET /api/v1/callback-secret': ['the secret of callbacks'],
}

test('no page, document or figure that the owner reads has one', async () => {
  // By now everything outside has refused, and said why.
  await until(async () =>
    (await readAnswer('/metrics', { headers: world.asAgent })).includes('refused'),
  )
  await readAnswer('/settings/devices/topics')
  const leaks: string[] = []
  const reads = ROWS.filter(({ route }) => route.startsWith('GET ') && !route.includes('/events'))
  const reading = reads.flatMap((row) => {
    const { path } = methodAndPath(row)
    // For agents some of them wait.
    const to = `${path.replace(/:\w+/, world.correlationId)}${path.endsWith('questions/:id') ? '?timeoutMs=1000' : ''}`
    return [world.asOwner, world.asAgent, {}].map(async (headers) => {
      const names = secretsIn(await readAnswer(to, { headers }), MEANT[row.route])
      if (names.length > 0) leaks.push(`${row.route} says ${names}`)
    })
  })
  await Promise.all(reading)
  const csv = await readAnswer('/api/v1/audit', {
    headers: { ...world.asOwner, accept: 'text/csv' },
  })
  expect(csv).toContain('text/csv')
  expect([...leaks, ...secretsIn(csv)]).toEqual([])
})

test('the stream of events has no secret', async () => {
  const response = await world.send('/api/v1/events', { headers: world.asOwner })
  const reader = response.body?.getReader()
  const body = JSON.stringify({ question: 'And now?', wait: false })
  await readAnswer('/api/v1/questions', { method: 'POST', headers: world.asAgent, body })
  let heard = ''
  const decoder = new TextDecoder()
  while (!heard.includes('And now?')) {
    const { value } = (await reader?.read()) ?? {}
    heard += decoder.decode(value)
  }
  await reader?.cancel()
  expect(secretsIn(heard)).toEqual([])
})

test('the doctor’s report and the system’s view of the process have no secret', async () => {
  const { port, pid } = world.server
  const env = { BECKON_SLACK_BOT_TOKEN: world.secrets['the bot token of Slack'] ?? '' }
  const args = ['--data', world.dataFolder, '--port', String(port)]
  const { out, err } = await beckon(['doctor', '--json', ...args], { env })
  expect(out.length).toBeGreaterThan(200)
  expect(secretsIn(out + err)).toEqual([])
  for (const file of ['cmdline', 'comm', 'status']) {
    expect(secretsIn(readFileSync(`/proc/${pid}/${file}`, 'utf8'))).toEqual([])
  }
})

test('the log has no secret at its most detailed level, when everything fails', async () => {
  // Reads and writes fail with the statement, and with what was asked for.
  using file = new Database(join(world.dataFolder, 'beckon.db'))
  const tables = ['agent_tokens', 'sign_ins', 'pairing_codes', 'verifications', 'subscribers']
  const all = file.query<{ name: string }, []>(
    "select name from sqlite_master where type = 'table'",
  )
  const names = all.all().map(({ name }) => name)
  for (const name of names.filter((one) => tables.includes(one) || /quest|notif|deliv/.test(one))) {
    file.run(`drop table "${name}"`)
  }
  // An agent is remembered for a second.
  const wrong = { method: 'POST', headers: { ...world.asAgent, ...JSON_TYPE }, body: '{}' }
  await until(async () => (await world.send('/api/v1/notifications', wrong)).status >= 500)
  const answers: string[] = []
  for (const [name, secret] of Object.entries(world.secrets)) {
    for (const [place, [path, request]] of Object.entries(misplacements(secret))) {
      if (place.startsWith('a password')) continue
      for (const who of [{}, world.asOwner, world.asAgent]) {
        const headers = { ...who, ...request.headers }
        const names = secretsIn(await readAnswer(path, { ...request, headers }))
        if (names.length > 0) answers.push(`${name} as ${place} says ${names}`)
      }
    }
    for (const path of [`/pair/${secret}`, `/a/${secret}`, `/setup?key=${secret}`, '/inbox']) {
      for (const headers of [world.asOwner, world.asAgent]) {
        const names = secretsIn(await readAnswer(path, { headers }), [name])
        if (names.length > 0) answers.push(`${path} says ${names}`)
      }
    }
  }
  for (const headers of [world.asOwner, world.asAgent]) {
    for (const path of ['/inbox', '/api/v1/inbox', '/api/v1/agent', '/api/v1/subscribers']) {
      answers.push(...secretsIn(await readAnswer(path, { headers })))
    }
  }
  expect(answers).toEqual([])

  const { err } = await world.server.end('SIGTERM')
  const lines = err.split('\n').filter(Boolean)
  expect(lines.some((line) => line.includes('no such table'))).toBe(true)
  const leaks = lines.filter((line) => secretsIn(line).length > 0)
  expect(leaks.map((line) => [secretsIn(line), line])).toEqual([])
  expect(err).not.toContain(world.callbackPath)
  // On standard output stands the link that lets the owner in, and nothing else.
  expect(secretsIn(world.server.out(), ['the set-up code'])).toEqual([])
})
