import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { toolCall } from '../../support/mcp-world.ts'
import { type PublishedCatalog, publishedCatalog } from '../../support/published-catalog.ts'
import { post } from '../agents/agents-world.ts'

const ENDED = 'tool-0001'
const IN_PART = 'tool-0002'
const IN_USE = 'tool-0004'
const DAY = '2026-01-05'

/** One tool that was shut down, one with parts that ended, and one with an end to come. */
function source(): CatalogSource {
  const plain = generatedCatalog(6)
  const base = { source: 'https://vendor.example/ends' }
  return {
    ...plain,
    changes: [
      {
        ...{ ...base, id: 'the-end', tool: ENDED, kind: 'shutdown', date: DAY },
        ...{ what: 'Everything ends.', replacement: IN_USE },
      },
      ...['One', 'Two'].map((part, i) => ({
        ...{ ...base, id: `part-${i}`, tool: IN_PART, kind: 'notice' as const },
        ...{
          date: `2026-0${i + 2}-01`,
          what: `Release ${part} ends.`,
          endsPart: `Release ${part}`,
        },
      })),
      {
        ...{ ...base, id: 'part-2', tool: IN_PART, kind: 'notice', date: '2126-01-01' },
        ...{ what: 'Release Three ends.', endsPart: 'Release Three' },
      },
    ],
  }
}

let world: PublishedCatalog
beforeAll(async () => {
  world = await publishedCatalog(source())
})
afterAll(() => world[Symbol.asyncDispose]())

const text = async (path: string) => (await world.get(path)).text()
const json = async (path: string) => (await world.get(path)).json()
type Row = { slug: string; ended?: unknown }
const endedIn = ({ tools }: { tools: Row[] }) =>
  tools.flatMap(({ slug, ended }) => (ended === undefined ? [] : [[slug, ended]]))

test('the directory marks the ended tool alone, and says what to use instead', async () => {
  const page = await text('/tools')
  const rows = [...page.matchAll(/<li class="tool ended">.*?<\/li>/gs)].map(([row]) => row)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain(`/tools/${ENDED}"`)
  expect(rows[0]).toContain('Shut down 5 Jan 2026, use Tool 4')
})

test('the listing, the search index and the listing in short mark it', async () => {
  expect(endedIn(await json('/api/v1/tools.json?view=slim'))).toEqual([[ENDED, 'shut-down']])
  expect(endedIn(await json('/api/v1/search.json'))).toEqual([[ENDED, true]])
  const { tools } = await json('/api/v1/tools.json')
  const gated = tools.filter(({ catalog }: { catalog: { gates?: Array<{ code: string }> } }) =>
    catalog.gates?.some(({ code }) => code === 'shut-down'),
  )
  expect(gated.map(({ slug }: Row) => slug)).toEqual([ENDED])
  const lines = (await text('/llms-full.txt')).split('\n')
  expect(lines.filter((line) => line.includes(`shut down since ${DAY}`))).toEqual([
    expect.stringContaining(`/tools/${ENDED}.min.md`),
  ])
})

test('a search of an agent marks it and puts it last', async () => {
  const reply = await post(world.url, toolCall('search_tools', { query: 'tool' }))
  const { structuredContent } = (await reply.json()).result
  expect(structuredContent.tools.length).toBeGreaterThan(3)
  expect(endedIn(structuredContent)).toEqual([[ENDED, 'shut-down']])
  expect(structuredContent.tools.at(-1).slug).toBe(ENDED)
})

test('feeds tell the end of a tool from that of a part', async () => {
  const { recent, upcoming } = await json('/api/v1/changes.json')
  const marks = [...recent, ...upcoming].map(({ tool, kind, endsPart }) => [tool, kind, endsPart])
  expect(marks).toEqual([
    [IN_PART, 'notice', 'Release Two'],
    [IN_PART, 'notice', 'Release One'],
    [ENDED, 'shutdown', undefined],
    [IN_PART, 'notice', 'Release Three'],
  ])
  for (const path of ['/changes.atom', '/changes.feed.json', '/sunsets.ics']) {
    const feed = (await text(path)).replaceAll('\r\n ', '').replaceAll('\\,', ',')
    expect(feed).toContain('Tool 1: Everything ends, 5 Jan 2026')
    expect(feed).toContain('Tool 2: Release One ends, 1 Feb 2026')
  }
})

test('pages say in their head what ended: all of the tool, a part, or nothing', async () => {
  const head = async (slug: string) => {
    const [, list = ''] = /<dl class="glance">(.*?)<\/dl>/s.exec(await text(`/tools/${slug}`)) ?? []
    return list.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  }
  expect(await head(ENDED)).toContain('Ended Shut down 5 Jan 2026, use Tool 4')
  expect(await head(IN_PART)).toContain('Ended in part Release Two , 1 Mar 2026 and 1 other')
  expect(await head(IN_PART)).toContain('Price')
  expect(await head(IN_USE)).not.toContain('Ended')
  expect(await text(`/tools/${ENDED}.min.md`)).toContain(`shut down since ${DAY}`)
  const short = await text(`/tools/${IN_PART}.min.md`)
  expect(short).not.toContain('shut down')
  expect(short).toContain('- **Ended in part:** Release Two, 2026-03-01, and 1 more')
})
