import { expect, test } from 'bun:test'
import { publish } from '../../src/catalog/publishing/publish.ts'
import { readPublished } from '../../src/catalog/publishing/read-published.ts'
import * as store from '../../src/catalog/publishing/store.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { onBothDatabases } from './both-databases.ts'

const ITEM = {
  ...{ basis: 'editorial', confidence: 'high', grade: 'A', methodology: '1.0', pending: [] },
  ...{ run: '2026-11-01', runLabel: 'First', score: 81 },
}

onBothDatabases('the catalog', (db) => {
  test('is read back as it was published, also in many parts', async () => {
    const clock = fakeClock()
    const source = generatedCatalog(230)
    expect(await readPublished(db().read)).toBeUndefined()
    const done = await publish({ db: db(), clock }, source)
    expect(done).toMatchObject({ sequence: 1, changed: { updated: 0, removed: 0 } })
    const published = await readPublished(db().read)
    const byKey = <T extends { id?: string; slug?: string }>(list: readonly T[]) =>
      list.toSorted((a, b) => ((a.slug ?? a.id ?? '') < (b.slug ?? b.id ?? '') ? -1 : 1))
    expect(published?.source.tools).toEqual(byKey(source.tools))
    expect(published?.source.changes).toEqual(byKey(source.changes))
    expect(published?.source.removed).toEqual(byKey(source.removed))
    expect(published?.source.settings).toEqual(source.settings)
    expect(published?.source.methodology).toEqual(source.methodology)
    expect(published?.revision.revision).toBe(done.revision)
  })

  test('is written only where it changed, and counts what did', async () => {
    const clock = fakeClock()
    const source = generatedCatalog(12)
    await publish({ db: db(), clock }, source)
    const first = clock.now()
    clock.advance(86_400_000)
    expect(await publish({ db: db(), clock }, source)).toMatchObject({ sequence: 1 })
    const [one, ...others] = source.tools
    const tools = [{ ...one, summary: 'It does more.' } as (typeof source.tools)[number], ...others]
    const next = { ...source, tools: tools.slice(0, -1) }
    const done = await publish({ db: db(), clock }, next)
    expect(done).toMatchObject({ sequence: 2, changed: { added: 0, updated: 1, removed: 1 } })
    const published = await readPublished(db().read)
    expect(published?.source.tools).toHaveLength(11)
    expect(published?.updatedAt.get('tool-0000')).toBe(clock.now())
    expect(published?.updatedAt.get('tool-0005')).toBe(first)
  })

  test('goes back to what it was when a publish fails halfway', async () => {
    const clock = fakeClock()
    await publish({ db: db(), clock }, generatedCatalog(5))
    const before = await readPublished(db().read)
    const failing = db().write(async (tx) => {
      await store.dropRecords(tx, 'tool', ['tool-0001', 'tool-0002'])
      await store.putRecords(tx, [{ kind: 'tool', key: 'new', hash: 'x', body: {} }], 1)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await readPublished(db().read)).toEqual(before)
  })

  test('keeps each place of a history once, and each methodology by its first content', async () => {
    await db().write(async (tx) => {
      await store.addGrades(tx, [{ slug: 'a', place: 0, item: ITEM }], 1)
      await store.addGrades(tx, [{ slug: 'a', place: 0, item: { ...ITEM, score: 1 } }], 2)
      await store.addGrades(tx, [{ slug: 'a', place: 1, item: { ...ITEM, score: 90 } }], 2)
      await store.keepMethodology(tx, { version: '1.0', fingerprint: 'x', sequence: 1 })
      await store.keepMethodology(tx, { version: '1.0', fingerprint: 'y', sequence: 2 })
    })
    const scores = (await store.readGrades(db().read)).map(({ item }) => item.score)
    expect(scores).toEqual([81, 90])
    expect(await store.readMethodologies(db().read)).toEqual(new Map([['1.0', 'x']]))
  })

  test('is served in the order of its publishes, and read by kind and key', async () => {
    const counts = { added: 0, updated: 0, removed: 0 }
    await db().write(async (tx) => {
      for (const sequence of [2, 10, 9]) {
        const revision = `r${sequence}`
        await store.addRevision(tx, { sequence, revision, publishedAt: sequence, ...counts })
      }
      const rows = ['b', 'A', 'a'].map((key) => ({
        kind: 'tool' as const,
        key,
        hash: key,
        body: 1,
      }))
      await store.putRecords(tx, rows, 1)
    })
    expect(await store.latestRevision(db().read)).toMatchObject({ sequence: 10 })
    const first = await store.readRecords(db().read, undefined, 2)
    const rest = await store.readRecords(db().read, first[1], 2)
    expect([...first, ...rest].map(({ key }) => key)).toEqual(['A', 'a', 'b'])
    expect(await store.readHashes(db().read)).toHaveLength(3)
    const tools = await store.readTools(db().read, ['a', 'nothing'])
    expect([...tools.keys()]).toEqual(['a'])
  })
})
