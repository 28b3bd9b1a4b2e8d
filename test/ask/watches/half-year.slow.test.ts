import { expect, test } from 'bun:test'
import { parseAtomFeed } from 'feedsmith'
import { addToken } from '../../../src/ask/accounts/model/token-store.ts'
import { putOneWatch } from '../../../src/ask/watches/change-watches.ts'
import { listPosts } from '../../../src/ask/watches/model/post-store.ts'
import { WATCHED_NEWS_NAMES } from '../../../src/ask/watches/model/watch.ts'
import { tellWatchers } from '../../../src/ask/watches/tell-watchers.ts'
import { hashTools } from '../../../src/catalog/facts/mcp-tools/hash-tools.ts'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { noteFacts } from '../../../src/catalog/history/store.ts'
import { noteToolList } from '../../../src/catalog/history/tool-list-store.ts'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import type { AuthoredChange } from '../../../src/catalog/records/authored.ts'
import type { Tombstone } from '../../../src/catalog/records/change.ts'
import { createCatalog } from '../../../src/catalog/routes.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { watchWorld } from '../../support/watch-world.ts'
import { type Event, expectedHistory, expectedNews, isOver } from './half-year-oracle.ts'

const DAYS = 180
const TOOLS = 5
const DAY_MS = 86_400_000
const LISTED = 'https://mcp.example/mcp'
// So many that some are left after each that went.
const MANY = Array.from({ length: 60 }, (_, at) => `first-${at}`)

/** Numbers from 0 up to 1, the same every time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** What happens on each day, made without looking at what is told. */
function story(seed: number): Event[][] {
  const next = numbers(seed)
  const pick = (most: number) => Math.floor(next() * most)
  const open = new Map<number, { id: string; date: number }>()
  const gone = new Set<number>()
  let changes = 0
  return Array.from({ length: DAYS }, (_, day): Event[] => {
    const tool = pick(TOOLS)
    if (gone.has(tool) || day === 0) return []
    const roll = pick(12)
    const end = open.get(tool)
    if (roll < 2) return [{ day, tool, what: 'price', to: pick(3) === 0 ? null : 1 + pick(4) }]
    if (roll < 4) return [{ day, tool, what: 'version', to: `1.${pick(3)}.0` }]
    if (roll < 7) {
      const breaking = ([true, false, null] as const)[pick(3)] ?? null
      return [{ day, tool, what: 'tools', breaking }]
    }
    if (roll === 7) return [{ day, tool, what: 'status', to: pick(2) === 0 ? 'none' : 'major' }]
    if (roll === 8 && end && day < end.date - 1 && pick(3) === 0) {
      open.delete(tool)
      return [{ day, tool, what: 'withdrawn', id: end.id }]
    }
    if (roll === 9 && !end) {
      const change = { id: `end-${++changes}`, date: day + 5 + pick(115) }
      open.set(tool, change)
      return [{ day, tool, what: 'end', ...change }]
    }
    if (roll === 10)
      return [{ day, tool, what: 'break', id: `break-${++changes}`, date: day + 3 + pick(40) }]
    if (roll === 11 && day > 120 && gone.size < 2) {
      gone.add(tool)
      return [{ day, tool, what: 'gone' }]
    }
    return []
  })
}

const slugOf = (tool: number) => `tool-000${tool}`

async function yearWorld() {
  const world = await watchWorld()
  const { db } = world.flows
  const start = Date.UTC(2026, 10, 21, 12)
  let day = 0
  const clock = { ...world.flows.clock, now: () => start + day * DAY_MS }
  const catalog = createCatalog({
    modules: await loadFeedModules(),
    ...{ db, clock, log: silentLog, baseUrl: 'https://catalog.example', limited: false },
    addressOf: () => '192.0.2.1',
    serves: false,
  })
  const deps = { ...world.deps, clock, published: () => catalog.news() }
  const dateOf = (at: number) => new Date(start + at * DAY_MS).toISOString().slice(0, 10)
  const base = generatedCatalog(TOOLS)
  const source = {
    ...base,
    settings: { ...base.settings, preview: false },
    changes: [] as AuthoredChange[],
    removed: [] as Tombstone[],
    reviews: [],
    tools: base.tools.map(({ scores: _, assessment: __, x402: ___, ...tool }) => tool),
  }
  return { world, db, clock, catalog, deps, source, dateOf, goTo: (to: number) => (day = to) }
}

type Year = Awaited<ReturnType<typeof yearWorld>>

/** Lets an event happen, by the ways of the program. */
async function happen(year: Year, event: Event, lists: Map<string, string[]>): Promise<void> {
  const { db, clock, source, dateOf } = year
  const slug = slugOf(event.tool)
  const now = clock.now()
  const change = (kind: string, id: string, date: number, status = 'announced') => ({
    ...{ id, tool: slug, kind, date: dateOf(date), what: `It changes (${id}).`, status },
    source: 'https://vendor.example/news',
  })
  if (event.what === 'version') {
    const value = { version: event.to }
    await db.write((tx) => noteFacts(tx, slug, [{ subject: 'version npm acme', value }], now))
  } else if (event.what === 'status') {
    const value = { page: LISTED, indicator: event.to, summary: event.to }
    await db.write((tx) => noteFacts(tx, slug, [{ subject: 'vendorStatus', value }], now))
  } else if (event.what === 'tools') {
    const before = lists.get(slug) ?? MANY
    const names = event.breaking === true ? before.slice(1) : before
    const after = event.breaking === true ? names : [...before, `tool-${event.day}`]
    lists.set(slug, after)
    const tools = hashTools(
      LISTED,
      after.map((name) => ({ name })),
    )
    const [first, ...others] = tools
    const unreadable = first && {
      ...first,
      hash: String(event.day).padStart(64, '0'),
      definition: null,
    }
    const list = event.breaking === null && unreadable ? [unreadable, ...others] : tools
    await db.write((tx) => noteToolList(tx, slug, { url: LISTED, tools: list, isWhole: true }, now))
  } else if (event.what === 'price') {
    source.tools = source.tools.map((tool) => {
      if (tool.slug !== slug) return tool
      const { unitPrices: _, ...rest } = tool
      const price = { item: 'call', unit: 'request', source: 'https://vendor.example/p' }
      return event.to === null ? rest : { ...rest, unitPrices: [{ ...price, usd: event.to }] }
    })
  } else if (event.what === 'end') {
    source.changes.push(change('shutdown', event.id, event.date) as AuthoredChange)
  } else if (event.what === 'break') {
    source.changes.push(change('breaking', event.id, event.date) as AuthoredChange)
  } else if (event.what === 'withdrawn') {
    source.changes = source.changes.map((one) =>
      one.id === event.id ? { ...one, status: 'withdrawn' } : one,
    )
  } else {
    source.tools = source.tools.filter((tool) => tool.slug !== slug)
    source.changes = source.changes.filter(({ tool }) => tool !== slug)
    source.removed.push({ slug, date: dateOf(event.day), reason: 'It is gone.' })
  }
}

test('half a year of a catalog is told as it happened', async () => {
  const year = await yearWorld()
  await using _world = year.world
  await using catalog = year.catalog
  const { db, clock, deps, source, goTo } = year
  const days = story(49)
  const prices = source.tools.map(({ unitPrices }) => unitPrices?.[0]?.usd ?? null)
  const lists = new Map<string, string[]>()
  const row = { name: 'CI', hash: 'h', tail: 't', test: false, createdAt: 1, createdBy: null }
  const { workspaceId } = year.world
  await db.write((tx) => addToken(tx, { id: 'key_1', workspaceId, ...row }))
  await publish({ db, clock }, source)
  await catalog.look()
  const of = { workspaceId, tokenId: 'key_1' } as const
  const records = source.tools.map(({ slug }) => slug)
  const url = 'https://ci.example/news'
  const everything = {
    kind: 'list',
    target: 'all',
    records,
    news: WATCHED_NEWS_NAMES,
    url,
  } as const
  const { watch } = await putOneWatch(deps, of, everything)
  let posts = 0
  for (const [day, events] of days.entries()) {
    goTo(day)
    for (const event of events) await happen(year, event, lists)
    source.settings = { ...source.settings, run: { date: year.dateOf(day), label: `Day ${day}` } }
    await publish({ db, clock }, source)
    await catalog.look()
    await tellWatchers(deps)
    await tellWatchers(deps)
    const all = await listPosts(db.read, watch.id)
    const bodies = all.toSorted((a, b) => a.createdAt - b.createdAt).slice(posts)
    posts = all.length
    expect([day, bodies.length <= 1]).toEqual([day, true])
    const { news = [], gone = [] } = bodies[0] ? JSON.parse(bodies[0].body) : {}
    const names = news.map(
      ({ tool, kind }: { tool: string; kind: string }) => `${Number(tool.slice(5))} ${kind}`,
    )
    expect([day, names.toSorted()]).toEqual([day, expectedNews(days, day, prices)])
    const left = events.filter(({ what }) => what === 'gone').map(({ tool }) => slugOf(tool))
    expect([day, gone]).toEqual([day, left])
    if (day % 15 === 14) await compareDocuments(year, days, day)
  }
  expect(posts).toBeGreaterThan(40)
}, 600_000)

/** History, badge and Atom of each tool on a day. */
async function compareDocuments({ catalog, source }: Year, days: Event[][], day: number) {
  const { documents } = await catalog.ready()
  const textAt = async (path: string) => {
    const body = await documents.get(path)?.written('identity')
    return body ? await new Response(body.content()).text() : ''
  }
  for (const { slug } of source.tools) {
    const tool = Number(slug.slice(5))
    const { history } = JSON.parse(await textAt(`/api/v1/tools/${slug}/history.json`))
    const counts = Object.fromEntries(
      ['toolLists', 'versions', 'status'].map((name) => [name, history[name].length]),
    )
    expect([day, slug, counts]).toEqual([day, slug, expectedHistory(days, day, tool)])
    const badge = await textAt(`/tools/${slug}.svg`)
    expect([day, slug, badge.includes('shut down')]).toEqual([day, slug, isOver(days, day, tool)])
    const { entries = [], updated } = parseAtomFeed(await textAt(`/tools/${slug}.atom`))
    const lists = entries.filter((entry) => entry.categories?.[0]?.term === 'tools')
    expect([day, slug, lists.length]).toEqual([day, slug, Math.max(0, counts.toolLists - 1)])
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
    const newest = entries
      .map((entry) => String(entry.updated))
      .toSorted()
      .at(-1)
    if (newest) expect([day, slug, updated]).toEqual([day, slug, newest])
  }
}
