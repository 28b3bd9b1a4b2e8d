import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { ALL_PROBES } from '../../../src/catalog/facts/facts.ts'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { readLive } from '../../../src/catalog/measured/read-live.ts'
import { keepProbing } from '../../../src/catalog/probing/schedule.ts'
import { type Published, publish } from '../../../src/catalog/publishing/publish.ts'
import { type Catalog, createCatalog } from '../../../src/catalog/routes.ts'
import type { Manifest } from '../../../src/catalog/signing/manifest.ts'
import { type Clock, systemClock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { trusting } from '../../support/trusting.ts'
import { writeMonthCatalog } from './month-catalog.ts'
import { type MonthTime, monthTime } from './month-time.ts'
import { type PlayedInternet, playedInternet } from './played-internet.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const START = Date.UTC(2026, 10, 21)

/** A catalog that is measured in simulated time and served on loopback. */
export type MonthWorld = AsyncDisposable & {
  db: OpenDb
  time: MonthTime
  internet: PlayedInternet
  /** The present of the simulation, without timers: what is served is looked at when told. */
  clock: Clock
  /** The present of the simulation with the timers of the machine, for whoever has to wait. */
  mirrorClock: Clock
  url: string
  dataFolder: string
  catalogFolder: string
  imported: number
  /** As `beckon catalog publish` does, and serves it. */
  publish(): Promise<Published>
  /** Serves what was measured until now. */
  look(): Promise<void>
  read(path: string): Promise<string>
  manifest(): Promise<Manifest>
  /** A server of its own over the same data, as after a restart. */
  restarted(): Catalog
  /** Until so many days after the start. */
  untilDay(day: number): Promise<void>
}

export async function monthWorld(gates: { samples: number }): Promise<MonthWorld> {
  const folder = tempFolder()
  const [dataFolder, catalogFolder] = [join(folder.path, 'data'), join(folder.path, 'catalog')]
  const { imported } = await writeMonthCatalog(catalogFolder, gates)
  const db = openDataFolder(dataFolder)
  const time = monthTime(START)
  const internet = playedInternet()
  const clock: Clock = { ...time.clock, after: () => () => {} }
  const mirrorClock: Clock = { ...systemClock, now: time.clock.now }
  const modules = await loadFeedModules()
  const restarted = () =>
    createCatalog({
      modules,
      ...{ db, clock, log: silentLog, baseUrl: 'http://unused.example', limited: false },
      addressOf: () => '127.0.0.1',
    })
  const catalog = restarted()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => (await catalog.answer(request)) ?? new Response('', { status: 404 }),
  })
  const url = `http://127.0.0.1:${server.port}`
  const probing = keepProbing({
    ...{
      db,
      clock: time.clock,
      agreedTime: trusting(time.clock),
      log: silentLog,
      baseUrl: 'https://catalog.example',
      holder: 'one',
    },
    ...{ probes: ALL_PROBES, random: () => 0.5, fetch: time.watched(internet.fetch) },
  })
  const read = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity' } })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return await response.text()
  }
  return {
    ...{
      db,
      time,
      internet,
      clock,
      mirrorClock,
      url,
      dataFolder,
      catalogFolder,
      imported,
      restarted,
      read,
    },
    async publish() {
      const { source, problems } = await loadFolder(catalogFolder)
      if (!source) throw new Error(JSON.stringify(problems.slice(0, 5)))
      const published = await publish({ db, clock }, source, await readLive(db.read, clock.now()))
      await catalog.look()
      return published
    },
    look: () => catalog.look(),
    manifest: async () => JSON.parse(await read('/api/v1/manifest.json')),
    untilDay: (day) => time.runUntil(START + day * DAY),
    async [Symbol.asyncDispose]() {
      await probing[Symbol.asyncDispose]()
      await server.stop(true)
      await catalog[Symbol.asyncDispose]()
      await internet[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
