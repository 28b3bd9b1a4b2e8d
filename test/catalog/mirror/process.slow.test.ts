import { expect, test } from 'bun:test'
import { readMirror } from '../../../src/catalog/mirror/store.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { Failure } from '../../../src/platform/failure.ts'
import { beckon } from '../../support/beckon.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { PROGRAM } from '../../support/program.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { LOOPBACK, mirrorFolder, originServer, syncInto } from './mirror-world.ts'
import { relayTo } from './relay.ts'

const env = { BECKON_ALLOW_PRIVATE_HOSTS: LOOPBACK }
const isBlob = (path: string) => path.includes('/blobs/')

test('a run that is killed in the middle loses nothing that came', async () => {
  await using origin = await originServer(generatedCatalog(40))
  await using relay = await relayTo(origin.url)
  using folder = tempFolder()
  relay.change = (passing) =>
    passing.path.endsWith('.tar.gz') ? { ...passing, status: 404 } : undefined
  const args = ['catalog', 'mirror', '--data', folder.path, '--json']
  const child = Bun.spawn([...PROGRAM, ...args, '--from', relay.url], {
    env: { ...process.env, ...env },
    ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  })
  await until(() => relay.asked.filter(isBlob).length > 110)
  child.kill('SIGKILL')
  await child.exited
  const blobCount = relay.asked.filter(isBlob).length
  {
    await using db = openDataFolder(folder.path)
    expect(await readMirror(db.read)).toMatchObject({ manifest: '', source: relay.url })
  }
  relay.reset()
  const again = await beckon(args, { env })
  const { files } = await origin.manifest()
  const all = new Set(files.map(({ sha256 }) => sha256)).size
  expect([again.code, JSON.parse(again.out)]).toMatchObject([0, { outcome: 'updated' }])
  // What had come but was not written yet: less than a batch.
  const lost = blobCount + relay.asked.filter(isBlob).length - all
  expect(lost).toBeGreaterThanOrEqual(0)
  expect(lost).toBeLessThanOrEqual(51)
}, 60_000)

test('a storage that is full refuses, and what was there stays', async () => {
  await using origin = await originServer(generatedCatalog(10))
  await using mirror = mirrorFolder()
  await mirror.sync({ source: origin.url })
  const before = await readMirror(mirror.db.read)
  await origin.publish(generatedCatalog(40))
  const path = mirror.path
  await using full = openDataFolder(path)
  const result = syncInto({ ...full, write: refuseAfter(full.write, 3) } as typeof full)
  await expect(result).rejects.toMatchObject({ code: 'unavailable' })
  expect(await readMirror(mirror.db.read)).toMatchObject({ manifest: before?.manifest })
  expect(await mirror.sync()).toMatchObject({ outcome: 'updated' })
}, 60_000)

/** As a disk does: a few writes, and then none any more. */
function refuseAfter(write: Db['write'], writes: number): Db['write'] {
  let left = writes
  return async (work) => {
    if (left-- > 0) return await write(work)
    throw new Failure('unavailable', 'The disk is full.')
  }
}

test('the command says what it did, and how it ended', async () => {
  await using origin = await originServer(generatedCatalog(3))
  using folder = tempFolder()
  const mirror = (...more: string[]) =>
    beckon(['catalog', 'mirror', '--data', folder.path, ...more], { env })
  expect((await mirror()).code).toBe(2)
  expect((await mirror('--from', 'ftp://example.com')).code).toBe(2)
  expect((await mirror('--from', origin.url, '--key', 'short')).code).toBe(2)
  const away = await mirror('--from', 'http://127.0.0.1:9')
  expect([away.code, away.err]).toEqual([5, expect.stringContaining('Not reached')])
  const inside = await beckon(['catalog', 'mirror', '--data', folder.path, '--from', origin.url])
  expect([inside.code, inside.err]).toEqual([5, expect.stringContaining('private network')])
  const wrong = await mirror('--from', origin.url, '--key', 'A'.repeat(43))
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('vouches')])
  const done = await mirror('--from', origin.url)
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('signed with')])
  expect((await mirror()).out).toContain('Nothing has changed')
  expect((await mirror('--stop')).code).toBe(0)
  expect((await mirror('--stop')).code).toBe(1)
}, 60_000)
