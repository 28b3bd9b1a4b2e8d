import { afterAll, expect, test } from 'bun:test'
import { addPerson } from '../../../src/ask/people/people.ts'
import { listSubscribers } from '../../../src/ask/subscribers/model/store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { pageWorld } from '../../support/page-world.ts'
import { pushServer } from '../../support/push-server.ts'
import { cookieOf } from '../../support/sign-in.ts'

const push = await pushServer()
afterAll(() => push[Symbol.asyncDispose]())

test('a device that its push service gave up on says so to its person, until it is back', async () => {
  await using world = await pageWorld({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { db, workspaceId, url } = world
  const connect = async (name: string, status: number) => {
    const body = {
      kind: 'phone',
      transport: 'webpush',
      label: 'Pixel',
      ...push.subscribe(name, { status }),
    }
    const headers = { cookie: world.cookie, origin: url, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const reply = await fetch(`${url}/api/v1/subscribers`, init)
    return ((await reply.json()) as { id: string }).id
  }
  const page = async (cookie?: string) => (await world.get('/settings/devices', cookie)).text()
  const id = await connect('gone', 410)
  expect(await page()).not.toContain('gave up on it')
  await world.post(`/settings/devices/${id}/test`, {})
  expect(await listSubscribers(db.read, workspaceId)).toEqual([])
  expect(await page()).toContain('“Pixel” rings no more: its push service gave up on it')
  const who = { email: 'bo@example.org', name: 'Bo', password: PASSWORD }
  await addPerson({ db, clock }, who)
  const bo = await world.post('/sign-in', { email: who.email, password: PASSWORD }, { cookie: '' })
  expect(await page(cookieOf(bo.headers))).not.toContain('gave up on it')
  const back = await connect('back', 201)
  expect(await page()).not.toContain('gave up on it')
  // Whoever removes a device knows of it.
  await world.post(`/settings/devices/${back}/remove`, {})
  await connect('again', 201)
  expect(await page()).not.toContain('gave up on it')
})
