import { expect, test } from 'bun:test'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { buildSite } from '../../../src/catalog/feeds/built-site.ts'
import type { CatalogSnapshot } from '../../../src/catalog/feeds/catalog-snapshot.ts'
import { snapshotSteps } from '../../../src/catalog/feeds/make-snapshot.ts'
import { createServe } from '../../../src/catalog/feeds/serve.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import { Live } from '../../../src/catalog/records/live.ts'
import { runAtOnce } from '../../../src/platform/run-in-steps.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { filledFrom } from '../../support/filled-from.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { heldTo } from '../../support/held-to-description.ts'
import { publishedCatalog } from '../../support/published-catalog.ts'
import { HOSTILE_TEXTS } from '../snapshot-of.ts'

const FEED_MODULES = await loadFeedModules()

/** A catalog in which everything that can be measured was, by turns with and without a value. */
function measuredView(): CatalogSnapshot {
  const source = generatedCatalog(HOSTILE_TEXTS.length)
  const address = 'https://vendor.example/status?a=b'
  const live = new Map(
    source.tools.map(({ slug }, i) => {
      const text = HOSTILE_TEXTS[i] ?? ''
      return [slug, { ...(filledFrom(Live, text, address, i) as Live), slug }] as const
    }),
  )
  return runAtOnce(
    snapshotSteps({
      states: new Map(),
      ...{ published: { source, updatedAt: new Map() }, revision: { revision: 'r', sequence: 1 } },
      ...{ gradings: gradeAll(source, live, '2026-11-21', new Map()), live },
      ...{ today: '2026-11-21', baseUrl: 'https://catalog.example' },
    }),
  )
}

// spec: CF-LIVE
test('measurements of every kind are served as they are described', async () => {
  await using world = await publishedCatalog()
  const site = await buildSite(measuredView(), FEED_MODULES)
  const serve = createServe({
    ...{ clock: fakeClock(), modules: FEED_MODULES, limited: false, addressOf: () => '192.0.2.1' },
    ...{ site: () => site, ready: async () => site },
    report: (error) => {
      throw error
    },
  })
  const held = heldTo(world.description)
  const paths = [...site.documents.keys()].filter((path) => !path.startsWith('/tools-assets/'))
  expect(paths.length).toBeGreaterThan(6 * HOSTILE_TEXTS.length)
  for (const path of [...paths, '/api/v1/tools.json?limit=500']) {
    const response = await serve(new Request(`https://catalog.example${path}`))
    if (!response) throw new Error(`nobody answers ${path}`)
    await held(path, response)
  }
  const { live = {} } = site.snapshot.bySlug.get('tool-0001') ?? {}
  expect(Object.keys(live).sort()).toEqual(Object.keys(Live.properties).sort())
})
