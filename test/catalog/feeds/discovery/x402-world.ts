import { X402_PROBE } from '../../../../src/catalog/facts/x402/fact.ts'
import { loadFeedModules } from '../../../../src/catalog/feed-modules.ts'
import { type BuiltSite, buildSite } from '../../../../src/catalog/feeds/built-site.ts'
import { snapshotSteps } from '../../../../src/catalog/feeds/make-snapshot.ts'
import { createServe } from '../../../../src/catalog/feeds/serve.ts'
import { gradeAll } from '../../../../src/catalog/grading/grade.ts'
import { putFacts } from '../../../../src/catalog/measured/fact-store.ts'
import { addPrices } from '../../../../src/catalog/measured/price-store.ts'
import { readLive } from '../../../../src/catalog/measured/read-live.ts'
import type { AuthoredTool } from '../../../../src/catalog/records/authored.ts'
import { openSqlite } from '../../../../src/platform/db/sqlite.ts'
import { openListener } from '../../../../src/platform/http/listener.ts'
import { silentLog } from '../../../../src/platform/log.ts'
import { runAtOnce } from '../../../../src/platform/run-in-steps.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { generatedCatalog } from '../../../support/generated-catalog.ts'
import { migratedDatabase } from '../../../support/migrated-database.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { outside } from '../../facts/x402/paid-vendor.ts'

const FEED_MODULES = await loadFeedModules()

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 10, 20, 8)

/** A catalog of these tools behind a real port, whose paid addresses are asked day by day. */
export async function x402World(tools: readonly AuthoredTool[]) {
  const folder = tempFolder()
  const db = openSqlite(migratedDatabase(folder.path))
  const listener = openListener({ host: '127.0.0.1', port: 0, baseUrl: '', log: silentLog })
  const { url } = listener
  const { methodology, settings, vendors } = generatedCatalog(1)
  const [vendor] = vendors
  if (!vendor) throw new Error('no vendor')
  const source = {
    ...{ methodology, settings, changes: [], reviews: [], removed: [] },
    vendors: [{ ...vendor, id: 'acme', name: 'Acme' }],
    tools: tools.map((tool) => ({ ...tool, category: settings.categories[0]?.id ?? '' })),
  }
  let now = START
  let site: BuiltSite | undefined
  const serve = createServe({
    ...{ clock: fakeClock(), modules: FEED_MODULES, limited: false, addressOf: () => '192.0.2.1' },
    site: () => site,
    ready: () => Promise.reject(new Error('nothing is built')),
    report: (error) => {
      throw error
    },
  })
  listener.answerWith((request) => serve(request) ?? new Response('', { status: 404 }))

  async function build() {
    const live = await readLive(db.read, now)
    const today = new Date(now).toISOString().slice(0, 10)
    const snapshot = runAtOnce(
      snapshotSteps({
        states: new Map(),
        ...{
          published: { source, updatedAt: new Map() },
          revision: { revision: 'r', sequence: 1 },
        },
        ...{ gradings: gradeAll(source, live, today, new Map()), live, today, baseUrl: url },
      }),
    )
    site = await buildSite(snapshot, FEED_MODULES)
  }

  const memories = new Map<string, Map<string, unknown>>()
  await build()
  return {
    url,
    db,
    /** Lets a day go by, and asks every paid address. */
    async nextDay() {
      now += DAY_MS
      for (const tool of source.tools) {
        const before = memories.get(tool.slug) ?? new Map<string, unknown>()
        memories.set(tool.slug, before)
        for (const probe of [X402_PROBE]) {
          const subject = { tool, vendor, memories: before }
          if (!probe.appliesTo(subject)) continue
          const { facts, prices = [] } = await probe.run(outside, subject, now)
          await db.write(async (tx) => {
            await putFacts(tx, tool.slug, facts, now)
            await addPrices(tx, tool.slug, prices, now)
          })
          for (const fact of facts) before.set(fact.subject, fact.value)
        }
      }
      await build()
    },
    async text(path: string) {
      return await (await fetch(`${url}${path}`)).text()
    },
    async json(path: string) {
      return await (await fetch(`${url}${path}`)).json()
    },
    async [Symbol.asyncDispose]() {
      await listener.stop(0)
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
