import { expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { checkPublishedCatalog } from '../../../src/catalog/verifying/check-published-catalog.ts'
import { fromAddress } from '../../../src/catalog/verifying/from-address.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { feedWorld } from '../feeds/feed-world.ts'
import { mirrorFolder } from '../mirror/mirror-world.ts'
import { nginxServer } from './nginx-server.ts'

const SAME = [
  'access-control-allow-origin',
  'cache-control',
  'content-encoding',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'link',
  'permissions-policy',
  'referrer-policy',
  'vary',
  'x-content-type-options',
]

test('nginx sends what Beckon sends', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(12))
  using work = tempFolder()
  const root = join(work.path, 'site')
  const { paths } = await world.export(root)
  await using nginx = await nginxServer(join(work.path, 'nginx'), root)
  const get = async (from: string, path: string, headers: Record<string, string>) => {
    const all = { headers, redirect: 'manual', decompress: false } as const
    const response = await fetch(`${from}${path}`, all)
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const wrong: string[] = []
  expect(paths.length).toBeGreaterThan(80)
  for (const path of paths) {
    const tags = new Set<string>()
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': coding }
      const own = await get(world.url, path, headers)
      const reply = await get(nginx.url, path, headers)
      const small = coding === 'gzip' && reply.response.headers.get('content-encoding') === null
      const expected = small ? await get(world.url, path, { 'accept-encoding': 'identity' }) : own
      if (reply.response.status !== 200) wrong.push(`${path} ${reply.response.status}`)
      if (!reply.bytes.equals(expected.bytes)) wrong.push(`${path} ${coding} has other bytes`)
      for (const name of SAME) {
        const [a, b] = [expected, reply].map((one) => one.response.headers.get(name))
        // What has no smaller twin is the same for all.
        if (a !== b && !(b === null && name === 'vary' && !existsSync(`${root}${path}.gz`)))
          wrong.push(`${path} ${coding} ${name}: ${a}, ${b}`)
      }
      const tag = reply.response.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[^"]+"$/)
      const again = await get(nginx.url, path, { ...headers, 'if-none-match': tag })
      if (again.response.status !== 304) wrong.push(`${path} ${coding} is sent again`)
      if (!small && tags.has(tag)) wrong.push(`${path} has one tag for two codings`)
      tags.add(tag)
    }
  }
  expect(wrong).toEqual([])
}, 60_000)

test('nginx redirects and refuses where Beckon does', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(8)
  await world.publish(source)
  using work = tempFolder()
  const root = join(work.path, 'site')
  await world.export(root)
  await using nginx = await nginxServer(join(work.path, 'nginx'), root)
  const tools = source.removed.flatMap(({ slug }) =>
    ['', '.json', '.md', '.min.md', '.atom'].map((ending) => `/tools/${slug}${ending}`),
  )
  const api = source.removed.map(({ slug }) => `/api/v1/tools/${slug}.json`)
  const dead = [...tools, ...api, '/api/v1', '/api/v1/', '/tools/']
  const statuses = new Set<number>()
  for (const path of dead) {
    const own = await world.get(path)
    const response = await fetch(`${nginx.url}${path}`, { redirect: 'manual' })
    statuses.add(own.status)
    const of = (one: Response) => [path, one.status, one.headers.get('location')]
    expect(of(response)).toEqual(of(own))
    if (own.status < 400) continue
    expect(await response.text()).toBe(await own.text())
    for (const name of ['content-type', 'cache-control', 'access-control-allow-origin']) {
      expect([path, response.headers.get(name)]).toEqual([path, own.headers.get(name)])
    }
  }
  expect([...statuses].sort()).toEqual([301, 308, 410])
  for (const path of [
    '/tools/nobody',
    '/api/v1/nothing.json',
    '/_nginx.conf',
    '/_gone/nothing.html',
    '/.beckon-export.json',
  ]) {
    const response = await fetch(`${nginx.url}${path}`)
    expect([path, response.status]).toEqual([path, 404])
    const json = path.startsWith('/api')
    expect(response.headers.get('content-type')).toContain(
      json ? 'application/problem+json' : 'text/html',
    )
  }
}, 60_000)

test('nginx sends the manifest and what belongs to it, and a mirror follows it', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(12)
  await world.publish(source)
  using work = tempFolder()
  const root = join(work.path, 'site')
  await world.export(root)
  await using nginx = await nginxServer(join(work.path, 'nginx'), root)
  const { files } = await world.json<Manifest>('/api/v1/manifest.json')
  const blobs = files.slice(0, 3).map(({ sha256 }) => `/api/v1/blobs/sha256/${sha256}`)
  const family = [
    '/api/v1/manifest.json',
    '/api/v1/manifest.jws.json',
    '/api/v1/snapshot.tar.gz',
    '/.well-known/catalog-keys.json',
    '/.well-known/catalog-minisign.pub',
    '/api/v1/catalog.sqlite',
    '/api/v1/catalog.sqlite.minisig',
  ]
  for (const path of [...family, ...blobs]) {
    const own = await world.get(path, { 'accept-encoding': 'identity' })
    const response = await fetch(`${nginx.url}${path}`, {
      headers: { 'accept-encoding': 'identity' },
    })
    expect([path, response.status]).toEqual([path, 200])
    expect(
      Buffer.from(await response.arrayBuffer()).equals(Buffer.from(await own.arrayBuffer())),
    ).toBe(true)
    for (const name of ['cache-control', 'content-type', 'access-control-allow-origin']) {
      expect([path, response.headers.get(name)]).toEqual([path, own.headers.get(name)])
    }
  }
  expect((await fetch(`${nginx.url}/api/v1/blobs/sha256/${'0'.repeat(64)}`)).status).toBe(404)

  const clock = { ...systemClock, now: () => world.clock.now() }
  await using mirror = mirrorFolder()
  const first = await mirror.sync({ source: nginx.url }, { clock })
  expect(first).toMatchObject({ outcome: 'updated', state: { sequence: 1 } })
  expect(await mirror.sync({}, { clock })).toMatchObject({ outcome: 'unchanged' })
  const [one, ...others] = source.tools
  const summary = 'Says something else.'
  await world.publish({
    ...source,
    tools: [{ ...(one as NonNullable<typeof one>), summary }, ...others],
  })
  await world.export(root)
  const next = await mirror.sync({}, { clock })
  expect(next).toMatchObject({ outcome: 'updated', state: { sequence: 2 } })
  expect(next.fetched.files).toBeLessThan(files.length)
}, 60_000)

test('behind nginx what was signed holds, and a forged file is named', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(6))
  using work = tempFolder()
  const root = join(work.path, 'site')
  await world.export(root)
  await using nginx = await nginxServer(join(work.path, 'nginx'), root)
  const { fetch: guarded } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const wrong = async () => {
    const offer = await fromAddress(nginx.url, guarded)
    const lines = await checkPublishedCatalog(offer, { key: undefined, now: world.clock.now() })
    return lines.filter(({ holds }) => !holds).map(({ what }) => what)
  }
  expect(await wrong()).toEqual([])
  rmSync(join(root, 'tools/tool-0001/index.html'))
  writeFileSync(join(root, 'tools/tool-0001/index.html'), 'forged')
  writeFileSync(join(root, 'tools/tool-0002/index.html.gz'), gzipSync('forged'))
  expect(await wrong()).toEqual([
    expect.stringMatching(/^\/tools\/tool-0001( \(br\)| \(zstd\))? has other bytes/),
    ...Array(2).fill(expect.stringMatching(/^\/tools\/tool-0001/)),
    '/tools/tool-0002 (gzip) has other bytes.',
    expect.stringMatching(/^\d+ of \d+ documents/),
  ])
}, 60_000)
