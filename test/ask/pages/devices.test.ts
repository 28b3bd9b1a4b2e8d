import { expect, test } from 'bun:test'
import { raiseAlarm } from '../../../src/ask/delivery/model/store.ts'
import { connect } from '../../support/devices.ts'
import { pageWorld } from '../../support/page-world.ts'

test('the devices page says what is wrong with the server’s own set-up, escaped', async () => {
  await using world = await pageWorld()
  const before = await (await world.get('/settings/devices')).text()
  // The world is known as localhost, which Apple does not take for a contact.
  expect(before).toContain('BECKON_VAPID_SUBJECT')
  expect(before).not.toContain('It answers')
  const alarm = { name: 'https://push.example', text: 'It answers 403 <b>now</b>.', at: 1 }
  await world.db.write((tx) => raiseAlarm(tx, alarm))
  const after = await (await world.get('/settings/devices')).text()
  expect(after).toContain('It answers 403 &lt;b>now&lt;/b>.')
})

test('a failed test of a device says once why, and the device’s card goes on saying it', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const [device] = await connect(db, { workspaceId })
  const why = 'The keys of the device are not valid'
  const times = (page: string) => page.split(why).length - 1
  const tested = await world.post(`/settings/devices/${device?.id}/test`, {})
  expect(times(await tested.text())).toBe(1)
  const later = await (await world.get('/settings/devices')).text()
  expect(times(later)).toBe(1)
  expect(later).toContain('Failed')
})
