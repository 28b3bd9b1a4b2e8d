import { afterAll, beforeAll, expect, test } from 'bun:test'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function call(method: string, body?: object) {
  const response = await fetch(`${world.url}/api/v1/quiet-hours`, {
    method,
    headers: { 'content-type': 'application/json', origin: world.url, cookie: world.cookie },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
const HOURS = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }

test('a person sets their own quiet hours and reads them, as on the page', async () => {
  expect((await call('GET')).body).toEqual({ quietHours: null })
  expect(await call('PATCH', { quietHours: HOURS })).toEqual({
    ...{ status: 200, body: { quietHours: HOURS } },
  })
  expect((await call('GET')).body).toEqual({ quietHours: HOURS })
  const page = await (await world.get('/settings/notifications')).text()
  expect(page).toContain('value="22:00"')
  const rows = await world.db.read.select().from(audit)
  expect(rows.filter(({ kind }) => kind === 'switches.changed')).toHaveLength(1)
})

test('wrong hours are named, and change nothing; null takes them away', async () => {
  const wrong: Array<[object, string]> = [
    [{ ...HOURS, zone: 'Europe/Atlantis' }, 'quietHours.zone'],
    [{ ...HOURS, to: '22:00' }, 'quietHours.to'],
    [{ ...HOURS, from: '24:00' }, 'quietHours.from'],
    [{ from: '22:00', to: '07:00' }, 'quietHours.zone'],
  ]
  for (const [hours, field] of wrong) {
    const { status, body } = await call('PATCH', { quietHours: hours })
    expect([hours, status, String(body.fields?.[0]?.field)]).toEqual([
      ...[hours, 422],
      expect.stringContaining(field),
    ])
  }
  expect((await call('PATCH', {})).status).toBe(422)
  expect((await call('GET')).body).toEqual({ quietHours: HOURS })
  await call('PATCH', { quietHours: null })
  expect((await call('GET')).body).toEqual({ quietHours: null })
})
