import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addPerson } from '../../../src/ask/people/people.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { MARKUP } from '../../support/hostile-corpus.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The paths of the link and of the pairing itself. */
async function begin() {
  const page = await (await world.post('/settings/pair', {})).text()
  const [link = ''] = /\/pair\/[0-9a-z]{26}/.exec(page) ?? []
  const [pairing = ''] = /\/settings\/pair\/pair_\w+/.exec(page) ?? []
  return { link, pairing }
}

const pair = (link: string, cookie = '') => world.post(link, {}, { cookie })
const isSignedIn = async (cookie: string) => (await world.get('/inbox', cookie)).status === 200

test('previews of a link spend nothing and sign nobody in', async () => {
  const { link } = await begin()
  for (const method of ['GET', 'HEAD', 'GET']) {
    const response = await fetch(world.url + link, { method, headers: { purpose: 'prefetch' } })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  const paired = await pair(link)
  expect(paired.status).toBe(303)
  expect(await isSignedIn(cookieOf(paired.headers))).toBe(true)
})

test('a code works once; the second phone stays outside', async () => {
  const { link } = await begin()
  const both = await Promise.all([pair(link), pair(link)])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 410])
  for (const response of both) {
    expect(await isSignedIn(cookieOf(response.headers))).toBe(response.status === 303)
  }
  expect((await world.get(link, '')).status).toBe(410)
  expect((await world.get(link)).headers.get('location')).toBe('/')
})

test('another site cannot press the button', async () => {
  const { link, pairing } = await begin()
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    expect((await world.post(link, {}, { ...headers, cookie: '' })).status).toBe(403)
    expect((await world.post(`${pairing}/cancel`, {}, headers)).status).toBe(403)
    expect((await world.post('/settings/pair', {}, headers)).status).toBe(403)
  }
  expect((await pair(link)).status).toBe(303)
})

test('the session is new: one that was planted before is neither kept nor raised', async () => {
  const { link } = await begin()
  const planted = 'beckon.session_token=planted.signature'
  const cookie = cookieOf((await pair(link, planted)).headers)
  expect(cookie).not.toContain('planted')
  expect(await isSignedIn(planted)).toBe(false)
  expect(await isSignedIn(cookie)).toBe(true)
})

test('a phone of somebody else says whose sign-in ends, and becomes the other’s', async () => {
  const who = { email: 'bob@example.org', name: 'Bob <b>', password: PASSWORD }
  await addPerson({ db: world.db, clock: systemClock }, who)
  const { email, password } = who
  const bob = cookieOf((await world.post('/sign-in', { email, password }, { cookie: '' })).headers)
  const { link, pairing } = await begin()
  expect((await world.get(pairing, bob)).status).toBe(404)
  expect((await world.post(`${pairing}/cancel`, {}, { cookie: bob })).status).toBe(404)
  const offer = await (await world.get(link, bob)).text()
  expect(offer).toContain('signed in as Bob &lt;b>')
  expect(offer).toContain('mara@example.org')
  const mara = cookieOf((await pair(link, bob)).headers)
  expect(await (await world.get('/settings', mara)).text()).toContain('Mara Lindqvist')
})

test('what is no code is told nothing, whatever it holds', async () => {
  for (const text of [...MARKUP, 'x'.repeat(3_000), '../../settings', '0'.repeat(26)]) {
    const path = `/pair/${encodeURIComponent(text)}`
    const response = await world.get(path, '')
    expect([404, 410]).toContain(response.status)
    expect(response.headers.getSetCookie()).toEqual([])
    if (/[<>]/.test(text)) expect(await response.text()).not.toContain(text)
  }
})

test('a waiting page that asks again hears nothing until something has changed', async () => {
  const { link, pairing } = await begin()
  expect((await world.get(`${pairing}?seen=waiting-0`)).status).toBe(204)
  await pair(link)
  const page = await (await world.get(`${pairing}?seen=waiting-0`)).text()
  expect(page).toContain('Paired')
  expect(page).not.toContain(link)
})

test('the manifest has what an installed app needs, and starts at a link only when it is one', async () => {
  const read = async (query: string) =>
    (await (await world.get(`/manifest.webmanifest${query}`)).json()) as Record<string, unknown>
  const plain = await read('')
  expect(plain).toMatchObject({
    id: '/',
    name: 'beckon',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    icons: expect.arrayContaining([
      expect.objectContaining({ sizes: '192x192', type: 'image/png' }),
      expect.objectContaining({ sizes: '512x512', type: 'image/png' }),
    ]),
    shortcuts: [expect.objectContaining({ url: '/inbox' })],
  })
  const { link } = await begin()
  const code = link.slice('/pair/'.length)
  expect(await read(`?pair=${code}`)).toEqual({ ...plain, start_url: link })
  const { headers } = await world.get(`/manifest.webmanifest?pair=${code}`)
  expect(headers.get('cache-control')).toBe('no-store')
  for (const wrong of ['..%2f..%2fevil', 'https://evil.example', '//evil', `${code}/x`]) {
    expect(await read(`?pair=${wrong}`)).toEqual(plain)
  }
})
