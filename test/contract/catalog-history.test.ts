import { expect, test } from 'bun:test'
import { hashTools } from '../../src/catalog/facts/mcp-tools/hash-tools.ts'
import type { ToolList } from '../../src/catalog/facts/mcp-tools/tool-list.ts'
import { changedPrices, notePrices } from '../../src/catalog/history/prices.ts'
import * as store from '../../src/catalog/history/store.ts'
import { noteToolList, readDefinitions } from '../../src/catalog/history/tool-list-store.ts'
import { forgetTool } from '../../src/catalog/measured/fact-store.ts'
import { addResult, readMonths } from '../../src/catalog/measured/probe-store.ts'
import { readHistory } from '../../src/catalog/measured/read-history.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { onBothDatabases } from './both-databases.ts'

const URL = 'https://vendor.example/mcp'
const list = (names: readonly string[], isWhole = true): ToolList => ({
  url: URL,
  isWhole,
  tools: hashTools(
    URL,
    names.map((name) => ({ name })),
  ),
})

onBothDatabases('the history of tools', (db) => {
  const note = (names: readonly string[], at: number, isWhole = true) =>
    db().write((tx) => noteToolList(tx, 'a', list(names, isWhole), at))
  const lists = async () => (await readHistory(db().read)).get('a')?.toolLists ?? []

  test('the first list is the base, and later ones are stored where they differ', async () => {
    await note(['x', 'y'], 1)
    await note(['y', 'x'], 2)
    await note(['y', 'z'], 3)
    expect(await lists()).toMatchObject([
      { at: '1970-01-01T00:00:00.001Z', count: 2, changes: [] },
      { at: '1970-01-01T00:00:00.003Z', count: 2, changes: [{ tool: 'x' }, { tool: 'z' }] },
    ])
    expect(await readDefinitions(db().read, ['a', 'b'])).toMatchObject([
      { name: 'y', seenAt: 1, changedAt: 1 },
      { name: 'z', seenAt: 3, changedAt: 3 },
    ])
  })

  test('a list that broke off removes nothing, and after a gap the next one is a base', async () => {
    await note(['x', 'y'], 1)
    await note(['z'], 2, false)
    expect(await readDefinitions(db().read, ['a'])).toHaveLength(3)
    await db().write((tx) => forgetTool(tx, 'a'))
    expect(await readDefinitions(db().read, ['a'])).toEqual([])
    await note(['w'], 3)
    expect((await lists()).map(({ changes }) => changes.length)).toEqual([0, 1, 0])
  })

  test('an empty list is a base as well', async () => {
    await note([], 1)
    await note(['x'], 2)
    expect((await lists()).at(-1)?.changes).toMatchObject([{ tool: 'x', kind: 'came' }])
  })

  test('a value is stored once, and an older one not at all', async () => {
    const see = (version: string, now: number, at?: number) =>
      db().write((tx) =>
        store.noteFacts(
          tx,
          'a',
          [{ subject: 'version npm it', value: { version }, ...(at === undefined ? {} : { at }) }],
          now,
        ),
      )
    await see('1.0', 10)
    await see('1.0', 20)
    await see('2.0', 30)
    await see('1.5', 40, 25)
    const versions = (await readHistory(db().read)).get('a')?.versions
    expect(versions?.map(({ version, name }) => [name, version])).toEqual([
      ['it', '1.0'],
      ['it', '2.0'],
    ])
    expect(await store.slugsWithHistory(db().read)).toEqual(['a'])
  })

  test('the oldest rows of a subject give way', async () => {
    await db().write(async (tx) => {
      for (let at = 1; at <= 230; at++) {
        await store.noteFacts(
          tx,
          'a',
          [{ subject: 'version npm it', value: { version: `${at}` } }],
          at,
        )
        if (at % 10 === 0) await store.noteFacts(tx, 'a', [{ subject: 'other', value: at }], at)
      }
    })
    const rows = await store.readHistoryRows(db().read, ['a'])
    const versions = rows.filter(({ subject }) => subject.startsWith('version'))
    expect([versions.length, versions[0]?.at]).toEqual([200, 31])
    expect(rows.length - versions.length).toBe(23)
  })

  test('prices of a record by item and unit', async () => {
    const [tool] = generatedCatalog(1).tools
    if (!tool) throw new Error('one')
    const priced = (prices: Record<string, number>) => ({
      ...tool,
      unitPrices: Object.entries(prices).map(([item, usd]) => ({
        ...{ item, usd, unit: '1 month', source: 'https://vendor.example/prices' },
      })),
    })
    const changes = changedPrices(priced({ a: 1, b: 2, c: 3 }), priced({ b: 2, c: 4, d: 0 }))
    expect(changes.map(({ item, before, after }) => [item, before, after])).toEqual([
      ['a', 1, null],
      ['c', 3, 4],
      ['d', null, 0],
    ])
    await db().write((tx) => notePrices(tx, 'a', changes, 5))
    expect((await readHistory(db().read)).get('a')?.prices).toHaveLength(3)
  })

  test('a subject has so many rows at most, and a place has one', async () => {
    const place = { slug: 'a', kind: 'fact', subject: 'version' } as const
    for (let at = 1; at <= 202; at++)
      await db().write((tx) => store.addRow(tx, { ...place, at, value: at }))
    await db().write((tx) => store.addRow(tx, { ...place, at: 202, value: 'again' }))
    expect(await store.lastRow(db().read, place)).toMatchObject({ at: 202, value: 202 })
    const rows = await store.readHistoryRows(db().read, ['a'])
    expect(rows.filter(({ subject }) => subject === 'version')).toHaveLength(200)
  })

  test('probes by month', async () => {
    const open = { outcome: 'open', status: 200, ms: 40, authRequired: false } as const
    await db().write(async (tx) => {
      for (const [at, date] of ['2026-10-30', '2026-10-31', '2026-11-01'].entries()) {
        await addResult(tx, { slug: 'a', at, ...open }, { date, ok: at !== 1 })
      }
    })
    expect(await readMonths(db().read, ['a'])).toEqual([
      { slug: 'a', month: '2026-10', probes: 2, ok: 1 },
      { slug: 'a', month: '2026-11', probes: 1, ok: 1 },
    ])
  })
})
