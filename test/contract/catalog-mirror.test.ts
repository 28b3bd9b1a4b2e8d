import { expect, test } from 'bun:test'
import * as store from '../../src/catalog/mirror/store.ts'
import { onBothDatabases } from './both-databases.ts'

const STATE: store.MirrorState = {
  ...{ source: 'https://a.example', kid: 'k', allowStale: false, manifest: 'm1', previous: '' },
  ...{ sequence: 1, revision: 'r', baseUrl: 'https://a.example', issuedAt: 1, expiresAt: 2 },
  ...{ etag: '"x"', fetchedAt: 3, checkedAt: 3, nextAt: 4, failures: 0, problem: '' },
}
const file = (path: string, sha256: string) => ({ path, type: 'text/plain', sha256, size: 3 })
const blob = (sha256: string) => ({ sha256, body: Buffer.from([0, 255, 1]) })

onBothDatabases('the mirror', (db) => {
  test('is one, and is changed only while it serves what was read', async () => {
    expect(await store.readMirror(db().read)).toBeUndefined()
    await db().write((tx) => store.putMirror(tx, STATE))
    await db().write((tx) => store.putMirror(tx, { ...STATE, allowStale: true }))
    expect(await store.readMirror(db().read)).toEqual({ ...STATE, allowStale: true })
    const change = { failures: 3, problem: 'no' }
    const other = { ...STATE, manifest: 'm0' }
    expect(await db().write((tx) => store.updateMirror(tx, other, change))).toBe(false)
    expect(await db().write((tx) => store.updateMirror(tx, STATE, change))).toBe(true)
    expect(await store.readMirror(db().read)).toMatchObject(change)
  })

  test('knows what a manifest lists and what of it is here', async () => {
    const files = Array.from({ length: 1_203 }, (_, i) => file(`/f${i}`, `h${i % 900}`))
    await db().write((tx) => store.addFiles(tx, 'm1', files))
    await db().write((tx) => store.addFiles(tx, 'm1', files.slice(0, 9)))
    await db().write((tx) => store.addBlobs(tx, ['h0', 'h1', 'other'].map(blob)))
    await db().write((tx) => store.addBlobs(tx, []))
    // 303 of the hashes stand under two paths.
    expect(await store.countFiles(db().read, 'm1')).toEqual({ files: 1_203, present: 4 })
    expect(await store.countFiles(db().read, 'none')).toEqual({ files: 0, present: 0 })
    const hashes = files.map(({ sha256 }) => sha256)
    expect(await store.presentBlobs(db().read, hashes)).toEqual(new Set(['h0', 'h1']))
    const first = await store.readFiles(db().read, 'm1', '', 2)
    const rest = await store.readFiles(db().read, 'm1', first[1]?.path ?? '', 2_000)
    expect([first[0]?.path, rest.length]).toEqual(['/f0', 1_201])
    const body = await store.readBlob(db().read, 'h0')
    expect([...(body ?? [])]).toEqual([0, 255, 1])
    expect(await store.readBlob(db().read, 'h2')).toBeUndefined()
  })

  test('sweeps what no manifest that is kept lists', async () => {
    await db().write(async (tx) => {
      await store.putMirror(tx, STATE)
      await store.addFiles(tx, 'old', [file('/a', 'both'), file('/b', 'only-old')])
      await store.addFiles(tx, 'new', [file('/a', 'both'), file('/b', 'only-new')])
      await store.addBlobs(tx, ['both', 'only-old', 'only-new', 'left'].map(blob))
    })
    expect(await db().write((tx) => store.sweepMirror(tx, ['old', 'new']))).toBe(1)
    expect(await db().write((tx) => store.sweepMirror(tx, ['new', '']))).toBe(1)
    const all = ['both', 'only-old', 'only-new', 'left']
    expect(await store.presentBlobs(db().read, all)).toEqual(new Set(['both', 'only-new']))
    expect(await db().write((tx) => store.dropMirror(tx))).toBe(true)
    expect(await db().write((tx) => store.dropMirror(tx))).toBe(false)
    expect((await store.presentBlobs(db().read, all)).size).toBe(0)
  })
})
