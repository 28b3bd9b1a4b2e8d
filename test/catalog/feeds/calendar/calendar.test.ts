import { expect, test } from 'bun:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { sync as nodeIcal } from 'node-ical'
import { calendarOf } from '../../../../src/catalog/feeds/calendar/calendar.ts'
import { changeUuid } from '../../../../src/catalog/feeds/calendar/feed-entries.ts'
import type { CatalogSnapshot } from '../../../../src/catalog/feeds/catalog-snapshot.ts'
import type { ChangeItem } from '../../../../src/catalog/records/change.ts'
import { BASE, changeItem, HOSTILE_TEXTS, sampleSnapshot } from '../../snapshot-of.ts'

const snapshot = sampleSnapshot(40)

function withChanges(...changes: ChangeItem[]): CatalogSnapshot {
  return { ...snapshot, changes }
}

/** The events as ical.js, the reader of Thunderbird, understands them. */
function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((event) => ({
    uid: event.getFirstPropertyValue('uid'),
    summary: event.getFirstPropertyValue('summary'),
    description: event.getFirstPropertyValue('description'),
    status: event.getFirstPropertyValue('status'),
    sequence: Number(event.getFirstPropertyValue('sequence')),
    stamp: String(event.getFirstPropertyValue('dtstamp')),
    modified: String(event.getFirstPropertyValue('last-modified')),
    start: String(event.getFirstPropertyValue('dtstart')),
    end: String(event.getFirstPropertyValue('dtend')),
    url: event.getFirstPropertyValue('url'),
    categories: event.getAllProperties('categories').flatMap((one) => one.getValues()),
  }))
}

const change = changeItem({ sequence: 3, replacement: 'tool-0001' })
const text = calendarOf(withChanges(change))

// spec: CF-CALENDAR
test('one change is read by ical.js as an event of a whole day', () => {
  expect(eventsOf(text)).toEqual([
    {
      uid: changeUuid('example-ends'),
      summary: 'Example API: The interface ends, 31 Dec 2026',
      description:
        'The interface ends.\nDate: 2026-12-31\nInstead: tool-0001\nSource: https://vendor.example/news',
      status: 'CONFIRMED',
      sequence: 3,
      stamp: '2026-11-01T00:00:00Z',
      modified: '2026-11-01T00:00:00Z',
      start: '2026-12-31',
      end: '2027-01-01',
      url: `${BASE}/tools/tool-0000`,
      categories: ['shutdown', 'messaging'],
    },
  ])
})

test('one change is read by node-ical the same way', () => {
  const event = nodeIcal.parseICS(text)[changeUuid('example-ends')]
  if (event?.type !== 'VEVENT') throw new Error('no event')
  expect(event.summary).toBe('Example API: The interface ends, 31 Dec 2026')
  expect(event.datetype).toBe('date')
  expect(Number(event.sequence)).toBe(3)
  expect(event.status).toBe('CONFIRMED')
  expect(event.description).toContain('Instead: tool-0001')
})

test('one change keeps its UID when everything but its id changes', () => {
  const later = calendarOf({
    ...withChanges(changeItem({ date: '2027-02-02', name: 'New', what: 'No', sequence: 9 })),
    baseUrl: 'https://elsewhere.example',
  })
  expect(eventsOf(later)[0]?.uid).toBe(eventsOf(text)[0]?.uid as string)
  expect(changeUuid('example-ends')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(changeUuid('example-ends')).toBe('9353f3ff-6a65-579c-87e5-d0a5ea2074e6')
})

test('one change that is exact to the month only is tentative, and says so', () => {
  const [event] = eventsOf(calendarOf(withChanges(changeItem({ datePrecision: 'month' }))))
  expect(event?.status).toBe('TENTATIVE')
  expect(event?.description).toContain('exact to the month')
})

test('a withdrawn change is cancelled for 90 days, then gone', () => {
  const change = changeItem({ status: 'withdrawn', updated: '2026-11-01' })
  const on = (today: string) => eventsOf(calendarOf({ ...withChanges(change), today }))
  expect(on('2026-11-21')[0]?.status).toBe('CANCELLED')
  expect(on('2027-01-30')).toHaveLength(1)
  expect(on('2027-01-31')).toHaveLength(0)
})

test('the whole catalog is read by both, and asks to be read again after twelve hours', () => {
  const text = calendarOf(snapshot)
  expect(eventsOf(text)).toHaveLength(snapshot.changes.length)
  const others = Object.values(nodeIcal.parseICS(text)).filter((one) => one?.type === 'VEVENT')
  expect(others).toHaveLength(snapshot.changes.length)
  const root = new ICAL.Component(ICAL.parse(text))
  expect(root.getFirstPropertyValue('name')).toBe('Generated catalog: changes')
  expect(String(root.getFirstPropertyValue('refresh-interval'))).toBe('PT12H')
})

test('a catalog without changes is still a valid calendar', () => {
  const text = calendarOf(withChanges())
  expect(eventsOf(text)).toEqual([])
  expect(new ICAL.Component(ICAL.parse(text)).getAllSubcomponents()).toHaveLength(1)
})

test('filters mean or within a name and and between names', () => {
  const changes = [
    changeItem({ id: 'a', tool: 'tool-0000', kind: 'shutdown' }),
    changeItem({ id: 'b', tool: 'tool-0001', kind: 'price' }),
    changeItem({ id: 'c', tool: 'tool-0001', kind: 'shutdown' }),
    changeItem({ id: 'd', tool: 'tool-gone', kind: 'shutdown' }),
  ]
  const ids = (filter: Parameters<typeof calendarOf>[1]) => {
    const uids = eventsOf(calendarOf(withChanges(...changes), filter)).map((event) => event.uid)
    return changes.filter(({ id }) => uids.includes(changeUuid(id))).map(({ id }) => id)
  }
  expect(ids({})).toEqual(['a', 'b', 'c', 'd'])
  expect(ids({ tool: ['tool-0001', 'tool-gone'] })).toEqual(['b', 'c', 'd'])
  expect(ids({ tool: ['tool-0001'], kind: ['shutdown'] })).toEqual(['c'])
  expect(ids({ category: ['storage'] })).toEqual(['b', 'c'])
  expect(ids({ kind: ['nothing'] })).toEqual([])
})

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('\\', ';', ',', '\n', '\r', ':', '"', 'n', '🙂', 'é') }),
)

test('no text leaves its property: lines have 75 octets, and both readers see one event', () => {
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      const change = changeItem({ name: one, what: other, kind: one, replacement: other, url: one })
      const settings = { ...snapshot.settings, name: one, attribution: other }
      const text = calendarOf({ ...withChanges(change), settings })
      expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
      for (const line of text.split('\r\n')) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(line.isWellFormed()).toBe(true)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
        expect(line).not.toMatch(/[\u0000-\u001f\u007f]/)
      }
      const events = eventsOf(text)
      expect(events).toHaveLength(1)
      expect(events[0]?.uid).toBe(changeUuid('example-ends'))
      expect(events[0]?.categories).toHaveLength(2)
      const read = Object.entries(nodeIcal.parseICS(text)).filter(([, it]) => it?.type === 'VEVENT')
      expect(read.map(([key]) => key)).toEqual([changeUuid('example-ends')])
    }),
  )
})

test('text comes out of ical.js as it went in', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('\\', ';', ',', '\n', 'n', '🙂', 'é', 'a') }),
      (t) => {
        const what = `<${t}>`
        const [event] = eventsOf(calendarOf(withChanges(changeItem({ what }))))
        expect(event?.description).toStartWith(`${what}\nDate: `)
      },
    ),
  )
})

test('the same changes give the same bytes, in whatever order they come', () => {
  const reversed = { ...snapshot, changes: snapshot.changes.toReversed() }
  expect(calendarOf(reversed)).toBe(calendarOf(structuredClone(snapshot)))
})
