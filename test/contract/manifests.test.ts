import { expect, test } from 'bun:test'
import {
  loadKeyRing,
  readKeyRing,
  revokeKey,
  rotateKey,
  signingKey,
} from '../../src/catalog/signing/key-ring.ts'
import * as store from '../../src/catalog/signing/store.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('manifests', (db) => {
  const manifest = (sequence: number, paths: string[] = []): store.NewManifest => ({
    ...{ sequence, revision: 'r', sha256: `hash ${sequence}`, issuedAt: sequence * 1000 },
    ...{ changed: paths, removed: [], paths: paths.length, body: `{"sequence":${sequence}}` },
    ...{ kid: 'kid', protectedHeader: 'head', signature: 'signature' },
  })
  const add = (one: store.NewManifest) => db().write((tx) => store.addManifest(tx, one))

  test('there is one manifest for each sequence, and only the newest is stored whole', async () => {
    expect(await store.latestManifest(db().read)).toBeUndefined()
    expect(await store.latestSequence(db().read)).toBe(0)
    expect(await store.oldestSequence(db().read)).toBeUndefined()
    expect([await add(manifest(1)), await add(manifest(2, ['/a']))]).toEqual([true, true])
    expect(await add({ ...manifest(2), sha256: 'another' })).toBe(false)
    expect(await store.latestManifest(db().read)).toEqual(manifest(2, ['/a']) as never)
    expect(await store.latestSequence(db().read)).toBe(2)
    expect(await store.oldestSequence(db().read)).toBe(1)
    const both = await Promise.all([add(manifest(3)), add({ ...manifest(3), sha256: 'x' })])
    expect(both.sort()).toEqual([false, true])
  })

  test('what each changed is read in order, from one on', async () => {
    for (const n of [1, 2, 10, 9]) await add(manifest(n, [`/${n}`]))
    const after = async (n: number) =>
      (await store.readChanges(db().read, n)).map(({ sequence }) => sequence)
    expect([await after(0), await after(2), await after(10)]).toEqual([[1, 2, 9, 10], [9, 10], []])
    expect((await store.readChanges(db().read, 9))[0]).toEqual({
      ...{ sequence: 10, revision: 'r', issuedAt: 10_000, changed: ['/10'], removed: [] },
    })
  })

  test('the oldest are forgotten by their number and by how much they say', async () => {
    const prune = (most: number, paths: number) =>
      db().write((tx) => store.pruneManifests(tx, most, paths))
    for (const n of [1, 2, 3, 4, 5]) await add(manifest(n, ['/a', '/b']))
    expect([await prune(10, 100), await prune(4, 100), await prune(10, 5)]).toEqual([0, 1, 2])
    expect(await store.oldestSequence(db().read)).toBe(4)
    expect([await prune(1, 0), await store.latestSequence(db().read)]).toEqual([1, 5])
    expect(await prune(0, 0)).toBe(0)
  })

  test('processes that need the first key at once have the same one', async () => {
    const clock = fakeClock()
    const deps = { db: db(), clock }
    expect(await readKeyRing(db().read)).toBeUndefined()
    const [one, other] = await Promise.all([loadKeyRing(deps), loadKeyRing(deps)])
    expect(one).toEqual(other)
    expect(await readKeyRing(db().read)).toEqual(one)
  })

  test('of two that change the keys at once one is told so', async () => {
    const deps = { db: db(), clock: fakeClock() }
    await loadKeyRing(deps)
    const done = await Promise.allSettled([rotateKey(deps), rotateKey(deps)])
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const ring = await loadKeyRing(deps)
    expect(ring.keys).toHaveLength(2)
    expect(await revokeKey(deps, signingKey(ring).kid, 'Lost.')).toMatchObject({ replaced: true })
  })
})
