import { expect, test } from 'bun:test'
import { pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'

const ADA = { name: 'Ada', email: 'ada@example.com' }
const PASSWORD = { password: 'correct horse battery' }

test('whose passkey was never made chooses a password with the same form, while signed in', async () => {
  await using world = await pageWorld({ owner: false })
  const code = world.setUpKey ?? ''
  // The script sends no password: it means to register a passkey right after.
  const cookie = cookieOf((await world.post('/setup', { code, ...ADA })).headers)

  const short = await world.post('/setup', { code, password: 'short' }, { cookie })
  expect(short.status).toBe(422)
  expect(await (await world.get(`/setup?key=${code}`, cookie)).text()).toContain('Welcome, Ada')
  expect((await world.post('/setup', { code, ...ADA, ...PASSWORD })).status).toBe(410)

  const done = await world.post('/setup', { code, ...ADA, ...PASSWORD }, { cookie })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/'])
  const signedIn = await world.post('/sign-in', { email: ADA.email, ...PASSWORD })
  expect(signedIn.status).toBe(303)
  const again = { code, password: 'another long password' }
  expect((await world.post('/setup', again, { cookie })).status).toBe(410)
})

test('a spent link leads home whoever is signed in, and nobody else', async () => {
  await using world = await pageWorld()
  const home = await world.get('/setup?key=spent')
  expect([home.status, home.headers.get('location')]).toEqual([303, '/'])
  expect((await world.get('/setup?key=spent', '')).status).toBe(410)
})

test('a HEAD is answered like the GET it asks about', async () => {
  await using world = await pageWorld({ owner: false })
  const { status } = await fetch(`${world.url}/sign-in`, { method: 'HEAD', redirect: 'manual' })
  expect(status).toBe((await world.get('/sign-in')).status)
})
