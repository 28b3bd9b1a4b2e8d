import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ownPath, wayBack } from '../../../src/ask/pages/paths.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { howOften } from '../../support/share.ts'

const HERE = 'https://beckon.example.org'

/** Ways to another site that somebody might call a path. */
const ELSEWHERE = [
  ...['https://evil.example', '//evil.example', '///evil.example', '////evil.example/..'],
  ...['/\\evil.example', '\\\\evil.example', '\\/evil.example', '/\\/evil.example'],
  ...['/\t/evil.example', '/\n/evil.example', '/\r\n//evil.example', '\t//evil.example'],
  ...['/%09/evil.example', '/%5cevil.example', '/%2fevil.example', '/%2F%2Fevil.example'],
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x', 'blob:x'],
  ...['https:evil.example', 'http:/evil.example', '//evil.example@here', '//here@evil.example'],
  ...['/.//evil.example', '/..//evil.example', '/./\\evil.example', '/inbox//..//evil.example'],
  ...['/inbox\\@evil.example', '/@evil.example', '/;@evil.example', '/?@evil.example', '?//x'],
  ...['/\u2028/evil.example', '/\u00a0/evil.example', '／／evil.example', '/／evil.example'],
  ...['/\0/evil.example', '\0//evil.example', ' //evil.example', '/ /evil.example', ''],
  ...['/inbox\r\nSet-Cookie: a=b', '/inbox\r\n\r\n<script>', '/é', '/inbox#//evil.example'],
]

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function expectHere(to: string | null, from: string) {
  const url = URL.parse(to ?? '', HERE)
  expect([from, url?.origin]).toEqual([from, HERE])
  expect(to).not.toMatch(/[\r\n]/)
}

test('whatever comes after a sign-in or a choice of colours, it is a page of this server', async () => {
  for (const next of ELSEWHERE) {
    const query = new URLSearchParams({ next }).toString()
    const response = await world.get(`/sign-in?${query}`)
    expect([next, response.status]).toEqual([next, 303])
    expectHere(response.headers.get('location'), next)
    const themed = await world.post('/settings/theme', { theme: 'dark', back: next })
    expectHere(themed.headers.get('location'), next)
    const page = await (await world.get(`/sign-in?${query}`, '')).text()
    const target = /data-next="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    expectHere(target ?? null, next)
  }
  const form = { email: 'mara@example.org', password: PASSWORD, next: '//evil.example' }
  const signedIn = await world.post('/sign-in', form, { cookie: '' })
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/'])
})

test('of any text, only a path of this server is taken', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...['/', '\\', '//', ':', '@', '.', '..', '%2f', '\t', '?', '#', 'evil.example'],
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  )
  const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (next) => expectHere(ownPath(next), next)),
    { numRuns: howOften(300, 3_000) },
  )
})

test('the way back is the page that was asked for, and no secret that came with it', () => {
  const back = (address: string) => wayBack(new URL(address, HERE))
  expect(back('/activity?q=a%20b&from=c')).toBe('/activity?q=a+b&from=c')
  expect(back('/d/q_1')).toBe('/d/q_1')
  expect(back('/inbox?token=x&showing=q_1')).toBe('/inbox?showing=q_1')
  expect(back(`/inbox?q=bk_${'0'.repeat(40)}`)).toBe('/inbox')
  expect(back('/inbox?setup_key=1&access_token=2&Password=3')).toBe('/inbox')
  expect(back('/inbox?key=1&api_key=2&apiKey=3&x-access-key=4&secretKey=5&private_key=6')).toBe(
    '/inbox',
  )
  expect(back('/live/s_1?repoKey=beckon&key_order=2&monkey=3')).toBe(
    '/live/s_1?repoKey=beckon&key_order=2&monkey=3',
  )
  expect(ownPath(back('//evil.example'))).toBe('/')
})
