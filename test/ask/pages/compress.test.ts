import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
  for (let i = 0; i < 8; i++) await world.ask({ question: `Run step ${i ** 3}?` })
})
afterAll(() => world[Symbol.asyncDispose]())

type Sent = { path?: string; method?: string; site?: string; accept?: string; body?: string }

async function send({ path = '/inbox', method = 'GET', site, accept = 'gzip, br', body }: Sent) {
  const headers = {
    ...{ cookie: world.cookie, origin: world.url, 'accept-encoding': accept },
    ...(site !== undefined && { 'sec-fetch-site': site }),
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  const init = { method, headers, body, decompress: false } as RequestInit
  const response = await fetch(world.url + path, init)
  const bytes = (await response.arrayBuffer()).byteLength
  return { encoding: response.headers.get('content-encoding'), bytes, response }
}

test('a page that a person or one of our pages opened is a tenth of its size', async () => {
  const plain = await send({ accept: 'identity', site: 'none' })
  for (const site of ['same-origin', 'none']) {
    for (const [accept, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate', 'gzip'],
    ]) {
      const packed = await send({ site, ...(accept && { accept }) })
      expect([accept, packed.encoding]).toEqual([accept, encoding])
      expect(packed.bytes * 8).toBeLessThan(plain.bytes)
    }
  }
  const headers = { cookie: world.cookie, 'sec-fetch-site': 'none', 'accept-encoding': 'br' }
  const page = await (await fetch(`${world.url}/inbox`, { headers })).text()
  expect(page).toContain('Run step 343?')
})

test('what another site requests is not compressed, nor what names no site', async () => {
  for (const site of ['cross-site', 'same-site', undefined]) {
    const { encoding } = await send({ path: '/activity?q=guess', ...(site && { site }) })
    expect([site, encoding]).toEqual([site, null])
  }
})

test('the answer to a form, which may show a new secret, is not compressed', async () => {
  const form = { path: '/settings/tokens', method: 'POST', body: 'name=Laptop' }
  const { encoding, response } = await send({ ...form, site: 'same-origin' })
  expect([response.status, encoding]).toEqual([200, null])
})

test('the length of a compressed page varies, so that a guess cannot be told by it', async () => {
  const sizes = new Set<number>()
  for (let i = 0; i < 12; i++) sizes.add((await send({ site: 'same-origin' })).bytes)
  expect(sizes.size).toBeGreaterThan(4)
})
