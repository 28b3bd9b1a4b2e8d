import { expect, test } from 'bun:test'
import ICAL from 'ical.js'
import { LIST_CHANGES } from '../../../../src/catalog/agents/list-changes.ts'
import { loadFeedModules } from '../../../../src/catalog/feed-modules.ts'
import { buildQuickSite } from '../../../../src/catalog/feeds/built-site.ts'
import { calendarOf } from '../../../../src/catalog/feeds/calendar/calendar.ts'
import type { CatalogSnapshot } from '../../../../src/catalog/feeds/catalog-snapshot.ts'
import type { ChangeItem } from '../../../../src/catalog/records/change.ts'
import { changeItem, sampleSnapshot } from '../../snapshot-of.ts'

const FEED_MODULES = await loadFeedModules()

// Announced for a day that is still to come.
const ANNOUNCED = changeItem({ date: '2026-12-31', announced: '2026-10-01' })
const WITHDRAWN = changeItem({
  date: '2026-12-31',
  announced: '2026-10-01',
  status: 'withdrawn',
  updated: '2026-11-15',
  sequence: 1,
  replacement: 'tool-0001',
})
const SPECIFIED = ['date', 'kind', 'name', 'tool', 'url', 'source', 'what'] as const

const withOnly = (change: ChangeItem): CatalogSnapshot => ({
  ...sampleSnapshot(4),
  changes: [change],
})

async function documentsOf(snapshot: CatalogSnapshot) {
  const { documents } = await buildQuickSite(snapshot, FEED_MODULES)
  return (path: string) => {
    const document = documents.get(path)
    if (!document) throw new Error(`nothing is served at ${path}`)
    return new TextDecoder().decode(Buffer.concat([...document.pieces()]))
  }
}

test('a reader of the specified fields alone is told of a withdrawal, not of a shutdown', async () => {
  const before = JSON.parse((await documentsOf(withOnly(ANNOUNCED)))('/api/v1/changes.json'))
  expect(before.upcoming).toMatchObject([{ kind: 'shutdown', date: '2026-12-31' }])

  const read = await documentsOf(withOnly(WITHDRAWN))
  const { recent, upcoming } = JSON.parse(read('/api/v1/changes.json'))
  expect(upcoming).toEqual([])
  expect(recent).toHaveLength(1)
  const fields = Object.fromEntries(SPECIFIED.map((name) => [name, recent[0][name]]))
  expect(fields).toMatchObject({ kind: 'notice', date: '2026-11-15' })
  expect(recent[0].what).toContain('will not happen')
  expect(recent[0]).not.toHaveProperty('replacement')
  expect(recent[0].withdrawn).toEqual({ kind: 'shutdown', date: '2026-12-31' })

  for (const path of ['/changes', '/changes.atom', '/tools/tool-0000', '/tools/tool-0000.md']) {
    expect([path, read(path).includes('Withdrawn: ')]).toEqual([path, true])
  }
})

test('a calendar that has the event drops it: the same UID, cancelled, with a higher sequence', () => {
  const eventOf = (change: ChangeItem) => {
    const calendar = new ICAL.Component(ICAL.parse(calendarOf(withOnly(change))))
    const [event] = calendar.getAllSubcomponents('vevent')
    const value = (name: string) => String(event?.getFirstPropertyValue(name))
    return { uid: value('uid'), status: value('status'), sequence: Number(value('sequence')) }
  }
  const [before, after] = [eventOf(ANNOUNCED), eventOf(WITHDRAWN)]
  expect(before.status).toBe('CONFIRMED')
  expect(after).toEqual({ uid: before.uid, status: 'CANCELLED', sequence: before.sequence + 1 })
})

test('agents find it among what was, and not among what is to come', () => {
  const snapshot = withOnly(WITHDRAWN)
  const listed = (when: 'upcoming' | 'recent') =>
    LIST_CHANGES.answer({ when }, snapshot) as { changes: Array<{ kind: string; date: string }> }
  expect(listed('upcoming').changes).toEqual([])
  expect(listed('recent').changes).toMatchObject([{ kind: 'notice', date: '2026-11-15' }])
})
