import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readDirectoryQuery, selectTools } from '../../../src/catalog/pages/query.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { toolCall } from '../../support/mcp-world.ts'
import { type PublishedCatalog, publishedCatalog } from '../../support/published-catalog.ts'
import { post } from '../agents/agents-world.ts'
import { INTENTS } from './intents.ts'

const PLACES = 8

let world: PublishedCatalog
beforeAll(async () => {
  world = await publishedCatalog(await exampleCatalog())
})
afterAll(() => world[Symbol.asyncDispose]())

const WAYS: Record<string, (intent: string) => Promise<string[]>> = {
  page: async (intent) => {
    const query = readDirectoryQuery(new URLSearchParams({ q: intent }), world.snapshot)
    return selectTools(world.snapshot, query).map(({ slug }) => slug)
  },
  REST: async (intent) => {
    const response = await world.get(`/api/v1/tools.json?${new URLSearchParams({ q: intent })}`)
    const { tools } = (await response.json()) as { tools: Array<{ slug: string }> }
    return tools.map(({ slug }) => slug)
  },
  MCP: async (intent) => {
    const call = toolCall('search_tools', { query: intent, limit: PLACES })
    const { result } = (await (await post(world.url, call)).json()) as {
      result: { structuredContent: { tools: Array<{ slug: string }> } }
    }
    return result.structuredContent.tools.map(({ slug }) => slug)
  },
}

const results = new Map<string, string[][]>()

for (const [name, find] of Object.entries(WAYS)) {
  test(`${name}: three of four intents are met in the first eight places, and none is empty`, async () => {
    const lists: string[][] = []
    for (const [intent] of INTENTS) lists.push(await find(intent))
    results.set(
      name,
      lists.map((slugs) => slugs.slice(0, PLACES)),
    )
    const hits = lists.map((slugs, i) => hitsIn(slugs.slice(0, PLACES), INTENTS[i]?.[1] ?? []))
    const missed = INTENTS.filter((_, i) => hits[i] === 0).map(([intent]) => intent)
    const met = 1 - missed.length / INTENTS.length
    const share = hits.reduce((sum, hit) => sum + hit, 0) / INTENTS.length
    console.log(`${name}: ${met.toFixed(2)} met, ${share.toFixed(2)} of what fits; missed:`, missed)
    expect(met).toBeGreaterThanOrEqual(0.75)
    expect(share).toBeGreaterThanOrEqual(0.75)
    expect(lists.filter((slugs) => slugs.length === 0)).toEqual([])
  })
}

test('page, REST and MCP have one order', () => {
  const [page, rest, mcp] = Object.keys(WAYS).map((name) => results.get(name))
  expect(page).toHaveLength(INTENTS.length)
  expect(rest).toEqual(page as string[][])
  // An answer over MCP ends where its tokens do.
  expect(mcp).toEqual(page?.map((slugs, i) => slugs.slice(0, mcp?.[i]?.length)) as string[][])
})

test('the intents name records that there are', () => {
  expect(INTENTS).toHaveLength(60)
  const slugs = new Set(INTENTS.flatMap(([, own]) => own))
  expect([...slugs].filter((slug) => !world.snapshot.bySlug.has(slug))).toEqual([])
})

/** The share of the places that could be hits. */
function hitsIn(slugs: readonly string[], wanted: readonly string[]): number {
  const hits = slugs.filter((slug) => wanted.includes(slug)).length
  return hits / Math.min(PLACES, wanted.length)
}
