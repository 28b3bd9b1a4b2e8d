import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { readLive } from '../../../src/catalog/measured/read-live.ts'
import { keepProbing, type ProbingDeps } from '../../../src/catalog/probing/schedule.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import type { AuthoredTool } from '../../../src/catalog/records/authored.ts'
import type { Live } from '../../../src/catalog/records/live.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { migratedDatabase } from '../../support/migrated-database.ts'
import { type SimulatedTime, simulatedTime } from '../../support/simulated-time.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { trusting } from '../../support/trusting.ts'

export const START = Date.UTC(2026, 10, 21, 0, 30)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The scheduler over a database of its own, in simulated time, reaching loopback alone. */
export type ProbeWorld = AsyncDisposable & {
  db: OpenDb
  time: SimulatedTime
  publish(tools: AuthoredTool[], settings?: Partial<CatalogSource['settings']>): Promise<void>
  /** Starts the scheduler; the one before is stopped. */
  start(more?: Partial<ProbingDeps>): Promise<void>
  stop(): Promise<void>
  /** Lets time go by from where it is. */
  pass(ms: number): Promise<void>
  live(slug: string): Promise<Live | undefined>
}

export async function probeWorld(): Promise<ProbeWorld> {
  const folder = tempFolder()
  const db = openSqlite(migratedDatabase(folder.path))
  const time = simulatedTime(START)
  const { clock } = time
  let probing: AsyncDisposable | undefined
  const stop = async () => await probing?.[Symbol.asyncDispose]()
  return {
    ...{ db, time, stop },
    async publish(tools, settings = {}) {
      const source = generatedCatalog(4)
      const own = { ...source.settings, preview: false, ...settings }
      await publish(
        { db, clock },
        { ...source, tools, changes: [], reviews: [], removed: [], settings: own },
      )
    },
    async start(more = {}) {
      await stop()
      probing = keepProbing({
        ...{
          db,
          clock,
          agreedTime: trusting(clock),
          log: silentLog,
          baseUrl: 'https://beckon.example',
          holder: 'one',
        },
        ...{ probes: [], random: () => 0.5, fetch: time.watched(quickFetch()) },
        ...more,
      })
    },
    pass: (ms) => time.runUntil(clock.now() + ms),
    live: async (slug) => (await readLive(db.read, clock.now())).get(slug),
    async [Symbol.asyncDispose]() {
      await stop()
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** The guarded fetch, for loopback too, with little patience. */
export function quickFetch(allowPrivateHosts = ['127.0.0.1'], patienceMs = 1_000) {
  const { fetch } = createGuardedFetch({ allowPrivateHosts })
  return (url: string, request = {}) => fetch(url, { ...request, timeoutMs: patienceMs })
}

/** A record of the generated catalog that is asked at `remoteUrl`. */
export function toolAt(slug: string, remoteUrl: string, more: Partial<AuthoredTool> = {}) {
  const [sample] = generatedCatalog(1).tools
  if (!sample) throw new Error('there is none')
  const bare = { ...sample, slug, remoteUrl, kind: 'http-api', transports: ['http'], packages: [] }
  delete bare.repo
  delete bare.x402
  return { ...bare, ...more } as AuthoredTool
}
