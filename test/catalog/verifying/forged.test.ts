import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { verifyManifest } from '../../../src/catalog/signing/verify-manifest.ts'
import {
  checkPublishedCatalog,
  type VerifyLine,
} from '../../../src/catalog/verifying/check-published-catalog.ts'
import { fromAddress } from '../../../src/catalog/verifying/from-address.ts'
import { fromFolder } from '../../../src/catalog/verifying/from-folder.ts'
import { openListener } from '../../../src/platform/http/listener.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type FeedWorld, feedWorld } from '../feeds/feed-world.ts'

const { fetch: guarded } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })

async function exported(world: FeedWorld) {
  await world.publish(generatedCatalog(6))
  const work = tempFolder()
  const root = join(work.path, 'site')
  await world.export(root)
  const offer = () => fromFolder(root)
  const signed = await verifyManifest(offer().manifest, offer().jws, offer().keys)
  if (!signed.ok) throw new Error(signed.why)
  const { kid, manifest } = signed
  const look = (key?: string) => checkPublishedCatalog(offer(), { key, now: world.clock.now() })
  return { root, kid, manifest, look, [Symbol.dispose]: () => work[Symbol.dispose]() }
}

const wrong = (lines: VerifyLine[]) => lines.filter(({ holds }) => !holds).map(({ what }) => what)

const PACK: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  '.gz': gzipSync,
  '.br': brotliCompressSync,
  '.zst': zstdCompressSync,
}

// What the other files are checked by, or are copied to, is forged alone.
const HOLDS_OTHERS = /^(\.well-known\/|api\/v1\/(blobs\/|manifest|keys|snapshot))|\.minisig$/
// Of documents several at once: the first 20 that are wrong are named, with their copies.
const BATCH = 8

test('an export holds as it was written, whoever asks for which key', async () => {
  await using world = await feedWorld()
  using site = await exported(world)
  expect(wrong(await site.look())).toEqual([])
  expect(wrong(await site.look(site.kid))).toEqual([])
  expect(wrong(await site.look('A'.repeat(43)))).toHaveLength(1)
})

test('each file of an export that is forged is named, with and without a key', async () => {
  await using world = await feedWorld()
  using site = await exported(world)
  const all = readdirSync(site.root, { recursive: true }).map(String)
  const files = all.filter((name) => statSync(join(site.root, name)).isFile()).sort()
  const unsigned = /^(_|\.beckon-export\.json)/
  // One of each kind: every ending of every folder.
  const kinds = Map.groupBy(
    files.filter((name) => !unsigned.test(name)),
    (name) => name.replace(/[^/]+?(\.[a-z.]+)?$/, '$1'),
  )
  expect(kinds.size).toBeGreaterThan(20)
  const some = [...kinds.values()].flatMap(([one]) => one ?? [])
  const documents = some.filter((name) => !HOLDS_OTHERS.test(name))
  const batches = [
    ...some.filter((name) => HOLDS_OTHERS.test(name)).map((name) => [name]),
    ...documents.flatMap((_, at) => (at % BATCH === 0 ? [documents.slice(at, at + BATCH)] : [])),
  ]
  for (const batch of batches) {
    const restore = batch.map((name) => forge(join(site.root, name)))
    for (const key of [undefined, site.kid]) {
      const lines = wrong(await site.look(key))
      const isNamed = (name: string) => lines.some((line) => line.startsWith(`/${name} `))
      expect([batch, lines.length > 0]).toEqual([batch, true])
      if (batch.length > 1) expect(batch.filter((name) => !isNamed(name))).toEqual([])
    }
    for (const one of restore) one()
  }
  expect(wrong(await site.look())).toEqual([])
}, 300_000)

/** Returns what puts the bytes back that the file had. */
function forge(file: string): () => void {
  const before = readFileSync(file)
  const ending = Object.keys(PACK).find((one) => file.endsWith(one) && !file.includes('.tar.'))
  const forged = ending ? PACK[ending]?.(Buffer.from('forged')) : Buffer.from('forged')
  writeFileSync(file, forged as Uint8Array)
  return () => writeFileSync(file, before)
}

test('a forged page, an added one and a missing one are called by their names', async () => {
  await using world = await feedWorld()
  using site = await exported(world)
  const at = (name: string) => join(site.root, name)
  // Its copy for mirrors is the same file on the disk, until somebody puts another in its place.
  rmSync(at('tools/tool-0001/index.html'))
  writeFileSync(at('tools/tool-0001/index.html'), 'forged')
  writeFileSync(at('tools/tool-0002.md.gz'), gzipSync('forged'))
  writeFileSync(at('tools/nobody.html'), 'added')
  rmSync(at('tools/tool-0003.md'))
  expect(wrong(await site.look())).toEqual([
    '/tools/tool-0001/index.html has other bytes.',
    '/tools/tool-0002.md.gz has other bytes.',
    '/tools/tool-0003.md is missing.',
    expect.stringMatching(/^\d+ of \d+ documents are there/),
    '/tools/nobody.html is not in the manifest.',
  ])
})

/** An address that answers as the catalog, but for what is forged. */
function forging(world: FeedWorld, forged: (path: string, coding: string) => Response | undefined) {
  const listener = openListener({
    ...{ host: '127.0.0.1', port: 0, baseUrl: 'http://127.0.0.1', log: silentLog },
  })
  listener.answerWith(async (request) => {
    const { pathname } = new URL(request.url)
    const coding = request.headers.get('accept-encoding') ?? ''
    const own = forged(pathname, coding)
    if (own) return own
    const headers = { 'accept-encoding': coding }
    const answer = await world.get(pathname, headers)
    return new Response(await answer.bytes(), { status: answer.status, headers: answer.headers })
  })
  return { url: listener.url, [Symbol.asyncDispose]: () => listener.stop(0) }
}

type Forged = [forged: (path: string, coding: string) => Response | undefined, named: string]
const html = { 'content-type': 'text/html; charset=utf-8' }
const PAGE = '/tools/tool-0001'
const ADDRESSES: Record<string, Forged> = {
  'a page': [
    (path) => (path === PAGE ? new Response('forged', { headers: html }) : undefined),
    `${PAGE} has other bytes.`,
  ],
  'a page in one coding alone': [
    (path, coding) =>
      path === PAGE && coding === 'br'
        ? new Response(brotliCompressSync('forged'), {
            headers: { ...html, 'content-encoding': 'br' },
          })
        : undefined,
    `${PAGE} (br) has other bytes.`,
  ],
  'a bomb': [
    (path, coding) =>
      path === PAGE && coding === 'zstd'
        ? new Response(zstdCompressSync(Buffer.alloc(50_000_000)), {
            headers: { ...html, 'content-encoding': 'zstd' },
          })
        : undefined,
    `${PAGE} (zstd) cannot be unpacked to what was signed.`,
  ],
  'a removed page': [
    (path) => (path === PAGE ? new Response('', { status: 404 }) : undefined),
    `${PAGE} answers 404.`,
  ],
  'another media type': [
    (path) =>
      path === PAGE ? new Response('x', { headers: { 'content-type': 'a/b' } }) : undefined,
    `${PAGE} is sent as a/b, not as text/html; charset=utf-8.`,
  ],
}

for (const [name, [forged, expected]] of Object.entries(ADDRESSES)) {
  test(`${name} at an address is named`, async () => {
    await using world = await feedWorld()
    await world.publish(generatedCatalog(3))
    await using site = forging(world, forged)
    const offer = await fromAddress(site.url, guarded)
    const lines = await checkPublishedCatalog(offer, { key: undefined, now: world.clock.now() })
    expect(wrong(lines)).toContain(expected)
  })
}

test('an address that serves what was signed holds', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(3))
  const offer = await fromAddress(world.url, guarded)
  const lines = await checkPublishedCatalog(offer, { key: undefined, now: world.clock.now() })
  expect(wrong(lines)).toEqual([])
})
