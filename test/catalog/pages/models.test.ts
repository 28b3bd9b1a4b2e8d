import { expect, test } from 'bun:test'
import { modelsPage } from '../../../src/catalog/pages/models/page.tsx'
import {
  costOf,
  MODEL_SORTS,
  type ModelSort,
  modelRows,
} from '../../../src/catalog/pages/models/rows.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { feedWorld } from '../feeds/feed-world.ts'
import { snapshotOf } from '../snapshot-of.ts'

const SIZE = { calls: 10_000, input: 2_000, cached: 0, output: 500 }
const source = 'https://vendor.example/prices'
const token = (item: string, usd: number, note?: string) => ({
  ...{ item, usd, unit: '1M tokens', source },
  ...(note ? { note } : {}),
})

/** Models with these prices, named a, b, c. */
function catalogOf(prices: Array<Array<ReturnType<typeof token>>>) {
  const all = generatedCatalog(prices.length)
  const tools = all.tools.map((tool, i) => ({
    ...{ ...tool, kind: 'model', name: 'abcdef'[i] ?? '', unitPrices: prices[i] ?? [] },
  }))
  return { ...all, tools, changes: [] }
}

const PRICES = [
  [token('input tokens', 3), token('output tokens', 15)],
  [token('input tokens', 1), token('output tokens', 5), token('cached input tokens', 0.1)],
  [token('output tokens', 1)],
  [token('input tokens', 9, 'For more than 200,000 tokens of context.')],
]

test('what calls cost is the sum of their tokens, and not known where a price is missing', () => {
  const prices = { input: 3, output: 15, cached: undefined }
  expect(costOf(prices, SIZE)).toBeCloseTo(10_000 * ((3 * 2_000 + 15 * 500) / 1e6))
  expect(costOf(prices, { ...SIZE, cached: 1 })).toBeUndefined()
  expect(costOf({ ...prices, input: 0 }, { ...SIZE, output: 0 })).toBe(0)
})

test('rows are sorted by each column; what is not known is last and no zero', () => {
  const snapshot = snapshotOf(catalogOf(PRICES))
  const names = (sort: ModelSort) =>
    modelRows(snapshot, sort, SIZE)
      .map(({ tool }) => tool.name)
      .join('')
  expect(names('input')).toBe('bacd')
  expect(names('output')).toBe('cbad')
  expect(names('cached')).toBe('bacd')
  expect(names('cost')).toBe('bacd')
  for (const sort of MODEL_SORTS) expect(names(sort as ModelSort)).toHaveLength(4)
  const [, , third] = modelRows(snapshot, 'input', SIZE)
  expect([third?.input, third?.cost]).toEqual([undefined, undefined])
})

test('the form works without scripts, and odd numbers fall back', async () => {
  await using world = await feedWorld()
  await world.publish(catalogOf(PRICES))
  const page = async (query: string) => await (await world.get(`/models${query}`)).text()
  expect(await page('?calls=1000000&input=1000&output=0&sort=cost')).toContain('$1,000')
  expect(await page('?calls=-5&input=%3Cscript%3E&sort=nothing')).toContain('value="10000"')
  expect((await world.get('/models')).status).toBe(200)
})

test('the page of the examples is small', async () => {
  const page = modelsPage(snapshotOf(await exampleCatalog()))
  expect(page).toContain('class="plain models"')
  expect(Bun.gzipSync(Buffer.from(page)).length).toBeLessThan(20_000)
})
