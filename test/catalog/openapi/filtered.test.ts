import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PARAMETERS } from '../../../src/catalog/feeds/listing-query.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { heldTo } from '../../support/held-to-description.ts'
import {
  asFiles,
  type Parameter,
  type PublishedCatalog,
  publishedCatalog,
} from '../../support/published-catalog.ts'

const LISTING = '/api/v1/tools.json'

let world: PublishedCatalog
let check: ReturnType<typeof heldTo>
beforeAll(async () => {
  world = await publishedCatalog(await asFiles(generatedCatalog(40)))
  check = heldTo(world.description)
})
afterAll(() => world[Symbol.asyncDispose]())

function parametersOf(path: string): Parameter[] {
  const { parameters = [] } = world.description.paths[path]?.get ?? {}
  return parameters.filter((one) => one.in === 'query')
}

/** Values that a parameter takes, by what is said of it. */
function values({ name, schema }: Parameter): string[] {
  const items = schema.items as { examples?: string[] } | undefined
  const { minimum, maximum, enum: words } = schema
  if (words) return words as string[]
  if (schema.type === 'boolean') return ['true', 'false']
  if (minimum !== undefined) return [minimum, maximum].filter((it) => it !== undefined).map(String)
  if (schema.format === 'date') return ['2026-01-31', '2024-02-29']
  if (items?.examples) return [...items.examples, items.examples.join(',')]
  if (name === 'tool') return ['tool-0004', 'tool-0004,tool-old-name']
  if (name === 'tools') return ['tool-0001,tool-0002']
  if (name === 'category') return ['storage', 'storage,messaging']
  return ['word', '<script>']
}

test('what is described is what is read', () => {
  expect(parametersOf(LISTING).map(({ name }) => name)).toEqual([...PARAMETERS])
})

test.each([LISTING, '/sunsets.ics', '/tools', '/compare', '/changes'])(
  '%s: the answer to every parameter is as it is described',
  async (path) => {
    for (const parameter of parametersOf(path).filter(({ name }) => name !== 'cursor')) {
      for (const value of values(parameter)) {
        const address = `${path}?${parameter.name}=${encodeURIComponent(value)}`
        const response = await world.get(address)
        expect([address, response.status]).toEqual([address, 200])
        await check(address, response)
      }
    }
  },
)

test.each([
  ...['?limit=7', '?sort=-name&limit=9&view=slim', '?q=tool&kind=mcp,http-api&limit=3'],
  '?removed=true&updatedSince=2020-01-01&limit=20',
])('%s: every page is as it is described, to the last', async (query) => {
  let address: string | undefined = LISTING + query
  let pages = 0
  while (address) {
    const response: Response = await world.get(address)
    const copy = response.clone()
    await check(address, response)
    const { page } = await copy.json()
    expect(copy.headers.get('link') ?? null).toEqual(page.next && `<${page.next}>; rel="next"`)
    address = page.next?.slice(page.next.indexOf('/api/'))
    pages += 1
  }
  expect(pages).toBeGreaterThan(1)
})

test('all of them at once, and a page that was kept', async () => {
  const all = parametersOf(LISTING).filter(({ name }) => name !== 'cursor')
  const query = all.map((one) => `${one.name}=${encodeURIComponent(values(one).at(-1) ?? '')}`)
  const address = `${LISTING}?${query.join('&')}`
  const response = await world.get(address)
  const etag = response.headers.get('etag') ?? ''
  expect(response.status).toBe(200)
  await check(address, response)
  const again = await world.get(address, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
  await check(address, again)
})

test('what a schema does not let through is refused, as it is described', async () => {
  for (const { name, schema } of parametersOf(LISTING)) {
    const { type, minimum, maximum, maxLength, format, maxItems, enum: words } = schema
    const wrong = [
      ...(words || type === 'boolean' || format ? ['no-such-word'] : []),
      ...(minimum === undefined ? [] : ['many', String(Number(minimum) - 1)]),
      ...(maximum === undefined ? [] : [String(Number(maximum) + 1)]),
      ...(maxLength === undefined ? [] : ['x'.repeat(Number(maxLength) + 1)]),
      ...(maxItems === undefined
        ? []
        : [Array.from({ length: Number(maxItems) + 1 }, (_, i) => i).join()]),
      '',
    ]
    for (const value of wrong) {
      const address = `${LISTING}?${name}=${encodeURIComponent(value)}`
      const response = await world.get(address)
      expect([address, response.status]).toEqual([address, 400])
      await check(address, response)
    }
  }
})
