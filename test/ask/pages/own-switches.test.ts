import { expect, test } from 'bun:test'
import { listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { readOwnQuietHours } from '../../../src/ask/subscribers/model/own-quiet-store.ts'
import { saveSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import { MESSAGE_SORTS } from '../../../src/ask/subscribers/model/subscriber.ts'
import { readSwitchedOff } from '../../../src/ask/subscribers/model/switch-store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { aDevice } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const PATH = '/settings/notifications'
const KINDS = [
  ['kind', 'browser'],
  ['kind', 'phone'],
]
const all = MESSAGE_SORTS.flatMap((sort) => [`${sort}.browser`, `${sort}.phone`])
const ticked = (names: string[]) => [...KINDS, ...names.map((name) => [name, 'on'])]

const text = async (world: PageWorld) => (await world.get(PATH)).text()
const off = async ({ db, workspaceId }: PageWorld) =>
  [...(await readSwitchedOff(db.read, workspaceId)).values()].flat()

async function connectMaras({ db, workspaceId }: PageWorld, kind: 'browser' | 'phone' | 'chat') {
  const [mara] = await listPeople(db.read)
  const device = aDevice({ workspaceId, kind, personId: mara?.id, id: newId('sub', Date.now()) })
  await db.write((tx) => saveSubscriber(tx, device))
}

test('everything is ticked at first, and what is not ticked is switched off', async () => {
  await using world = await pageWorld()
  const first = await text(world)
  for (const name of all) expect(first).toMatch(new RegExp(`name="${name}"[^>]*checked`))
  expect(first).toContain('None of your devices is connected yet')
  expect(first).not.toContain('name="info.chat"')
  const response = await world.post(PATH, ticked(all.filter((name) => name !== 'info.phone')))
  expect([response.status, response.headers.get('location')]).toEqual([303, `${PATH}?saved`])
  expect(await off(world)).toEqual([{ sort: 'info', kind: 'phone' }])
  const after = await text(world)
  expect(after).not.toMatch(/name="info.phone"[^>]*checked/)
  expect(after).toMatch(/name="info.browser"[^>]*checked/)
  await world.post(PATH, ticked(all))
  expect(await off(world)).toEqual([])
})

test('a form that asked nothing changes nothing, and unknown names are not switches', async () => {
  await using world = await pageWorld()
  await world.post(PATH, [])
  expect(await off(world)).toEqual([])
  await world.post(PATH, [['kind', 'watch'], ...ticked([...all, 'news.phone', 'info.watch'])])
  expect(await off(world)).toEqual([])
  await world.post(PATH, ticked(all.slice(1)))
  expect(await off(world)).toEqual([{ sort: 'question', kind: 'browser' }])
})

test('who keeps questions from every device is told what comes of it', async () => {
  await using world = await pageWorld()
  await connectMaras(world, 'phone')
  const warning = 'Questions reach none of your connected devices'
  expect(await text(world)).not.toContain(warning)
  await world.post(PATH, ticked(all.filter((name) => name !== 'question.phone')))
  expect(await text(world)).toContain(warning)
  await connectMaras(world, 'browser')
  expect(await text(world)).not.toContain(warning)
})

test('a chat has switches once somebody has one', async () => {
  await using world = await pageWorld()
  await connectMaras(world, 'chat')
  expect(await text(world)).toMatch(/name="info.chat"[^>]*checked/)
  await world.post(PATH, [['kind', 'chat'], ...ticked(all)])
  expect((await off(world)).map(({ kind }) => kind)).toEqual(MESSAGE_SORTS.map(() => 'chat'))
})

test('what was held, and why, is said in the activity and on its page', async () => {
  await using world = await pageWorld()
  await world.ask({ detail: { switchedOff: 'all' } })
  const notification = await world.tell({ held: 'switched_off' })
  await world.tell({ held: 'quiet_hours' })
  const activity = await (await world.get('/activity')).text()
  expect(activity.match(/Held by own switch/g)).toHaveLength(2)
  expect(activity).toContain('Quiet hours')
  expect(activity.match(/Not sent/g)?.length).toBe(2)
  expect(await (await world.get(`/n/${notification.id}`)).text()).toContain('No device was reached')
})

test('own quiet hours are set, shown again, refused if they make no sense, and cleared', async () => {
  await using world = await pageWorld()
  const read = async () => [...(await readOwnQuietHours(world.db.read, world.workspaceId)).values()]
  const save = async (hours: Record<string, string>) =>
    (await world.post(PATH, [...ticked(all), ['hours', 'yes'], ...Object.entries(hours)])).status
  const night = { from: '22:30', to: '06:00', zone: 'Europe/Berlin' }
  expect(await save({ ...night, quiet: 'yes' })).toBe(303)
  expect(await read()).toEqual([night])
  expect(await text(world)).toMatch(/name="from"[^>]*value="22:30"/)
  for (const wrong of [{ zone: 'Mars/Base' }, { to: '22:30' }, { from: '25:00' }]) {
    expect(await save({ ...night, ...wrong, quiet: 'yes' })).toBe(422)
  }
  // A form without these fields leaves them.
  await world.post(PATH, ticked(all))
  expect(await read()).toEqual([night])
  expect(await save(night)).toBe(303)
  expect(await read()).toEqual([])
})
