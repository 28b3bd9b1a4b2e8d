import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isPublicAddress } from '../../src/platform/outgoing/allowed-targets.ts'
import { createGuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'
import { ALL_FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../support/forbidden-addresses.ts'

const TLS = `${import.meta.dir}/../fixtures/tls`
const NAME = 'push.example.test'
let plain: Bun.Server<undefined>
let secure: Bun.Server<undefined>
let ca: string
let visits: string[] = []

beforeAll(async () => {
  ca = await Bun.file(`${TLS}/cert.pem`).text()
  const fetch = (request: Request) => {
    const url = new URL(request.url)
    visits.push(url.pathname)
    if (url.pathname === '/redirect') return Response.redirect(`${plain.url}inside`, 307)
    if (url.pathname === '/large') return new Response('x'.repeat(200_000))
    if (url.pathname === '/endless') return new Response(endless())
    if (url.pathname === '/hang') return new Promise<Response>(() => {})
    return Response.json({ host: request.headers.get('host') })
  }
  plain = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch })
  const tls = { key: Bun.file(`${TLS}/key.pem`), cert: ca }
  secure = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch })
})

afterAll(async () => {
  await plain.stop(true)
  await secure.stop(true)
})

function endless() {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(new Uint8Array(1_000))
    },
  })
}

const local = () => createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })

test('no spelling of a private address is reached, over http or https', async () => {
  visits = []
  const guard = createGuardedFetch()
  for (const host of ALL_FORBIDDEN_HOSTS) {
    for (const url of [`http://${host}:${plain.port}/`, `https://${host}:${secure.port}/`]) {
      expect([url, (await guard.fetch(url)).outcome]).toEqual([url, 'blocked'])
      expect([url, guard.refusal(url) === undefined]).toEqual([url, false])
    }
  }
  expect(visits).toEqual([])
})

test('what is no plain https address is refused without a look-up', async () => {
  const looked: string[] = []
  const guard = createGuardedFetch({
    resolve: async (host) => {
      looked.push(host)
      return ['1.1.1.1']
    },
  })
  for (const url of FORBIDDEN_URLS) {
    expect([url, (await guard.fetch(url)).outcome]).toEqual([url, 'blocked'])
  }
  expect(looked).toEqual([])
})

test('a public address is one of the unicast internet', () => {
  const open = ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001::1', '100.128.0.1']
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([])
  expect(['', 'x', '1.1.1.1:80', '::1%eth0'].filter(isPublicAddress)).toEqual([])
})

test('a name is refused when any of its addresses is private', async () => {
  visits = []
  for (const addresses of [['127.0.0.1'], ['1.1.1.1', '10.0.0.1'], ['::ffff:127.0.0.1'], ['::1']]) {
    const guard = createGuardedFetch({ resolve: async () => addresses })
    const outcome = await guard.fetch(`https://rebind.example:${secure.port}/`)
    expect([addresses, outcome.outcome]).toEqual([addresses, 'blocked'])
  }
  expect(visits).toEqual([])
})

test('the connection goes to the address that was checked, under the name that was asked', async () => {
  const answers = [['127.0.0.1'], ['10.9.9.9']]
  let looks = 0
  const guard = createGuardedFetch({
    ca,
    allowPrivateHosts: ['127.0.0.0/8'],
    resolve: async () => answers[looks++] ?? [],
  })
  const fetched = await guard.fetch(`https://${NAME}:${secure.port}/`)
  expect(fetched).toMatchObject({ outcome: 'answered', status: 200 })
  const body = fetched.outcome === 'answered' ? Buffer.from(fetched.body).toString() : ''
  expect(JSON.parse(body)).toEqual({ host: `${NAME}:${secure.port}` })
  expect(looks).toBe(1)
})

test('a certificate for another name is not accepted', async () => {
  visits = []
  const guard = createGuardedFetch({
    ca,
    allowPrivateHosts: ['127.0.0.0/8'],
    resolve: async () => ['127.0.0.1'],
  })
  const fetched = await guard.fetch(`https://other.example.test:${secure.port}/`)
  expect(fetched.outcome).toBe('unreachable')
  expect(visits).toEqual([])
})

test('the next address is tried when one cannot be connected to', async () => {
  const guard = createGuardedFetch({
    ca,
    allowPrivateHosts: [NAME],
    resolve: async () => ['127.0.0.2', '127.0.0.1'],
  })
  const fetched = await guard.fetch(`https://${NAME}:${secure.port}/`)
  expect(fetched).toMatchObject({ outcome: 'answered', status: 200 })
})

test('a redirect is an answer and is not followed', async () => {
  visits = []
  const fetched = await local().fetch(`${plain.url}redirect`)
  expect(fetched).toMatchObject({ outcome: 'answered', status: 307 })
  expect(visits).toEqual(['/redirect'])
})

test('an answer is read up to its limit; one that never ends stands as far as it came', async () => {
  const large = await local().fetch(`${plain.url}large`, { maxBytes: 1_000 })
  expect(large).toMatchObject({ outcome: 'answered', cut: 'long' })
  expect(large.outcome === 'answered' && large.body.length).toBe(1_000)
  const request = { maxBytes: 1e9, timeoutMs: 100 }
  const cut = await local().fetch(`${plain.url}endless`, request)
  expect(cut).toMatchObject({ outcome: 'answered', status: 200, cut: 'broken' })
  expect(cut.outcome === 'answered' && cut.body.length).toBeGreaterThan(0)
})

test('silence, a hang-up, a closed port and an unknown name are outcomes, not errors', async () => {
  const { fetch } = local()
  expect(await fetch(`${plain.url}hang`, { timeoutMs: 50 })).toMatchObject({ outcome: 'timeout' })
  const signal = AbortSignal.abort()
  expect(await fetch(`${plain.url}hang`, { signal })).toMatchObject({ outcome: 'aborted' })
  expect(await fetch('http://127.0.0.1:1/')).toMatchObject({ outcome: 'unreachable' })
  const unknown = createGuardedFetch({
    resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
  })
  expect(await unknown.fetch('https://unknown.example/')).toMatchObject({
    outcome: 'unreachable',
    reason: 'The connection failed (ENOTFOUND).',
  })
})

test('a look-up that never answers is given up in time', async () => {
  const guard = createGuardedFetch({ resolve: () => new Promise(() => {}) })
  const fetched = await guard.fetch('https://slow.example/', { timeoutMs: 30 })
  expect(fetched).toMatchObject({ outcome: 'timeout' })
})
