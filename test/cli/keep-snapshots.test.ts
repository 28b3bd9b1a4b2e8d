import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepSnapshots, snapshotOf } from '../../src/cli/keep-snapshots.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { restore } from '../../src/platform/db/backup.ts'
import { newestSnapshot, takeSnapshot } from '../../src/platform/db/snapshots.ts'
import { type Log, silentLog } from '../../src/platform/log.ts'
import { readConfig } from '../../src/settings.ts'
import { type FakeClock, fakeClock } from '../support/fake-clock.ts'
import { keptRows, killedFolder } from '../support/killed-folder.ts'
import { PROGRAM } from '../support/program.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A server's job on a folder as a killed server leaves it, with time stood in for. */
async function nights(parent: string, env: Record<string, string> = {}) {
  const dataFolder = await killedFolder(parent)
  const config = readConfig({ data: dataFolder }, env)
  // Two minutes before the first night that the new database sees.
  const night = new Date()
  if (night.getHours() >= 3) night.setDate(night.getDate() + 1)
  night.setHours(3, 0, 0, 0)
  const clock = fakeClock(night.getTime() - 120_000)
  const warnings: string[] = []
  const log: Log = { ...silentLog, warn: (text) => void warnings.push(text) }
  const names = () =>
    existsSync(config.snapshots.folder) ? readdirSync(config.snapshots.folder) : []
  return { config, clock, log, warnings, names }
}

/** Makes a snapshot at the time of the clock, in this process; fails while `fault` says why. */
const taking = (clock: FakeClock, fault: () => string | undefined = () => undefined) => {
  const at: number[] = []
  const take = async (config: Config) => {
    at.push(clock.now())
    const why = fault()
    if (why === undefined) takeSnapshot(config, clock.now())
    return why
  }
  return { take, at }
}

test('each night one is made after three, the newest are kept, and the last is put back', async () => {
  using temporary = tempFolder()
  const { config, clock, log, warnings, names } = await nights(temporary.path, {
    BECKON_SNAPSHOTS: '2',
  })
  const { take, at } = taking(clock)
  using _job = keepSnapshots(config, log, { clock, take })
  await clock.advance(60_000)
  expect(at).toEqual([])
  await clock.advance(5 * DAY - HOUR)
  expect(at.map((time) => new Date(time).getHours())).toEqual([3, 3, 3, 3, 3])
  expect(new Set(at.map((time) => new Date(time).getDate())).size).toBe(5)
  expect([names().length, warnings]).toEqual([2, []])
  const target = join(temporary.path, 'target')
  restore(target, newestSnapshot(config), '2026-01-31T03:00:00.000Z')
  expect(keptRows(join(target, 'beckon.db'))).toBe(3)
})

test('a night that failed is tried again each hour, and said each time', async () => {
  using temporary = tempFolder()
  const { config, clock, log, warnings, names } = await nights(temporary.path)
  let fault: string | undefined = 'The disk is full.'
  const { take, at } = taking(clock, () => fault)
  using _job = keepSnapshots(config, log, { clock, take })
  await clock.advance(18 * HOUR)
  const sentence = 'The nightly snapshot of the database was not made: The disk is full.'
  expect(at.length).toBeGreaterThan(1)
  expect(warnings).toEqual(at.map(() => sentence))
  const gaps = at.slice(1).map((time, i) => time - (at[i] ?? 0))
  expect(gaps.every((gap) => gap === HOUR)).toBe(true)
  fault = undefined
  await clock.advance(HOUR)
  expect(names()).toHaveLength(1)
  const tries = at.length
  await clock.advance(5 * HOUR)
  expect(at.length).toBe(tries)
})

test('with 0 there is no job, and a job that was ended looks no more', async () => {
  using temporary = tempFolder()
  const { config, clock, log, names } = await nights(temporary.path, { BECKON_SNAPSHOTS: '0' })
  const { take, at } = taking(clock)
  keepSnapshots(config, log, { clock, take })
  expect(clock.pending()).toBe(0)
  const on = { ...config, snapshots: { ...config.snapshots, keep: 3 } }
  keepSnapshots(on, log, { clock, take })[Symbol.dispose]()
  await clock.advance(3 * DAY)
  expect([at, names(), clock.pending()]).toEqual([[], [], 0])
})

test('a server makes it in a process of its own, where its own settings say', async () => {
  using temporary = tempFolder()
  const elsewhere = join(temporary.path, 'other disk')
  const { config, log, warnings } = await nights(temporary.path, {
    BECKON_SNAPSHOT_FOLDER: elsewhere,
    BECKON_SNAPSHOTS: '1',
  })
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'beckon.db.2020-01-31T030000Z'), 'of a night long ago')
  const clock = fakeClock(Date.now())
  const take = (one: Config, signal: AbortSignal) => snapshotOf(one, signal, PROGRAM)
  using _job = keepSnapshots(config, log, { clock, take })
  await clock.advance(2 * 60_000)
  await until(() => !readdirSync(elsewhere).includes('beckon.db.2020-01-31T030000Z'))
  expect(warnings).toEqual([])
  expect(keptRows(newestSnapshot(config))).toBe(3)
}, 60_000)
