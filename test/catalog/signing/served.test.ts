import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { followKeys } from '../../../src/catalog/signing/follow-keys.ts'
import type { KeysDocument } from '../../../src/catalog/signing/keys.ts'
import type { Manifest, RevisionsDocument } from '../../../src/catalog/signing/manifest.ts'
import { verifyManifest } from '../../../src/catalog/signing/verify-manifest.ts'
import type { DetachedJws } from '../../../src/platform/signing/jws.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { type FeedWorld, feedWorld } from '../feeds/feed-world.ts'
import { hexOf } from './signing-world.ts'

const plain = { 'accept-encoding': 'identity' }
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

async function read(world: FeedWorld) {
  const bytes = await bytesOf(await world.get('/api/v1/manifest.json', plain))
  const jws = await world.json<DetachedJws>('/api/v1/manifest.jws.json')
  const keys = await world.json<KeysDocument>('/.well-known/catalog-keys.json')
  const manifest = JSON.parse(bytes.toString()) as Manifest
  return { bytes, jws, keys, manifest }
}

const blob = (world: FeedWorld, sha256: string) =>
  world.get(`/api/v1/blobs/sha256/${sha256}`, plain)

/** The same catalog with other words about its first tool. */
function changed(source: CatalogSource, summary: string): CatalogSource {
  const [first, ...rest] = source.tools
  return { ...source, tools: [{ ...first, summary } as (typeof source.tools)[number], ...rest] }
}

describe('a catalog that was published', () => {
  let world: FeedWorld
  let source: CatalogSource
  beforeAll(async () => {
    world = await feedWorld()
    source = generatedCatalog(6)
    await world.publish(source)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('offers a signed manifest, checked here in a few lines of another implementation', async () => {
    const { bytes, jws, keys } = await read(world)
    const { alg, kid, typ } = JSON.parse(Buffer.from(jws.protected, 'base64url').toString())
    expect([alg, typ]).toEqual(['EdDSA', 'catalog-manifest+jws'])
    const key = keys.keys.find((one) => one.kid === kid)
    const { kty = '', crv = '', x = '' } = key ?? {}
    const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
    const signed = Buffer.from(`${jws.protected}.${bytes.toString('base64url')}`)
    expect(verify(null, signed, publicKey, Buffer.from(jws.signature, 'base64url'))).toBe(true)
    expect(await verifyManifest(bytes, jws, keys)).toMatchObject({ ok: true, kid })
    expect(JSON.stringify(keys)).not.toContain('"d"')
  })

  test('every whole document is in it, under the hash of the bytes that are served', async () => {
    const { manifest } = await read(world)
    const paths = manifest.files.map(({ path }) => path)
    for (const path of [
      ...['/api/v1/index.json', '/api/v1/tools.json', '/tools', '/llms-full.txt', '/sunsets.ics'],
      ...['/api/v1/tools/tool-0001.json', '/tools/tool-0001', '/tools/tool-0001.min.md'],
      ...['/tools/tool-0001.atom', '/.well-known/api-catalog'],
    ]) {
      expect(paths).toContain(path)
    }
    expect(paths.filter((path) => /manifest|revisions|blobs|snapshot|keys/.test(path))).toEqual([])
    expect(paths.filter((path) => path.startsWith('/tools-assets/')).length).toBeGreaterThan(1)
    for (const { path, type, sha256, size } of manifest.files) {
      const response = await world.get(path, plain)
      const body = await bytesOf(response)
      expect([path, hexOf(body), body.length]).toEqual([path, sha256, size])
      expect([path, response.headers.get('content-type')]).toEqual([path, type])
      const same = await blob(world, sha256)
      expect([path, same.status, hexOf(await bytesOf(same))]).toEqual([path, 200, sha256])
    }
  })

  test('a file is kept for ever under its hash, and the manifest never without asking', async () => {
    const { manifest } = await read(world)
    const [{ sha256 } = { sha256: '' }] = manifest.files
    const response = await blob(world, sha256)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    for (const path of ['/api/v1/manifest.json', '/api/v1/manifest.jws.json']) {
      const first = await world.get(path)
      expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      const etag = first.headers.get('etag') ?? ''
      expect((await world.get(path, { 'if-none-match': etag })).status).toBe(304)
    }
  })

  test.each([
    ['0'.repeat(64), 404],
    ['A'.repeat(64), 404],
    ['..%2f..%2fetc%2fpasswd', 404],
    ['__proto__', 404],
    ['constructor', 404],
    [`${'0'.repeat(64)}?a=b`, 400],
  ])('there is no file %s', async (name, status) => {
    const response = await blob(world, name)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toContain('problem+json')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('publishing the same content again gives the same manifest', async () => {
    const before = await read(world)
    await world.publish(source)
    await world.clock.advance(60_000)
    expect(await read(world)).toEqual(before)
  })

  test('what changed is told, and files of the manifest before stay for those in the middle', async () => {
    const before = await read(world)
    await world.publish(changed(source, 'Something else entirely.'))
    const after = await read(world)
    expect(after.manifest).toMatchObject({
      ...{ sequence: before.manifest.sequence + 1, previous: hexOf(before.bytes) },
    })
    const hashes = new Set(after.manifest.files.map(({ sha256 }) => sha256))
    const gone = before.manifest.files.filter(({ sha256 }) => !hashes.has(sha256))
    expect(gone.length).toBeGreaterThan(5)
    for (const { path, sha256 } of gone) {
      const old = await blob(world, sha256)
      expect([path, hexOf(await bytesOf(old))]).toEqual([path, sha256])
    }
    const since = before.manifest.sequence
    const document = await world.json<RevisionsDocument>(`/api/v1/revisions.json?since=${since}`)
    expect(document.sequence).toBe(after.manifest.sequence)
    expect(document.revisions.map(({ sequence }) => sequence)).toEqual([since + 1])
    expect(document.revisions[0]?.changed).toEqual(gone.map(({ path }) => path).sort())
  })

  test('a tool that is gone is told as gone', async () => {
    const before = await read(world)
    const gone = source.tools[0]?.slug ?? ''
    const without: CatalogSource = {
      ...source,
      tools: source.tools.slice(1),
      reviews: source.reviews.filter(({ tool }) => tool !== gone),
      changes: source.changes.filter(({ tool }) => tool !== gone),
      removed: [...source.removed, { slug: gone, date: '2026-11-20', reason: 'It ended.' }],
    }
    await world.publish(without)
    const { manifest } = await read(world)
    expect(manifest.removed.map(({ slug }) => slug)).toContain(gone)
    const since = before.manifest.sequence
    const document = await world.json<RevisionsDocument>(`/api/v1/revisions.json?since=${since}`)
    expect(document.revisions.at(-1)?.removed).toContain(`/tools/${gone}`)
    const all = await world.json<RevisionsDocument>('/api/v1/revisions.json')
    expect(all.revisions[0]).toMatchObject({ sequence: 1, removed: [] })
  })

  test.each([
    'since=x',
    'since=-1',
    'since=1.5',
    'since=1&since=2',
    'since=',
    'since=99999999999999999999',
    'sinc=1',
    '__proto__=1',
  ])('a question that makes no sense is refused: %s', async (query) => {
    const response = await world.get(`/api/v1/revisions.json?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_parameter' })
  })

  test('the snapshot holds the manifest first and every file after it, the same bytes each time', async () => {
    const first = await world.get('/api/v1/snapshot.tar.gz')
    expect(first.headers.get('content-type')).toBe('application/gzip')
    expect(first.headers.get('content-encoding')).toBe(null)
    const packed = await bytesOf(first)
    expect(hexOf(await bytesOf(await world.get('/api/v1/snapshot.tar.gz')))).toBe(hexOf(packed))
    const files = await new Bun.Archive(packed).files()
    const names = [...files.keys()]
    const { bytes, jws, keys, manifest } = await read(world)
    expect(names.slice(0, 3)).toEqual(['manifest.json', 'manifest.jws.json', 'catalog-keys.json'])
    expect(await files.get('manifest.json')?.text()).toBe(bytes.toString())
    expect(JSON.parse((await files.get('manifest.jws.json')?.text()) ?? '')).toEqual(jws)
    expect(JSON.parse((await files.get('catalog-keys.json')?.text()) ?? '')).toEqual(keys)
    const hashes = [...new Set(manifest.files.map(({ sha256 }) => sha256))]
    expect(names.slice(3)).toEqual(hashes.map((hash) => `blobs/sha256/${hash}`))
    for (const hash of hashes) {
      const body = await files.get(`blobs/sha256/${hash}`)?.arrayBuffer()
      expect(hexOf(new Uint8Array(body ?? new ArrayBuffer(0)))).toBe(hash)
    }
  })
})

test('half a week later the same is signed again, and the chain goes on', async () => {
  await using world = await feedWorld()
  await world.publish(generatedCatalog(6))
  const before = await read(world)
  const valid = Date.parse(before.manifest.expiresAt) - Date.parse(before.manifest.issuedAt)
  expect(valid).toBe(7 * 86_400_000)
  world.pass(3)
  await world.look()
  const days = (await read(world)).manifest
  // Days stand in documents, so that another day is another manifest.
  expect(days.sequence).toBe(before.manifest.sequence + 1)
  expect(days.previous).toBe(hexOf(before.bytes))
})

test('before anything is published there is one too, for whoever asks', async () => {
  await using world = await feedWorld()
  const { bytes, jws, keys, manifest } = await read(world)
  expect(await verifyManifest(bytes, jws, keys)).toMatchObject({ ok: true })
  expect(manifest).toMatchObject({ sequence: 1, revision: '', previous: null, removed: [] })
  expect(await followKeys(keys, keys.keys[0]?.kid ?? '', keys.keys[0]?.kid ?? '')).toEqual({
    ...{ ok: true, through: [keys.keys[0]?.kid ?? ''] },
  })
})
