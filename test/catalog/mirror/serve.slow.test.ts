import { expect, test } from 'bun:test'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { keepMirror } from '../../../src/catalog/mirror/mirror.ts'
import type { Synced } from '../../../src/catalog/mirror/sync.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { beckon } from '../../support/beckon.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { until } from '../../support/until.ts'
import { DECODE } from '../feeds/feed-world.ts'
import { LOOPBACK, mirrorFolder, mirrorServer, originServer, syncInto } from './mirror-world.ts'
import { relayTo } from './relay.ts'

const FEED_MODULES = await loadFeedModules()

const SOURCE = generatedCatalog(12)
const HOUR_MS = 3_600_000
const MIRROR = '/api/v1/mirror.json'
const env = { BECKON_ALLOW_PRIVATE_HOSTS: LOOPBACK }

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers, redirect: 'manual', decompress: false })
  return { response, body: Buffer.from(await response.arrayBuffer()) }
}

/** Waits until the server at `url` serves what it was told to mirror. */
async function mirrors(url: string): Promise<void> {
  await until(async () => (await get(`${url}${MIRROR}`)).response.status === 200)
}

test('a mirror serves the bytes of its origin under the same addresses', async () => {
  await using origin = await originServer(SOURCE)
  await using mirror = await mirrorServer()
  const { url } = mirror.app
  const args = ['catalog', 'mirror', '--data', mirror.dataFolder, '--json']
  const done = await beckon([...args, '--from', `${origin.url}/`], { env })
  const manifest = await origin.manifest()
  expect([done.code, JSON.parse(done.out)]).toMatchObject([
    0,
    { outcome: 'updated', mirror: { from: origin.url, sequence: manifest.sequence, stale: false } },
  ])
  await mirrors(url)

  const family = [
    '/api/v1/manifest.json',
    '/api/v1/manifest.jws.json',
    '/.well-known/catalog-keys.json',
  ]
  const paths = [...manifest.files.map(({ path }) => path), ...family, '/api/v1/snapshot.tar.gz']
  const wrong: string[] = []
  for (const path of paths) {
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      if (coding !== 'identity' && !/tools\.json|manifest|SLUG|tool-0001/.test(path)) continue
      const accept = { 'accept-encoding': coding }
      const [own, copy] = [await get(origin.url + path, accept), await get(url + path, accept)]
      if (copy.response.status !== 200) wrong.push(`${path} ${copy.response.status}`)
      const plain = (body: Uint8Array) => Buffer.from(DECODE[coding]?.(body) ?? body)
      const isPacked = copy.response.headers.get('content-encoding') === coding
      const [theirs, ours] = isPacked ? [plain(own.body), plain(copy.body)] : [own.body, copy.body]
      if (!ours.equals(theirs)) wrong.push(`${path} ${coding}`)
      for (const name of [
        'content-type',
        'content-encoding',
        'etag',
        'vary',
        'access-control-allow-origin',
      ]) {
        const [a, b] = [own, copy].map((one) => one.response.headers.get(name))
        if (a !== b) wrong.push(`${path} ${coding} ${name} ${a} ${b}`)
      }
      const etag = copy.response.headers.get('etag') ?? ''
      const again = await get(url + path, { ...accept, 'if-none-match': etag })
      if (again.response.status !== 304) wrong.push(`${path} ${coding} is sent again`)
    }
    const { headers } = (await get(url + path)).response
    expect(headers.get('catalog-mirror')).toContain(`sequence=${manifest.sequence}`)
    expect(headers.get('catalog-mirror')).toContain('stale=?0')
    const link = `<${manifest.baseUrl}${path}>; rel="canonical"`
    if (!path.endsWith('.gz')) expect([path, headers.get('link')]).toEqual([path, link])
  }
  expect(wrong).toEqual([])
  // Only the origin has the key, and its file is the one that is served here.
  for (const path of ['/api/v1/catalog.sqlite.minisig', '/.well-known/catalog-minisign.pub']) {
    const { headers, status } = (await get(url + path)).response
    expect([status, headers.get('location')]).toEqual([307, `${manifest.baseUrl}${path}`])
  }
  const blob = manifest.files[3]?.sha256
  const [own, copy] = [
    await get(`${origin.url}/api/v1/blobs/sha256/${blob}`),
    await get(`${url}/api/v1/blobs/sha256/${blob}`),
  ]
  expect(copy.body.equals(own.body)).toBe(true)
  expect(copy.response.headers.get('cache-control')).toBe(own.response.headers.get('cache-control'))
  const head = await get(`${url}/api/v1/tools.json`, {}, 'HEAD')
  expect([head.response.status, head.body.length]).toEqual([200, 0])
  expect(Number(head.response.headers.get('content-length'))).toBeGreaterThan(1000)

  const stopped = await beckon(['catalog', 'mirror', '--stop', '--data', mirror.dataFolder], {
    env,
  })
  expect(stopped.code).toBe(0)
  await until(async () => (await (await fetch(`${url}/api/v1/tools.json`)).json()).count === 0)
  expect((await get(url + MIRROR)).response.status).toBe(404)
}, 120_000)

test('what a mirror does not have it says, or sends to the origin', async () => {
  await using origin = await originServer(SOURCE)
  await using mirror = await mirrorServer()
  const { url, db } = mirror.app
  await syncInto(db, { source: origin.url })
  await mirrors(url)
  const { baseUrl } = await origin.manifest()
  for (const address of [
    '/api/v1/tools.json?kind=api',
    '/tools?q=mail',
    '/compare?tools=a,b',
    '/api/v1/revisions.json?since=1',
    '/sunsets.ics?tool=tool-0001',
  ]) {
    const { response } = await get(url + address)
    expect([response.status, response.headers.get('location')]).toEqual([
      307,
      `${baseUrl}${address}`,
    ])
  }
  for (const path of [
    '/tools/tool-gone',
    '/tools/tool-old-name',
    '/tools/tool-gone.md',
    '/api/v1/tools/nobody.json',
    '/api/v1',
    '/tools/',
    `/api/v1/blobs/sha256/${'0'.repeat(64)}`,
  ]) {
    const [own, copy] = [await get(origin.url + path), await get(url + path)]
    const of = ({ response }: typeof own) => [
      path,
      response.status,
      response.headers.get('location'),
    ]
    expect(of(copy)).toEqual(of(own))
    expect(copy.response.headers.get('link')).toBeNull()
  }
  expect((await get(`${url}/api/v1/live.json?x=1`)).response.status).toBe(400)
  expect((await get(`${url}/api/v1/live.json`, {}, 'POST')).response.status).toBe(405)
  // A stranger's pages must not act as this server's own.
  const page = await get(`${url}/tools`)
  expect(page.response.headers.get('content-security-policy')).toMatch(
    /sandbox(?!.*allow-same-origin)/,
  )
  expect((await get(`${url}/sign-in`)).response.headers.get('catalog-mirror')).toBeNull()
}, 60_000)

test('a mirror of a mirror believes the key of the origin alone', async () => {
  await using origin = await originServer(SOURCE)
  await using middle = await mirrorServer()
  await syncInto(middle.app.db, { source: origin.url })
  await mirrors(middle.app.url)
  await using relay = await relayTo(middle.app.url)
  await using last = mirrorFolder()
  const kid = (await (await fetch(`${origin.url}/.well-known/catalog-keys.json`)).json()).keys[0]
    .kid
  const done = await last.sync({ source: relay.url, key: kid })
  const { sequence, baseUrl } = await origin.manifest()
  expect(done).toMatchObject({ outcome: 'updated', state: { kid, sequence, baseUrl } })
  expect(relay.asked).toHaveLength(4)
  const [tool, ...others] = SOURCE.tools
  const next = await origin.publish({
    ...SOURCE,
    tools: [{ ...tool, summary: 'X.' } as NonNullable<typeof tool>, ...others],
  })
  expect(await last.sync()).toMatchObject({ outcome: 'unchanged' })
  await syncInto(middle.app.db)
  await until(
    async () =>
      (await (await fetch(`${middle.app.url}${MIRROR}`)).json()).sequence === next.sequence,
  )
  expect(await last.sync()).toMatchObject({
    outcome: 'updated',
    state: { sequence: next.sequence },
  })
}, 60_000)

test('a server asks every hour, and goes on serving what is stale', async () => {
  await using origin = await originServer(SOURCE)
  await using relay = await relayTo(origin.url)
  await using folder = mirrorFolder()
  await folder.sync({ source: relay.url })
  relay.reset()
  const ticking = fakeClock(Date.now())
  let passed = 0
  const clock = { ...ticking, now: () => ticking.now() + passed }
  // Looking every two seconds of a week would take long.
  const pass = async (ms: number) => {
    passed += ms
    await ticking.advance(3_000)
  }
  const results: Synced[] = []
  const problems: unknown[] = []
  const { fetch } = createGuardedFetch({ allowPrivateHosts: [LOOPBACK] })
  await using mirror = keepMirror({
    ...{ db: folder.db, clock, fetch, userAgent: 'test', modules: FEED_MODULES, limited: false },
    ...{ addressOf: () => '', random: () => 0.99 },
    synced: (result) => results.push(result),
    report: (error) => problems.push(error),
  })
  const answer = mirror.answer(() => new Response('own'))
  const state = async () => {
    const response = await answer(new Request(`http://localhost${MIRROR}`))
    return { ...(await response?.json()), said: response?.headers.get('catalog-mirror') }
  }
  expect(await state()).toMatchObject({ stale: false, problem: null })
  await pass(HOUR_MS / 2)
  expect(relay.asked).toEqual([])
  await pass(HOUR_MS)
  await until(() => relay.asked.length > 0)
  expect(relay.asked).toEqual(['/api/v1/manifest.json'])
  relay.change = (passing) => ({ ...passing, status: 500 })
  await until(async () => {
    await pass(HOUR_MS / 10)
    return results.length > 0
  })
  expect(results[0]).toMatchObject({ outcome: 'unreachable' })
  await pass(10 * 24 * HOUR_MS)
  await until(async () => (await state()).stale)
  expect((await state()).said).toContain('stale=?1')
  const page = await answer(new Request('http://localhost/tools'))
  expect([page?.status, page?.headers.get('catalog-mirror')]).toEqual([
    200,
    expect.stringContaining('stale=?1'),
  ])
  expect(problems).toEqual([])
}, 60_000)
