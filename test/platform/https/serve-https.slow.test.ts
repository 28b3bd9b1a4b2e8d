import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { certificateFiles } from '../../../src/platform/https/certificate-files.ts'
import { beckon } from '../../support/beckon.ts'
import { freePorts } from '../../support/free-port.ts'
import { PEBBLE, type Pebble, selfSigned, startPebble } from '../../support/pebble.ts'
import { PROGRAM } from '../../support/program.ts'
import { type ServerProcess, serverProcess } from '../../support/server-process.ts'
import { signInAs } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { wholeServer } from '../../support/whole-server.ts'

setDefaultTimeout(60_000)

const NAME = 'beckon.example.com'

function settings(
  { directory, caFile, httpPort }: Pick<Pebble, 'directory' | 'caFile' | 'httpPort'>,
  httpsPort: number,
): Record<string, string> {
  return {
    ...{ BECKON_HOST: '127.0.0.1', BECKON_DOMAIN: NAME, BECKON_HTTPS_PORT: `${httpsPort}` },
    ...{ BECKON_HTTP_PORT: `${httpPort}`, BECKON_ACME_DIRECTORY: directory },
    BECKON_ACME_CA: caFile,
  }
}

/** Who made the certificate that is shown there; undefined when nobody listens. */
function issuerAt(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const at = { host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false }
    const socket = connect(at, () => {
      resolve(String(socket.getPeerCertificate().issuer.CN))
      socket.destroy()
    })
    socket.on('error', () => resolve(undefined))
  })
}

const isPebble = async (port: number) => (await issuerAt(port))?.startsWith('Pebble') ?? false

describe.skipIf(!PEBBLE)('with an authority (Debian package pebble)', () => {
  let pebble: Pebble
  beforeAll(async () => {
    pebble = await startPebble({ PEBBLE_AUTHZREUSE: '0' })
  })
  afterAll(() => pebble?.[Symbol.asyncDispose]())

  /** As a browser asks that knows the authority. */
  async function secureFetch(port: number, path: string, init: RequestInit = {}) {
    const headers = { host: NAME, ...(init.headers as Record<string, string>) }
    const tls = { ca: await pebble.root(), serverName: NAME }
    return await fetch(`https://127.0.0.1:${port}${path}`, { ...init, headers, tls } as never)
  }

  test('from an empty folder: not ready, then https, with links to the name', async () => {
    using folder = tempFolder()
    const [httpsPort = 0] = freePorts(1)
    await using server = await serverProcess(folder.path, 0, { env: settings(pebble, httpsPort) })
    const first = await fetch(`${server.url}/readyz`)
    if (first.status !== 200) {
      expect(((await first.json()) as { detail: string }).detail).toContain(NAME)
    }
    await until(async () => (await fetch(`${server.url}/readyz`)).ok)
    const path = /https:\/\/beckon\.example\.com(\/setup\S+)/.exec(server.out())?.[1] ?? ''
    const page = await secureFetch(httpsPort, path)
    expect([page.status, page.headers.get('strict-transport-security')]).toEqual([
      200,
      expect.stringContaining('max-age'),
    ])
    const plain = await fetch(`http://127.0.0.1:${pebble.httpPort}/inbox`, {
      headers: { host: NAME },
      redirect: 'manual',
    })
    expect([plain.status, plain.headers.get('location')]).toEqual([308, `https://${NAME}/inbox`])
    expect(statSync(join(folder.path, 'https/certificate.json')).mode & 0o777).toBe(0o600)
    expect((await server.end('SIGTERM')).code).toBe(0)
  })

  test('killed in the middle of an order, the next start goes on with that order', async () => {
    // It may look at the challenge while no server runs, which would end the order rightly.
    await using slow = await startPebble({
      ...{ PEBBLE_VA_NOSLEEP: '', PEBBLE_VA_SLEEPTIME: '3', PEBBLE_VA_ALWAYS_VALID: '1' },
    })
    using folder = tempFolder()
    const [httpsPort = 0] = freePorts(1)
    const files = certificateFiles(folder.path)
    const start = () => serverProcess(folder.path, 0, { env: settings(slow, httpsPort) })
    for (let n = 0; n < 3; n++) {
      await using server: ServerProcess = await start()
      await until(
        () =>
          files.read('attempts')?.order !== undefined || files.read('certificate') !== undefined,
      )
      await server.end('SIGKILL')
    }
    await using last = await start()
    await until(async () => (await fetch(`${last.url}/readyz`)).ok)
    expect(await isPebble(httpsPort)).toBe(true)
    expect(
      slow
        .log()
        .match(/There are now \d+ orders in the db/g)
        ?.at(-1),
    ).toContain('now 1 orders')
  })

  test('a renewal cuts no held call and no stream, and the port stays open', async () => {
    const [httpsPort = 0] = freePorts(1)
    const env = settings(pebble, httpsPort)
    await using world = await wholeServer({
      env,
      idleSeconds: 2,
      fill: async (folder) => {
        using temporary = tempFolder()
        const pair = selfSigned(temporary.path, NAME)
        const [key, chain] = [readFileSync(pair.key, 'utf8'), readFileSync(pair.cert, 'utf8')]
        const [files, now] = [certificateFiles(folder), Date.now()]
        const old = { directory: 'https://old.example/dir', names: [NAME], obtainedAt: now }
        files.write('certificate', { ...old, key, chain })
        // The renewal is due, and may begin only in a moment.
        const { directory } = pebble
        const wait = { directory, names: [NAME], count: 1, notBefore: now + 3_500, decidedAt: now }
        files.write('attempts', wait)
      },
    })
    expect(await issuerAt(httpsPort)).toBe(NAME)
    const open = (path: string, init: RequestInit = {}) =>
      fetch(`https://127.0.0.1:${httpsPort}${path}`, {
        ...init,
        ...({ tls: { rejectUnauthorized: false } } as object),
      })
    const cookie = await signInAs(world.app, 'owner' as never)
    const events = await open('/api/v1/events', { headers: { cookie } })
    let stream = ''
    const following = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of events.body ?? []) stream += decoder.decode(chunk)
    })().catch(() => {})
    const headers = {
      authorization: `Bearer ${await world.token()}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ question: 'Deploy?', type: 'confirm', wait: false })
    const response = await open('/api/v1/questions', { method: 'POST', headers, body })
    const { correlationId } = (await response.json()) as { correlationId: string }
    const held = open(`/api/v1/questions/${correlationId}?timeoutMs=50000`, { headers })

    let refused = 0
    await until(async () => {
      const issuer = await issuerAt(httpsPort)
      if (issuer === undefined) refused++
      return issuer?.startsWith('Pebble') ?? false
    })
    for (let n = 0; n < 20; n++) expect(await isPebble(httpsPort)).toBe(true)
    // One may be made at the moment at which the old socket closes.
    expect(refused).toBeLessThanOrEqual(1)
    // Whoever asks over it is known by the address, under each certificate.
    expect((await open('/metrics')).status).toBe(200)

    const answered = await secureFetch(httpsPort, `/api/v1/questions/${correlationId}/answer`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', origin: `https://${NAME}` },
      body: JSON.stringify({ value: 'yes', surface: 'inbox' }),
    })
    expect(answered.status).toBe(200)
    expect(await (await held).json()).toMatchObject({ answered: true, value: 'yes' })
    await until(() => stream.includes('question.ended'))
    await world[Symbol.asyncDispose]()
    await following
  })
})

test('an expired certificate is served while the authority is away', async () => {
  const [httpsPort = 0, httpPort = 0, nobody = 0] = freePorts(3)
  const fixture = (name: string) =>
    readFileSync(join(import.meta.dir, `../../fixtures/tls/${name}.pem`), 'utf8')
  using folder = tempFolder()
  const directory = `https://127.0.0.1:${nobody}/dir`
  certificateFiles(folder.path).write('certificate', {
    ...{ directory, names: [NAME], obtainedAt: 0 },
    ...{ key: fixture('expired-key'), chain: fixture('expired-cert') },
  })
  const env = settings({ directory, httpPort, caFile: join(folder.path, 'none') }, httpsPort)
  const { BECKON_ACME_CA: _none, ...more } = env
  await using server = await serverProcess(folder.path, 0, { env: more })
  await until(() => certificateFiles(folder.path).read('attempts')?.reason !== undefined)
  expect(await issuerAt(httpsPort)).toBeDefined()
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  const { err } = await server.end('SIGTERM')
  expect(err).toContain('the certificate has expired')
})

test('a start that is only tried opens no port and asks no authority', async () => {
  using folder = tempFolder()
  using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = taken.port ?? 0
  const base = { directory: `https://127.0.0.1:${port}/dir`, caFile: '/nowhere', httpPort: port }
  const env = settings(base, port)
  const { code, out } = await beckon(['serve', '--check', '--data', folder.path], { env })
  expect([code, out]).toEqual([0, expect.stringContaining('starts and answers')])
})

// The kernel keeps ports below 1024 from whoever lacks that right, root too.
const WITHOUT_RIGHT = [
  'setpriv',
  '--bounding-set=-net_bind_service',
  '--inh-caps=-net_bind_service',
]
const mayDrop = Bun.which('setpriv') !== null && process.getuid?.() === 0

test.skipIf(!mayDrop)('a port that needs a right is said with the ways to it', async () => {
  using folder = tempFolder()
  const [free = 0] = freePorts(1)
  const args = ['serve', '--domain', NAME, '--data', folder.path, '--port', '0']
  for (const [more, port, option] of [
    [[], 443, '--https-port'],
    [['--https-port', `${free}`], 80, '--http-port'],
  ] as const) {
    const child = Bun.spawn([...WITHOUT_RIGHT, ...PROGRAM, ...args, ...more], { stderr: 'pipe' })
    const [err, code] = [await new Response(child.stderr).text(), await child.exited]
    expect(code).toBe(1)
    for (const part of [
      `port ${port}`,
      'AmbientCapabilities=CAP_NET_BIND_SERVICE',
      'setcap',
      option,
    ]) {
      expect(err).toContain(part)
    }
  }
})

test('an authority that cannot be trusted is a wrong setting, and nothing was made', async () => {
  using folder = tempFolder()
  const empty = join(folder.path, 'empty.pem')
  writeFileSync(empty, 'no certificate')
  const [free = 0, other = 0] = freePorts(2)
  const data = join(folder.path, 'data')
  for (const [caFile, why] of [
    ['/nowhere/ca.pem', 'cannot be read (ENOENT)'],
    [empty, 'contains no certificate (PEM)'],
  ] as const) {
    const env = settings({ directory: 'https://127.0.0.1:1/dir', caFile, httpPort: free }, other)
    const { code, err } = await beckon(['serve', '--data', data, '--port', '0'], { env })
    expect(err).toStartWith(`BECKON_ACME_CA names ${caFile}, which ${why}.`)
    expect([code, existsSync(data)]).toEqual([2, false])
  }
})

test('ports that are taken are one sentence each', async () => {
  using folder = tempFolder()
  const [free = 0] = freePorts(1)
  using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const base = { directory: 'https://127.0.0.1:1/dir', caFile: '', httpPort: free }
  const port = taken.port ?? 0
  const WRONG: Array<[Record<string, string>, string]> = [
    [
      settings(base, port),
      `Port ${port} on 127.0.0.1 is taken by another program; stop that one or choose another with --https-port.`,
    ],
    [settings({ ...base, httpPort: port }, free), 'choose another with --http-port.'],
  ]
  for (const [env, sentence] of WRONG) {
    const { code, err } = await beckon(['serve', '--data', folder.path, '--port', '0'], { env })
    expect(code).toBeGreaterThan(0)
    expect(err).toContain(sentence)
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})
