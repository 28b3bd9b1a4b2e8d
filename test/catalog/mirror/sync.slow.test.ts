import { expect, test } from 'bun:test'
import type { Waiting } from '../../../src/catalog/mirror/origin.ts'
import { readMirror } from '../../../src/catalog/mirror/store.ts'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { MANIFEST_BYTES_MAX } from '../../../src/catalog/signing/manifest.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { clockAt, mirrorFolder, originServer } from './mirror-world.ts'
import { type Passing, relayTo } from './relay.ts'

const DAY_MS = 86_400_000
const SOURCE = generatedCatalog(20)
const hashesOf = ({ files }: Manifest) => new Set(files.map(({ sha256 }) => sha256))
const isBlob = (path: string) => path.includes('/blobs/')

/** The same tools, one of them said otherwise. */
function changed(summary: string) {
  const [one, ...others] = SOURCE.tools
  return { ...SOURCE, tools: [{ ...(one as NonNullable<typeof one>), summary }, ...others] }
}

test('a mirror fetches everything once, then nothing, then what changed', async () => {
  await using origin = await originServer(SOURCE)
  await using relay = await relayTo(origin.url)
  await using mirror = mirrorFolder()
  const first = await mirror.sync({ source: relay.url })
  const manifest = await origin.manifest()
  expect(first).toMatchObject({ outcome: 'updated', state: { sequence: manifest.sequence } })
  expect(first.fetched.files).toBe(hashesOf(manifest).size)
  // Manifest, signature, keys, and all files in one archive.
  expect(relay.asked).toHaveLength(4)
  expect(relay.asked.at(-1)).toBe('/api/v1/snapshot.tar.gz')

  relay.reset()
  expect(await mirror.sync()).toMatchObject({ outcome: 'unchanged', fetched: { files: 0 } })
  expect([relay.asked, relay.bytes]).toEqual([['/api/v1/manifest.json'], 0])

  const next = await origin.publish(changed('Says more.'))
  relay.reset()
  const third = await mirror.sync()
  const unknown = [...hashesOf(next)].filter((hash) => !hashesOf(manifest).has(hash))
  expect(third).toMatchObject({ outcome: 'updated', fetched: { files: unknown.length } })
  const blobs = relay.asked.filter(isBlob)
  expect(new Set(blobs)).toEqual(new Set(unknown.map((hash) => `/api/v1/blobs/sha256/${hash}`)))
  expect(relay.asked).toHaveLength(unknown.length + 3)
  expect(unknown.length).toBeLessThan(hashesOf(next).size)
  expect(third.fetched.bytes).toBeLessThan(manifest.files.reduce((sum, { size }) => sum + size, 0))
}, 60_000)

test('what came before a break is kept, and the next run goes on from there', async () => {
  await using origin = await originServer(SOURCE)
  await using relay = await relayTo(origin.url)
  await using mirror = mirrorFolder()
  let blobs = 0
  relay.change = (passing) => {
    if (passing.path.endsWith('.tar.gz')) return { ...passing, cutAt: passing.body.length >> 1 }
    if (isBlob(passing.path) && ++blobs > 5) return { ...passing, cutAt: 10 }
    return undefined
  }
  const broken = await mirror.sync({ source: relay.url })
  expect(broken).toMatchObject({
    outcome: 'unreachable',
    why: expect.stringContaining('broke off'),
  })
  const all = hashesOf(await origin.manifest()).size
  // About half of an archive that broke off in the middle, and five files after it.
  expect(broken.fetched.files).toBeGreaterThan(all / 5)
  expect(await readMirror(mirror.db.read)).toMatchObject({ manifest: '', failures: 1 })

  relay.change = (passing) =>
    passing.path.endsWith('.tar.gz') ? { ...passing, status: 404 } : undefined
  relay.reset()
  const resumed = await mirror.sync()
  expect(resumed.outcome).toBe('updated')
  expect(resumed.fetched.files).toBe(all - broken.fetched.files)
  expect(relay.asked.filter(isBlob)).toHaveLength(all - broken.fetched.files)
}, 60_000)

const edited = (passing: Passing, from: string, to: string): Passing => ({
  ...passing,
  body: new Uint8Array(Buffer.from(Buffer.from(passing.body).toString().replace(from, to))),
})

test('a manifest or a file with other bytes is refused, and nothing changes', async () => {
  await using origin = await originServer(SOURCE)
  await using relay = await relayTo(origin.url)
  await using mirror = mirrorFolder()
  await mirror.sync({ source: relay.url })
  const before = await readMirror(mirror.db.read)
  await origin.publish(changed('Says something else.'))
  const tries: Array<[string, string, (passing: Passing) => Passing | undefined]> = [
    [
      'signature',
      'does not fit',
      (one) =>
        one.path.endsWith('manifest.json') ? edited(one, 'text/html', 'text/htmL') : undefined,
    ],
    [
      'signature',
      'not {protected',
      (one) => (one.path.endsWith('jws.json') ? edited(one, '{', '[') : undefined),
    ],
    [
      'signature',
      'header',
      (one) =>
        one.path.endsWith('jws.json')
          ? edited(one, '"protected":"ey', '"protected":"eX')
          : undefined,
    ],
    [
      'key',
      'not its thumbprint',
      (one) => (one.path.endsWith('keys.json') ? edited(one, '"x":"', '"x":"A') : undefined),
    ],
    [
      'blob',
      'other bytes',
      (one) => (isBlob(one.path) ? { ...one, body: one.body.map((byte) => byte ^ 1) } : undefined),
    ],
    [
      'blob',
      'longer',
      (one) =>
        isBlob(one.path) ? { ...one, body: new Uint8Array(one.body.length + 1) } : undefined,
    ],
    [
      'blob',
      'other bytes',
      (one) => (isBlob(one.path) ? { ...one, body: one.body.subarray(1) } : undefined),
    ],
    [
      'manifest',
      'longer',
      (one) =>
        one.path.endsWith('manifest.json')
          ? { ...one, body: new Uint8Array(MANIFEST_BYTES_MAX + 1) }
          : undefined,
    ],
  ]
  for (const [refusal, why, change] of tries) {
    relay.change = change
    const result = await mirror.sync()
    expect([refusal, result]).toMatchObject([refusal, { outcome: 'refused' }])
    if (result.refusal !== refusal)
      expect([why, result.refusal, result.why]).toEqual([why, refusal, ''])
    expect(result.why).toContain(why === 'not its thumbprint' ? '' : why)
    expect(await readMirror(mirror.db.read)).toMatchObject({
      ...{ manifest: before?.manifest, sequence: before?.sequence },
      problem: result.why,
    })
  }
  relay.change = undefined
  expect(await mirror.sync()).toMatchObject({
    outcome: 'updated',
    state: { failures: 0, problem: '' },
  })
}, 120_000)

test('going back, two of one number and standing still are refused', async () => {
  await using origin = await originServer(SOURCE)
  await using relay = await relayTo(origin.url)
  await using mirror = mirrorFolder()
  const old = new Map<string, Passing>()
  const records = (to: Map<string, Passing>) => (passing: Passing) => {
    to.set(passing.path, passing)
    return undefined
  }
  relay.change = records(old)
  await mirror.sync({ source: relay.url })
  await origin.publish(changed('Two.'))
  relay.change = undefined
  await mirror.sync()
  relay.change = (passing) => old.get(passing.path)
  expect(await mirror.sync()).toMatchObject({ outcome: 'refused', refusal: 'rollback' })

  // A source that says always the same, until nobody should believe it any more.
  relay.change = undefined
  const week = { clock: clockAt(8 * DAY_MS) }
  expect(await mirror.sync({}, week)).toMatchObject({ outcome: 'refused', refusal: 'expired' })
  expect(await mirror.sync({ allowStale: true }, week)).toMatchObject({ outcome: 'unchanged' })
  expect(await mirror.sync({ allowStale: false }, week)).toMatchObject({ refusal: 'expired' })
  await using late = mirrorFolder()
  const source = relay.url
  expect(await late.sync({ source }, week)).toMatchObject({
    outcome: 'refused',
    refusal: 'expired',
  })
  const stale = await late.sync({ source, allowStale: true }, week)
  expect(stale).toMatchObject({ outcome: 'updated', state: { allowStale: true } })
  await using early = mirrorFolder()
  const behind = { clock: clockAt(-3 * DAY_MS) }
  expect(await early.sync({ source }, behind)).toMatchObject({
    outcome: 'refused',
    refusal: 'clock',
  })
  expect(await early.sync({ source }, { clock: clockAt(-DAY_MS / 2) })).toMatchObject({
    outcome: 'updated',
  })
}, 60_000)

test('the first key counts from then on: another one must be vouched for by it', async () => {
  await using origin = await originServer(SOURCE)
  await using other = await originServer(changed('Of somebody else.'))
  await other.publish(changed('Of somebody else, twice.'))
  await using mirror = mirrorFolder()
  const wrong = 'A'.repeat(43)
  const { url: source } = origin
  expect(await mirror.sync({ source, key: wrong })).toMatchObject({ refusal: 'key' })
  expect(await readMirror(mirror.db.read)).toBeUndefined()
  const first = await mirror.sync({ source })
  const kid = first.state?.kid
  const elsewhere = await mirror.sync({ source: other.url })
  expect(elsewhere).toMatchObject({ outcome: 'refused', refusal: 'key', state: { source, kid } })

  const { to } = await origin.rotate()
  expect(await mirror.sync()).toMatchObject({ outcome: 'updated', state: { kid: to } })
  expect(to).not.toBe(kid)
  // Whoever says a key wants that one, whatever was believed before.
  const [ring] = (await (await fetch(`${other.url}/.well-known/catalog-keys.json`)).json()).keys
  const result = await mirror.sync({ source: other.url, key: ring.kid })
  expect(result).toMatchObject({ outcome: 'updated', state: { kid: ring.kid, source: other.url } })
}, 60_000)

test('a source that is not ready is asked again after the pause that it names, as long as it asks', async () => {
  await using origin = await originServer(SOURCE)
  await using relay = await relayTo(origin.url)
  await using mirror = mirrorFolder()
  const refusals = new Map([
    ['/api/v1/manifest.json', 5],
    ['/api/v1/snapshot.tar.gz', 5],
  ])
  const detail = '7 of 9 documents\u001b[31m are ready.'
  relay.change = (passing) => {
    const left = refusals.get(passing.path) ?? 0
    if (left === 0) return undefined
    refusals.set(passing.path, left - 1)
    const headers = new Headers({ 'retry-after': '30' })
    return { ...passing, status: 503, headers, body: Buffer.from(JSON.stringify({ detail })) }
  }
  const waits: Waiting[] = []
  const clock = {
    ...systemClock,
    after: (ms: number, wake: () => void) => systemClock.after(ms / 1_000, wake),
  }
  const onWait = (wait: Waiting) => waits.push(wait)
  const result = await mirror.sync({ source: relay.url }, { clock, onWait })
  expect(result.outcome).toBe('updated')
  expect(waits.map(({ path, ms, waitedMs }) => [path, ms, waitedMs])).toEqual(
    ['/api/v1/manifest.json', '/api/v1/snapshot.tar.gz'].flatMap((path) =>
      [0, 1, 2, 3, 4].map((n) => [path, 30_000, n * 30_000]),
    ),
  )
  expect(waits[0]?.reason).toBe('7 of 9 documents[31m are ready.')
  expect(relay.asked.filter(isBlob)).toEqual([])
}, 60_000)

test('a source that is too busy for a limit is asked three times', async () => {
  await using origin = await originServer(SOURCE)
  await using relay = await relayTo(origin.url)
  await using mirror = mirrorFolder()
  relay.change = (passing) => ({
    ...passing,
    status: 429,
    headers: new Headers({ 'retry-after': '1' }),
  })
  const result = await mirror.sync({ source: relay.url })
  expect(result).toMatchObject({ outcome: 'unreachable', why: expect.stringContaining('429') })
  expect(relay.asked.filter((path) => path.endsWith('manifest.json'))).toHaveLength(3)
}, 60_000)
