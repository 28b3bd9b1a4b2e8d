import { expect, test } from 'bun:test'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { previewPublish, publish } from '../../../src/catalog/publishing/publish.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { migratedDatabase } from '../../support/migrated-database.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const base = generatedCatalog(6)
const run = (date: string, preview = false) => ({
  ...base.settings,
  preview,
  run: { date, label: 'Run' },
})
const BEFORE: CatalogSource = { ...base, settings: run('2026-11-10') }
const [first, ...others] = base.tools
const slug = first?.slug ?? ''
const slugs = others.map((tool) => tool.slug)
const without = (source: CatalogSource): CatalogSource => ({
  ...source,
  tools: others,
  reviews: source.reviews.filter(({ tool }) => slugs.includes(tool)),
  changes: source.changes.filter(({ tool }) => slugs.includes(tool)),
})
const tombstone = { slug, date: '2026-11-12', reason: 'It ended.' }

/** What a second publish says, after `before`. */
async function second(next: CatalogSource, before = BEFORE): Promise<string> {
  using folder = tempFolder()
  await using db = openSqlite(migratedDatabase(folder.path))
  const deps = { db, clock: fakeClock(Date.UTC(2026, 10, 21)) }
  await publish(deps, before)
  const messages = await Promise.all(
    [previewPublish(deps, next), publish(deps, next)].map((done) =>
      done.then(
        () => 'published',
        (error: Error) => error.message,
      ),
    ),
  )
  expect(messages[0]).toBe(messages[1])
  return messages[1] ?? ''
}

test('a record that is gone needs an entry in removed.yaml, which stays there', async () => {
  const gone = without(BEFORE)
  expect(await second(gone)).toContain(slug)
  const listed = { ...gone, removed: [...base.removed, tombstone] }
  expect(await second(listed)).toBe('published')
  expect(await second(gone, listed)).toContain(`no longer lists ${slug}`)
  // The slug stays taken, because its entry stays.
  expect(await second(BEFORE, listed)).toContain(`no longer lists ${slug}`)
})

test('a run does not go back', async () => {
  expect(await second({ ...BEFORE, settings: run('2026-11-09') })).toContain('2026-11-10')
  for (const date of ['2026-11-10', '2026-11-11']) {
    const settings = { ...run(date), description: 'Another one.' }
    expect(await second({ ...BEFORE, settings })).toBe('published')
  }
})

test('a preview that was published binds nobody', async () => {
  const preview = { ...BEFORE, settings: run('2026-11-10', true) }
  expect(await second({ ...without(BEFORE), settings: run('2026-11-09') }, preview)).toBe(
    'published',
  )
})
