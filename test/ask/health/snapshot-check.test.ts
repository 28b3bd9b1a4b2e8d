import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { snapshotCheck } from '../../../src/ask/health/snapshot-check.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { inspectSnapshots, takeSnapshot } from '../../../src/platform/db/snapshots.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DAY = 86_400_000

async function aFolder() {
  const temporary = tempFolder()
  const dataFolder = join(temporary.path, 'data')
  await openDataFolder(dataFolder)[Symbol.asyncDispose]()
  const where = { dataFolder, snapshots: { keep: 3, folder: join(dataFolder, 'snapshots') } }
  const checkAt = (now: number, checkUpTo = Number.POSITIVE_INFINITY) =>
    snapshotCheck(inspectSnapshots(where, now, checkUpTo))
  // Half past six after the first three o'clock: last night's snapshot should be there.
  const morning = new Date()
  morning.setHours(morning.getHours() < 3 ? 6 : 30, 30, 0, 0)
  const close = () => temporary[Symbol.dispose]()
  return { where, checkAt, morning: morning.getTime(), [Symbol.dispose]: close }
}

test('none yet, one that is sound, and one that is missing are told apart', async () => {
  using world = await aFolder()
  const { where, checkAt, morning } = world
  const { folder } = where.snapshots
  expect(checkAt(Date.now())).toMatchObject({
    state: 'skip',
    said: expect.stringContaining(`There is none in ${folder} yet`),
  })
  expect(checkAt(morning)).toMatchObject({
    state: 'warn',
    said: expect.stringContaining('that of last night is missing'),
    cure: expect.stringContaining('beckon backup --snapshot'),
  })
  // Two hours after three the server is still trying.
  expect(checkAt(morning - 2 * 3_600_000).state).toBe('skip')
  takeSnapshot(where, morning)
  expect(checkAt(morning)).toMatchObject({
    state: 'ok',
    said: expect.stringMatching(
      /^The last of 1 in .* is of 20\d\d-.* and sound; the newest 3 are kept\.$/,
    ),
  })
  expect(checkAt(morning, 0).said).toContain('not looked through')
  expect(checkAt(morning + DAY)).toMatchObject({ state: 'warn' })
})

test('a snapshot that is damaged or none counts for nothing', async () => {
  using world = await aFolder()
  const { where, checkAt, morning } = world
  const { path } = takeSnapshot(where, morning)
  const whole = readFileSync(path)
  writeFileSync(path, whole.fill(0x5a, 8192, whole.length - 4096))
  expect(checkAt(morning)).toMatchObject({
    state: 'warn',
    said: expect.stringMatching(/is damaged|cannot be read/),
  })
  writeFileSync(path, 'half')
  expect(checkAt(morning)).toMatchObject({ state: 'warn', said: expect.stringContaining('read') })
})

test('what cannot be known or made is said with its reason', async () => {
  using world = await aFolder()
  const { where, morning } = world
  const { folder } = where.snapshots
  const off = { ...where, snapshots: { folder, keep: 0 } }
  expect(snapshotCheck(inspectSnapshots(off, morning, 0))).toMatchObject({
    state: 'skip',
    said: expect.stringContaining('BECKON_SNAPSHOTS is 0'),
  })
  writeFileSync(folder, 'a file')
  expect(world.checkAt(morning)).toMatchObject({
    state: 'warn',
    said: expect.stringMatching(/is not known: .* cannot be read \(ENOTDIR\)/),
  })
})

// Root may write anywhere.
test.skipIf(process.getuid?.() === 0)('a folder that takes no snapshot is named', async () => {
  using world = await aFolder()
  const { folder } = world.where.snapshots
  mkdirSync(folder, { mode: 0o500 })
  expect(world.checkAt(Date.now())).toMatchObject({
    state: 'warn',
    said: expect.stringContaining('no other can be made'),
  })
  chmodSync(folder, 0o700)
})
