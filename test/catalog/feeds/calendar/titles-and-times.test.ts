import { expect, test } from 'bun:test'
import ICAL from 'ical.js'
import { changeTitle } from '../../../../src/catalog/feeds/calendar/feed-entries.ts'
import type { AuthoredChange } from '../../../../src/catalog/records/authored.ts'
import type { ChangeItem } from '../../../../src/catalog/records/change.ts'
import { generatedCatalog } from '../../../support/generated-catalog.ts'
import { changeItem } from '../../snapshot-of.ts'
import { feedWorld } from '../feed-world.ts'

const TITLES: Array<[own: Partial<ChangeItem>, title: string]> = [
  [
    { name: 'AWS Lambda', what: 'Node.js 18 runtime ends.', date: '2026-09-01' },
    'AWS Lambda: Node.js 18 runtime ends, 1 Sep 2026',
  ],
  [
    { what: 'Version 3.10 ends. It gets no fixes.', date: '2026-09-01', datePrecision: 'month' },
    'Example API: Version 3.10 ends, September 2026',
  ],
  [
    { what: 'The runtime ends 1 Sep 2026.', date: '2026-09-01' },
    'Example API: The runtime ends 1 Sep 2026',
  ],
  [
    { what: 'A'.repeat(500), date: '2026-09-01' },
    expect.stringMatching(/^Example API: A{40,}…?, 1 Sep 2026$/),
  ],
]

for (const [own, title] of TITLES) {
  test(`a title says what and when: ${own.what?.slice(0, 30)}`, () => {
    expect(changeTitle(changeItem(own))).toEqual(title)
  })
}

/** Sequence, day of the last change and state, as the feed and the calendar have them. */
async function readEvent(world: Awaited<ReturnType<typeof feedWorld>>) {
  const { recent, upcoming } = await world.json<{ recent: ChangeItem[]; upcoming: ChangeItem[] }>(
    '/api/v1/changes.json',
  )
  const [item] = [...recent, ...upcoming].filter(({ id }) => id === 'it-ends')
  const calendar = new ICAL.Component(ICAL.parse(await (await world.get('/sunsets.ics')).text()))
  const [event] = calendar.getAllSubcomponents('vevent')
  expect(Number(event?.getFirstPropertyValue('sequence'))).toBe(item?.sequence as number)
  return { ...item, state: event?.getFirstPropertyValue('status') }
}

test('a change is as new as its last publish here, and its sequence grows with each', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(2)
  const change: AuthoredChange = {
    ...{ id: 'it-ends', tool: source.tools[0]?.slug ?? '', kind: 'shutdown', date: '2027-06-01' },
    ...{ what: 'It ends.', source: 'https://vendor.example/news', updated: '2026-01-01' },
  }
  const publish = (more: Partial<AuthoredChange> = {}, name = 'One') =>
    world.publish({
      ...source,
      settings: { ...source.settings, name },
      changes: [{ ...change, ...more }],
    })
  await publish()
  expect(await readEvent(world)).toMatchObject({ sequence: 0, updated: '2026-11-21' })
  world.pass(1)
  await publish({}, 'Two')
  expect(await readEvent(world)).toMatchObject({ sequence: 0, updated: '2026-11-21' })
  await publish({ date: '2027-07-01' })
  const moved = await readEvent(world)
  expect(moved).toMatchObject({ updated: '2026-11-22', state: 'CONFIRMED' })
  expect(moved.sequence).toBeGreaterThan(0)
  world.pass(1)
  await publish({ date: '2027-07-01', status: 'withdrawn' })
  const withdrawn = await readEvent(world)
  expect(withdrawn).toMatchObject({ updated: '2026-11-23', state: 'CANCELLED' })
  expect(withdrawn.sequence).toBeGreaterThan(moved.sequence as number)
})
