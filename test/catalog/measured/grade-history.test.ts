import { expect, test } from 'bun:test'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { putFacts } from '../../../src/catalog/measured/fact-store.ts'
import { recordGrades } from '../../../src/catalog/measured/grade-history.ts'
import { addResult } from '../../../src/catalog/measured/probe-store.ts'
import { liveReader } from '../../../src/catalog/measured/read-live.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { readPublished } from '../../../src/catalog/publishing/read-published.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const QUARTER_MS = 900_000
// A day more than the week that the gate wants.
const PROBES = 768

test('a vendor that degrades moves the grade once, and the history is only added to', async () => {
  using folder = tempFolder()
  await using db = openSqlite(`${folder.path}/catalog.db`)
  const clock = fakeClock()
  const read = liveReader({ db, clock })
  await publish({ db, clock }, scoredCatalog(), await read())
  // What a server holds since the publish.
  const before = await readPublished(db.read)
  const grades = async () =>
    (await readPublished(db.read, before))?.history
      .get('a')
      ?.map(({ grade, basis }) => `${grade} ${basis}`)
  expect(await recordGrades({ db, clock })).toBe(0)
  expect(await grades()).toEqual(['AA editorial'])
  await db.write(async (tx) => {
    const now = clock.now()
    const value = { target: 'https://a.example/', method: 'GET' }
    await putFacts(tx, 'a', [{ subject: 'probe', value }], now)
    for (let i = 0; i < PROBES; i++) {
      const [at, ok] = [now - i * QUARTER_MS, i % 5 !== 0]
      const result = { slug: 'a', at, status: 200, ms: 5, authRequired: false }
      const date = new Date(at).toISOString().slice(0, 10)
      await addResult(tx, { ...result, outcome: ok ? 'open' : 'dead' }, { date, ok })
    }
  })
  const live = await read()
  expect(live.get('a')?.probe?.uptime30d).toBeLessThan(90)
  // The very same map, so that what is built of it stays as it is.
  expect(await read()).toBe(live)
  expect([await recordGrades({ db, clock }), await recordGrades({ db, clock })]).toEqual([1, 0])
  expect(await grades()).toEqual(['AA editorial', 'C mixed'])
})

function scoredCatalog(): CatalogSource {
  const base = generatedCatalog(4)
  const tools = base.tools.slice(1, 2).map((tool) => ({
    ...tool,
    slug: 'a',
    remoteUrl: 'https://a.example/',
    assessment: { confidence: 'high', date: '2026-01-01' },
    scores: Object.fromEntries(
      Object.keys(tool.scores ?? {}).map((key) => [key, { score: 9, reason: 'Tried.' }]),
    ),
  }))
  const none = { changes: [], reviews: [], removed: [] }
  return { ...base, ...none, tools, methodology: defaultMethodology() }
}
