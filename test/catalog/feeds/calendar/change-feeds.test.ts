import { expect, test } from 'bun:test'
import { parseXml } from '@rgrove/parse-xml'
import fc from 'fast-check'
import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import { atomOf } from '../../../../src/catalog/feeds/calendar/atom.ts'
import { changeUuid } from '../../../../src/catalog/feeds/calendar/feed-entries.ts'
import { jsonFeedOf } from '../../../../src/catalog/feeds/calendar/json-feed.ts'
import type { CatalogSnapshot } from '../../../../src/catalog/feeds/catalog-snapshot.ts'
import { BASE, changeItem, HOSTILE_TEXTS, sampleSnapshot } from '../../snapshot-of.ts'

const snapshot = sampleSnapshot(40)
const PLACE = { title: 'Generated catalog: changes', path: '/changes.atom', page: '/changes' }

function atom(own: Partial<CatalogSnapshot> = {}): string {
  const whole = { ...snapshot, ...own }
  return atomOf(whole, whole.changes, PLACE)
}

test('a published reader of Atom sees every part of a change', () => {
  const change = changeItem({ announced: '2026-10-01', replacement: 'tool-0001' })
  const feed = parseAtomFeed(atom({ changes: [change] }))
  expect(feed.id).toBe(`${BASE}/changes.atom`)
  expect(feed.updated).toBe('2026-11-01T00:00:00Z')
  expect(feed.authors?.[0]?.name).toBe('Generated catalog')
  expect(feed.links?.map(({ rel, href }) => [rel, href])).toEqual([
    ['self', `${BASE}/changes.atom`],
    ['alternate', `${BASE}/changes`],
  ])
  expect(feed.entries).toHaveLength(1)
  expect(feed.entries?.[0]).toMatchObject({
    id: `urn:uuid:${changeUuid('example-ends')}`,
    updated: '2026-11-01T00:00:00Z',
    published: '2026-10-01T00:00:00Z',
    categories: [{ term: 'shutdown' }],
    links: [
      { rel: 'alternate', href: `${BASE}/tools/tool-0000` },
      { rel: 'related', href: 'https://vendor.example/news' },
    ],
  })
})

test('a published reader of JSON Feed sees the same', () => {
  const change = changeItem({ announced: '2026-10-01', status: 'withdrawn' })
  const feed = parseJsonFeed(jsonFeedOf({ ...snapshot, changes: [change] }))
  expect(feed.feed_url).toBe(`${BASE}/changes.feed.json`)
  expect(feed.items).toMatchObject([
    {
      id: `urn:uuid:${changeUuid('example-ends')}`,
      url: `${BASE}/tools/tool-0000`,
      external_url: 'https://vendor.example/news',
      title: 'Withdrawn: Example API: Shutdown, 31 Dec 2026',
      tags: ['notice', 'tool-0000'],
    },
  ])
})

test('what JSON Feed 1.1 asks for is there', () => {
  const feed = JSON.parse(jsonFeedOf(snapshot))
  expect(feed.version).toBe('https://jsonfeed.org/version/1.1')
  expect(typeof feed.title).toBe('string')
  const ids = new Set()
  for (const item of feed.items) {
    expect(typeof item.id).toBe('string')
    expect(typeof item.content_text).toBe('string')
    expect(item.date_modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    for (const key of ['url', 'external_url']) expect(URL.canParse(item[key])).toBe(true)
    const names = 'id url external_url title content_text date_published date_modified tags'
    for (const key of Object.keys(item)) {
      expect(key.startsWith('_') || names.split(' ').includes(key)).toBe(true)
    }
    ids.add(item.id)
  }
  expect(ids.size).toBe(snapshot.changes.length)
})

test('what was told last is first, at most 200, and nothing is dated in the future', () => {
  const changes = Array.from({ length: 250 }, (_, at) =>
    changeItem({ id: `c-${at}`, updated: `2026-0${1 + (at % 9)}-11` }),
  )
  changes.push(changeItem({ id: 'future', updated: '2027-05-05' }))
  const feed = parseAtomFeed(atom({ changes }))
  const days = feed.entries?.map((entry) => String(entry.updated)) ?? []
  expect(days).toHaveLength(200)
  expect(days).toEqual(days.toSorted().reverse())
  expect(days[0]).toBe('2026-11-01T00:00:00Z')
})

test('a catalog without changes has valid feeds', () => {
  expect(parseAtomFeed(atom({ changes: [] })).updated).toBe('2026-11-01T00:00:00Z')
  expect(JSON.parse(jsonFeedOf({ ...snapshot, changes: [] })).items).toEqual([])
})

test('no text leaves its element, and all that can be shown comes out as it went in', () => {
  const anyText = fc.oneof(
    fc.constantFrom(...HOSTILE_TEXTS),
    fc.string({ unit: 'binary', maxLength: 300 }),
  )
  fc.assert(
    fc.property(anyText, (text) => {
      const what = `(${text})`
      const change = changeItem({ what, name: text, kind: text, replacement: text, url: text })
      const settings = { ...snapshot.settings, name: `n ${text}`, attribution: text }
      const own = { changes: [change], settings }
      const whole = { ...snapshot, ...own }
      const xml = atomOf(whole, whole.changes, { ...PLACE, title: text })
      // XML 1.0, 2.2: what no document may contain.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/)
      expect(() => parseXml(xml)).not.toThrow()
      expect(xml.match(/<[a-z]+/g)?.filter((tag) => tag === '<entry')).toHaveLength(1)
      expect(parseAtomFeed(xml).entries).toHaveLength(1)
      const [item] = JSON.parse(jsonFeedOf({ ...snapshot, ...own })).items
      expect(item.content_text).not.toMatch(/\p{Bidi_Control}/u)
    }),
  )
  const what = 'a <b> & "c" \'d\' ]]>'
  const [entry] = parseAtomFeed(atom({ changes: [changeItem({ what })] })).entries ?? []
  expect(entry?.content).toMatchObject({ value: expect.stringContaining(what) })
})

test('the same changes give the same bytes, in whatever order they come', () => {
  const changes = snapshot.changes.toReversed()
  expect(atom({ changes })).toBe(atom())
  expect(jsonFeedOf({ ...snapshot, changes })).toBe(jsonFeedOf(snapshot))
})
