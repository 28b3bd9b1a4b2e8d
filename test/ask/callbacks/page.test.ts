import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readCallbacks } from '../../../src/ask/callbacks/read-callbacks.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'
import { until } from '../../support/until.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const PAGE = '/settings/callbacks'
// The server must not reach it, so that an attempt ends at once and nothing leaves the machine.
const NOWHERE = 'https://127.0.0.1:9'
const text = async (path: string) => (await world.get(path)).text()
const newest = async () => (await readCallbacks(world, world.workspaceId)).items[0]

async function answered(callbackUrl: string, more = {}) {
  const id = await world.ask({ callbackUrl, ...more })
  await world.post(`/d/${id}/answer`, { value: 'yes' })
  await until(async () => (await newest())?.log.length === 1)
  const callback = await newest()
  if (callback?.questionId !== id) throw new Error('no callback')
  return callback
}

test('before anything was posted the page says what will appear', async () => {
  expect(await text(PAGE)).toContain('Nothing has been posted yet')
  expect(await text('/settings')).toContain(PAGE)
})

test('the secret is shown only to who asks for it, and stays the same', async () => {
  expect(await text(PAGE)).not.toContain('whsec_')
  const page = await (await world.post(`${PAGE}/secret`, {})).text()
  const [secret] = /whsec_[\w+/=]+/.exec(page) ?? []
  expect(secret).toBeDefined()
  expect(await (await world.post(`${PAGE}/secret`, {})).text()).toContain(String(secret))
  expect((await world.get(`${PAGE}/secret`)).headers.get('location')).toBe(PAGE)
})

test('replacing the secret makes another and says until when both count', async () => {
  const before = await (await world.post(`${PAGE}/secret`, {})).text()
  expect(before).not.toContain('Two signatures until')
  // A reload of what follows must not replace it once more.
  const rotated = await world.post(`${PAGE}/rotate`, {})
  expect([rotated.status, rotated.headers.get('location')]).toEqual([303, PAGE])
  const after = await (await world.post(`${PAGE}/secret`, {})).text()
  const [old, fresh] = [before, after].map((page) => /whsec_[\w+/=]+/.exec(page)?.[0])
  expect(fresh).not.toBe(old)
  expect(after).not.toContain(String(old))
  expect(after).toContain('Two signatures until')
})

test('the log shows where to, how far, each attempt and the next one; a query stays hidden', async () => {
  const callback = await answered(`${NOWHERE}/in?key=abc"><script>x</script>`)
  const page = await text(PAGE)
  for (const part of [`${NOWHERE}/in?…`, 'On its way', '1 attempt', 'no answer', 'private']) {
    expect(page).toContain(part)
  }
  expect(page).toContain('next attempt at')
  expect(page).not.toContain('key=abc')
  expect(page).not.toContain('<script>x')

  const response = await world.post(`${PAGE}/${callback.id}/redeliver`, {})
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `${PAGE}#callback-${callback.id}`,
  ])
  await until(async () => (await newest())?.log.length === 2)
  expect((await newest())?.expiresAt).toBeGreaterThan(callback.expiresAt)
})

test('test traffic is marked, and a long log goes on on another page', async () => {
  for (let i = 0; i < 21; i++) await answered(`${NOWHERE}/${i}`, { test: true })
  const page = await text(PAGE)
  expect(page).toContain('class="thing test"')
  const [, older] = /href="(\/settings\/callbacks\?from=[0-9a-z]+)"/.exec(page) ?? []
  expect(await text(String(older))).toContain(`${NOWHERE}/0<`)
})

test('nobody but an owner sees or does any of it, and no other site in their name', async () => {
  const callback = await answered(`${NOWHERE}/guarded`)
  const bo = await addPersonWithPassword(
    { db: world.db, clock: systemClock },
    { email: 'bo@example.org', name: 'Bo', role: 'member' },
  )
  const cookie = await signInAs(world.app, bo.id)
  expect((await world.get(PAGE, cookie)).status).toBe(403)
  expect(await (await world.get('/settings', cookie)).text()).not.toContain(PAGE)
  for (const path of [`${PAGE}/secret`, `${PAGE}/rotate`, `${PAGE}/${callback.id}/redeliver`]) {
    const asMember = await world.post(path, {}, { cookie })
    expect([path, asMember.status]).toEqual([path, 403])
    expect(await asMember.text()).not.toContain('whsec_')
    const asStranger = await world.post(path, {}, { cookie: '' })
    expect([path, asStranger.headers.get('location')]).toEqual([path, '/sign-in'])
    const elsewhere = await world.post(path, {}, { origin: 'https://evil.example' })
    expect([path, elsewhere.status]).toEqual([path, 403])
  }
  const { id, expiresAt } = callback
  expect(await newest()).toMatchObject({ id, expiresAt })
})
