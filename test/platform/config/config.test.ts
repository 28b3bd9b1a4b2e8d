import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Flags } from '../../../src/platform/config/config.ts'
import { WrongUsage } from '../../../src/platform/failure.ts'
import { configReader, readConfig, readEnvironment } from '../../../src/settings.ts'
import { tempFolder } from '../../support/temp-folder.ts'

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(WrongUsage)
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

// The other defaults are compared with docs/configuration.md in env-example.test.ts.
test('the defaults that follow from other settings are what the documents promise', () => {
  using folder = tempFolder()
  expect(readConfig({ data: folder.path }, {})).toMatchObject({
    baseUrl: 'http://localhost:8484',
    snapshots: { folder: join(folder.path, 'snapshots') },
  })
})

const RIGHT: Array<[variable: string, text: string, expected: object]> = [
  ['BECKON_HOST', '0.0.0.0', { host: '0.0.0.0', baseUrl: 'http://localhost:8484' }],
  ['BECKON_HOST', '192.168.1.5', { baseUrl: 'http://192.168.1.5:8484' }],
  ['BECKON_HOST', 'fd00::5', { baseUrl: 'http://[fd00::5]:8484' }],
  ['BECKON_HOST', '0', { host: '0' }],
  ['BECKON_HOST', '0.example.com', { host: '0.example.com' }],
  ['BECKON_PORT', '9000', { port: 9000, baseUrl: 'http://localhost:9000' }],
  ['BECKON_BASE_URL', 'https://Beckon.example.com/', { baseUrl: 'https://beckon.example.com' }],
  ['BECKON_OAUTH', 'on', { oauth: { signIn: true } }],
  ['BECKON_OAUTH_CLIENT_DOCUMENTS', 'off', { oauth: { clientDocuments: false } }],
  ['BECKON_TRUST_PROXY', 'off', { trustProxy: [] }],
  [
    'BECKON_TRUST_PROXY',
    'Loopback, private,10.1.2.3 ,10.0.0.0/8,fc00::/7,::1,::ffff:10.0.0.9',
    {
      trustProxy: [
        ...['loopback', 'private', '10.1.2.3', '10.0.0.0/8', 'fc00::/7', '::1'],
        '::ffff:10.0.0.9',
      ],
    },
  ],
  [
    'BECKON_VAPID_SUBJECT',
    'mailto:ada@example.com',
    { webPush: { subject: 'mailto:ada@example.com' } },
  ],
  ['BECKON_VAPID_SUBJECT', 'https://example.com', { webPush: { subject: 'https://example.com' } }],
  [
    'BECKON_ALLOW_PRIVATE_HOSTS',
    'ntfy.LAN, 10.0.0.0/8,192.168.1.9, fd00::/8,::1',
    { allowPrivateHosts: ['ntfy.lan', '10.0.0.0/8', '192.168.1.9', 'fd00::/8', '::1'] },
  ],
  [
    'BECKON_ALLOWED_ORIGINS',
    'https://App.example:443, http://10.0.0.5:3000/,',
    { allowedOrigins: ['https://app.example', 'http://10.0.0.5:3000'] },
  ],
  ['BECKON_LOG', 'json', { log: 'json' }],
  ['BECKON_LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ['BECKON_RETENTION_DAYS', '30', { retention: { days: 30 } }],
  ['BECKON_CATALOG_RATE_LIMIT', 'off', { catalog: { rateLimit: false } }],
  ['BECKON_CATALOG_PROBES', 'off', { catalog: { probes: false } }],
  [
    'BECKON_AUDIT_URL',
    'https://log.example.com/x',
    { audit: { url: 'https://log.example.com/x' } },
  ],
  [
    'BECKON_CATALOG_CANARY',
    'https://up.example.com/',
    { catalog: { canary: 'https://up.example.com' } },
  ],
]

for (const [variable, text, expected] of RIGHT) {
  test(`${variable}=${text} is taken`, () => {
    using folder = tempFolder()
    expect(readConfig({ data: folder.path }, { [variable]: text })).toMatchObject(expected)
  })

  test(`${variable}_FILE naming a file with ${text} is taken`, () => {
    using folder = tempFolder()
    const path = join(folder.path, 'value')
    writeFileSync(path, `${text}\n`)
    const config = readConfig({ data: folder.path }, { [`${variable}_FILE`]: path })
    expect(config).toMatchObject(expected)
  })
}

const WRONG: Array<[variable: string, text: string]> = [
  ['BECKON_HOST', 'two words'],
  ['BECKON_HOST', 'http://[::1]:1'],
  ['BECKON_HOST', '[::1'],
  ['BECKON_HOST', '127.0.0.1:80'],
  ['BECKON_HOST', '%'],
  ['BECKON_HOST', 'a?'],
  ['BECKON_HOST', '5'],
  ['BECKON_HOST', '0.0.0.5'],
  ['BECKON_HOST', '127.0.0.1,::1'],
  ['BECKON_PORT', '65536'],
  ['BECKON_PORT', '-1'],
  ['BECKON_PORT', '1e3'],
  ['BECKON_BASE_URL', 'beckon.example.com'],
  ['BECKON_BASE_URL', 'ftp://example.com'],
  ['BECKON_BASE_URL', 'https://example.com/beckon'],
  ['BECKON_BASE_URL', 'https://user:pass@example.com'],
  ['BECKON_OAUTH', 'perhaps'],
  ['BECKON_OAUTH_CLIENT_DOCUMENTS', 'no'],
  ['BECKON_OAUTH', '__proto__'],
  ...['2', 'on', 'true', ',', 'proxy.lan', '10.0.0', '0.0.0.0/0', '::/0', '0.0.0.0/1'].map(
    (text) => ['BECKON_TRUST_PROXY', text] as [string, string],
  ),
  ...['::ffff:0.0.0.0/96', '::ffff:0:0/100', '2000::/3', '10.0.0.0/33', 'private,on'].map(
    (text) => ['BECKON_TRUST_PROXY', text] as [string, string],
  ),
  ['BECKON_VAPID_SUBJECT', 'ada@example.com'],
  ['BECKON_VAPID_SUBJECT', 'mailto:ada@localhost'],
  ['BECKON_VAPID_SUBJECT', 'https://beckon.local'],
  ['BECKON_VAPID_SUBJECT', 'http://example.com'],
  ['BECKON_ALLOWED_ORIGINS', '*'],
  ['BECKON_ALLOWED_ORIGINS', 'null'],
  ['BECKON_ALLOWED_ORIGINS', 'https://a.example, b.example'],
  ['BECKON_ALLOWED_ORIGINS', 'https://a.example/path'],
  ['BECKON_ALLOW_PRIVATE_HOSTS', 'http://ntfy.lan'],
  ['BECKON_ALLOW_PRIVATE_HOSTS', '10.0.0.0/33'],
  ['BECKON_ALLOW_PRIVATE_HOSTS', '10.0.0'],
  ['BECKON_ALLOW_PRIVATE_HOSTS', 'ntfy.lan:8080'],
  ['BECKON_SMTP_FROM', 'Beckon <beckon@example.com>'],
  ['BECKON_SMTP_FROM', 'beckon'],
  ['BECKON_LOG', 'xml'],
  ['BECKON_LOG_LEVEL', 'loud'],
  ['BECKON_RETENTION_DAYS', '0'],
  ['BECKON_CATALOG_RATE_LIMIT', '10'],
  ['BECKON_CATALOG_PROBES', 'sometimes'],
  ['BECKON_CATALOG_CANARY', 'up.example.com'],
]

for (const [variable, text] of WRONG) {
  test(`${variable}=${text} is refused in one sentence that names it`, () => {
    using folder = tempFolder()
    const sentence = messageOf(() => readConfig({ data: folder.path }, { [variable]: text }))
    expect(sentence).toStartWith(`${variable} must be `)
    expect(sentence).toEndWith(`, not "${text}".`)
    expect(sentence).not.toContain('\n')
  })
}

test('a flag wins over a variable, a variable over the file, the file over the default', () => {
  using folder = tempFolder()
  writeFileSync(
    join(folder.path, 'beckon.toml'),
    'port = 1001\nlog = "json"\noauth = true\nallow_private_hosts = ["a.lan", "10.0.0.0/8"]\n',
  )
  const read = (flags: Flags, env: Record<string, string>) =>
    readConfig({ data: folder.path, ...flags }, env)
  expect(read({}, {})).toMatchObject({
    port: 1001,
    log: 'json',
    oauth: { signIn: true },
    allowPrivateHosts: ['a.lan', '10.0.0.0/8'],
  })
  expect(read({}, { BECKON_PORT: '1002' }).port).toBe(1002)
  expect(read({ port: '1003' }, { BECKON_PORT: '1002' }).port).toBe(1003)
})

test('the data folder may come from the environment, and an empty variable says nothing', () => {
  using folder = tempFolder()
  const config = readConfig({}, { BECKON_DATA: folder.path, BECKON_PORT: '' })
  expect(config).toMatchObject({ dataFolder: folder.path, port: 8484 })
})

// What Kubernetes sets in a pod beside Services called `beckon` and `beckon-http`.
const SERVICE_LINKS = {
  BECKON_SERVICE_HOST: '10.96.12.7',
  BECKON_SERVICE_PORT: '80',
  BECKON_SERVICE_PORT_HTTP: '80',
  BECKON_PORT: 'tcp://10.96.12.7:80',
  BECKON_PORT_80_TCP: 'tcp://10.96.12.7:80',
  BECKON_PORT_80_TCP_PROTO: 'tcp',
  BECKON_PORT_80_TCP_PORT: '80',
  BECKON_PORT_80_TCP_ADDR: '10.96.12.7',
  BECKON_HTTP_SERVICE_HOST: 'fd00::7',
  BECKON_HTTP_SERVICE_PORT: '53',
  BECKON_HTTP_PORT: 'udp://[fd00::7]:53',
  BECKON_HTTP_PORT_53_UDP: 'udp://[fd00::7]:53',
  BECKON_HTTP_PORT_53_UDP_ADDR: 'fd00::7',
}

test('a variable whose own name ends like one that names a file holds its value', () => {
  const config = readConfig({}, { BECKON_POLICY_FILE: '/etc/beckon/policy.yaml' })
  expect(config.policyFile.path).toBe('/etc/beckon/policy.yaml')
})

test('variables that Kubernetes sets for Services of these names are no settings', () => {
  using folder = tempFolder()
  const config = readConfig({ data: folder.path }, SERVICE_LINKS)
  expect(config).toMatchObject({ port: 8484, baseUrl: 'http://localhost:8484' })
  const beside = { ...SERVICE_LINKS, BECKON_URL: 'https://a.example', BECKON_TOKEN: 'bk_1' }
  expect(configReader.readClientConfig(beside)).toEqual({ url: 'https://a.example', token: 'bk_1' })
  // A Service called `beckon-service`.
  const another = { BECKON_SERVICE_PORT: 'tcp://10.0.0.1:80', BECKON_SERVICE_SERVICE_PORT: '80' }
  expect([...readEnvironment({ ...SERVICE_LINKS, ...another })]).toEqual([])
})

test.each([
  ['BECKON_SERVICE_HOST', 'beckon.example.com'],
  ['BECKON_SERVICE_PORT', 'http'],
  ['BECKON_SERVICE_PORT_', '80'],
  ['BECKON_SERVICE_NAME', 'beckon'],
  ['BECKON_PORT', 'http://10.96.12.7:80'],
  ['BECKON_PORT', 'tcp://10.96.12.7'],
  ['BECKON_PORT', 'tcp://beckon:80'],
  ['BECKON_PORT_80_TCP', '80'],
  ['BECKON_PORT_80_TCP_ADDR', 'here'],
  ['BECKON_PORT_80_HTTP', 'tcp://10.96.12.7:80'],
  ['BECKON_PORTS', 'tcp://10.96.12.7:80'],
])('what only resembles them is refused: %s=%s', (name, value) => {
  expect(() => readConfig({}, { [name]: value })).toThrow(name)
})

test('unknown names, double values, unreadable files and broken TOML are named', () => {
  using folder = tempFolder()
  const read = (env: Record<string, string>) =>
    messageOf(() => readConfig({ data: folder.path }, env))
  expect(read({ BECKON_PROT: '1' })).toBe(
    'BECKON_PROT is not a variable that Beckon knows; did you mean "BECKON_PORT"?',
  )
  expect(read({ BECKON_AUDIT_URL: 'x' })).toBe(
    'BECKON_AUDIT_URL must be an http or https address, like https://api.example.com/v1, not "x".',
  )
  expect(read({ BECKON_PORT_FIL: '1' })).toEndWith('; did you mean "BECKON_PORT_FILE"?')
  expect(read({ BECKON_XYZZY_QUUX: '1' })).toEndWith('; beckon docs configuration lists them.')
  expect(read({ BECKON_PORT: '1', BECKON_PORT_FILE: '/x' })).toContain('BECKON_PORT is set twice')
  expect(read({ BECKON_PORT_FILE: '/nowhere/x' })).toBe(
    'BECKON_PORT_FILE names /nowhere/x, which cannot be read (ENOENT).',
  )
  expect(messageOf(() => readConfig({ data: folder.path, port: 'x' }, {}))).toStartWith(
    '--port must be',
  )

  const toml = join(folder.path, 'beckon.toml')
  writeFileSync(toml, 'prot = 1')
  expect(read({})).toBe(`${toml} sets "prot", which Beckon does not know; did you mean "port"?`)
  writeFileSync(toml, 'port = "x"')
  expect(read({})).toStartWith(`port in ${toml} must be a port number`)
  writeFileSync(toml, 'host = 5')
  expect(read({})).toStartWith(`host in ${toml} must be a host name or an IP address`)
  writeFileSync(toml, 'port = = 1')
  expect(read({})).toStartWith(`${toml} is not valid TOML`)
})

test('the client commands read their server and token, also from a file', () => {
  using folder = tempFolder()
  const path = join(folder.path, 'token')
  writeFileSync(path, 'bk_secret\n')
  expect(
    configReader.readClientConfig({
      BECKON_URL: 'http://localhost:8484/',
      BECKON_TOKEN_FILE: path,
    }),
  ).toEqual({ url: 'http://localhost:8484', token: 'bk_secret' })
  expect(messageOf(() => configReader.readClientConfig({ BECKON_URL: 'nowhere' }))).toStartWith(
    'BECKON_URL must be',
  )
})

test("a bot token of Slack has Slack's form, and what is given instead is never repeated", () => {
  using folder = tempFolder()
  const read = (text: string) =>
    readConfig({ data: folder.path }, { BECKON_SLACK_BOT_TOKEN: text }).slack.botToken
  for (const right of ['xoxb-1234567890-2345678901-AbCdEf', 'xoxe.xoxb-1-AbCdEf12']) {
    expect(read(right)).toBe(right)
  }
  for (const wrong of [
    'hidden',
    'xoxp-hidden-hidden',
    'xapp-hidden-hidden',
    'xoxb-hidden hidden',
    'xoxb-',
  ]) {
    const sentence = messageOf(() => read(wrong))
    expect(sentence).toBe(
      'BECKON_SLACK_BOT_TOKEN must be the bot token of a Slack app, xoxb-…, as its page OAuth & Permissions shows it.',
    )
  }
})

test('a mail server is read whole or refused, and its password is never repeated', () => {
  using folder = tempFolder()
  const read = (url: string, more: Record<string, string> = {}) =>
    readConfig({ data: folder.path }, { BECKON_SMTP_URL: url, ...more }).smtp
  const from = { BECKON_SMTP_FROM: 'beckon@example.com' }
  expect(read('smtps://u%40x:p%25w@mail.example.com', from)).toEqual({
    ...{ host: 'mail.example.com', port: 465, isSecure: true, from: 'beckon@example.com' },
    auth: { user: 'u@x', pass: 'p%w' },
  })
  expect(read('smtp://[fd00::5]:2525', from)).toMatchObject({
    ...{ host: 'fd00::5', port: 2525, isSecure: false, auth: undefined },
  })
  for (const wrong of [
    'https://u:hidden@mail.example.com',
    'smtps://hidden@mail.example.com',
    'smtps://u%0d%0aRCPT:hidden@mail.example.com',
    'smtps://u:hidden%zz@mail.example.com',
    'smtps://u:hidden@mail.example.com/path',
    'smtps://u:hidden@mail.example.com:0',
  ]) {
    const sentence = messageOf(() => read(wrong, from))
    expect([wrong, sentence]).toEqual([wrong, expect.stringMatching(/^BECKON_SMTP_URL must be /)])
    expect(sentence).not.toContain('hidden')
  }
  expect(messageOf(() => read('smtps://mail.example.com'))).toContain('BECKON_SMTP_FROM is not')
  expect(messageOf(() => read('', from))).toContain('BECKON_SMTP_URL is not')
})

test('with a name of its own, the server is for the world there and for this machine here', () => {
  using folder = tempFolder()
  const read = (env: Record<string, string>) => readConfig({ data: folder.path }, env)
  expect(read({ BECKON_DOMAIN: 'Beckon.Example.com, bücher.example' })).toMatchObject({
    ...{ host: '127.0.0.1', port: 8484, baseUrl: 'https://beckon.example.com' },
    https: {
      ...{ domains: ['beckon.example.com', 'xn--bcher-kva.example'], httpsPort: 443, httpPort: 80 },
      directory: expect.stringContaining('acme-v02.api.letsencrypt.org'),
    },
  })
  const own = {
    BECKON_DOMAIN: 'a.example',
    BECKON_HOST: '192.0.2.1',
    BECKON_BASE_URL: 'https://b.example',
  }
  expect(read(own)).toMatchObject({
    ...{ host: '127.0.0.1', baseUrl: 'https://b.example', https: { host: '192.0.2.1' } },
  })
  const staging = { BECKON_DOMAIN: 'a.example', BECKON_ACME_DIRECTORY: 'staging' }
  expect(read(staging).https?.directory).toContain('staging')
})

test.each([
  ['BECKON_DOMAIN', 'localhost'],
  ['BECKON_DOMAIN', '192.0.2.1'],
  ['BECKON_DOMAIN', '[::1]'],
  ['BECKON_DOMAIN', '*.example.com'],
  ['BECKON_DOMAIN', 'https://a.example'],
  ['BECKON_DOMAIN', 'a.example:443'],
  ['BECKON_DOMAIN', 'a.example/x'],
  ['BECKON_DOMAIN', 'a.example:80'],
  ['BECKON_DOMAIN', 'ada@a.example'],
  ['BECKON_DOMAIN', 'a_b.example'],
  ['BECKON_DOMAIN', '-a.example'],
  ['BECKON_DOMAIN', `${'a'.repeat(64)}.example`],
  ['BECKON_DOMAIN', Array.from({ length: 11 }, (_, n) => `a${n}.example`).join()],
  ['BECKON_DOMAIN', 'a.example,,b c.example'],
  ['BECKON_ACME_DIRECTORY', 'http://a.example/dir'],
  ['BECKON_ACME_DIRECTORY', 'https://user:secret@a.example/dir'],
  ['BECKON_ACME_EMAIL', 'nobody'],
  ['BECKON_HTTPS_PORT', '70000'],
])('%s must not be %p', (name, value) => {
  using folder = tempFolder()
  for (const more of [{ BECKON_DOMAIN: 'a.example' }, {}]) {
    const env = { ...more, [name]: value }
    expect(messageOf(() => readConfig({ data: folder.path }, env))).toStartWith(`${name} must be `)
  }
})
