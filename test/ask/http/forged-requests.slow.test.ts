import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readAllRows } from '../../support/all-rows.ts'
import { everyNth } from '../../support/share.ts'
import type { Row } from './who/row.ts'
import { bodyOf, JSON_BODY, methodAndPath, ROWS } from './who/rows.ts'
import { FORM, type WhoWorld, whoWorld } from './who/world.ts'

const FRIEND = 'https://friend.example'

let world: WhoWorld
beforeAll(async () => {
  world = await whoWorld({ BECKON_ALLOWED_ORIGINS: FRIEND })
})
afterAll(() => world[Symbol.asyncDispose]())

type HeaderValues = Record<string, string | undefined>

/** How a browser that is led by another site, or a program that has only the cookie, would ask. */
function forgeries(): Record<string, HeaderValues> {
  const { port, host } = new URL(world.app.url)
  const own = `http://${host}`
  const rebound = `evil.example:${port}`
  return {
    'no Origin at all': { origin: undefined },
    'no Origin and a Referer of ours': { origin: undefined, referer: `${own}/inbox` },
    'no Origin and a foreign Referer': { origin: undefined, referer: 'https://evil.example/' },
    'an empty Origin': { origin: '' },
    'Origin null': { origin: 'null' },
    'Origin null, from another site': { origin: 'null', 'sec-fetch-site': 'cross-site' },
    'Origin null, typed in': { origin: 'null', 'sec-fetch-site': 'none' },
    'a foreign Origin': { origin: 'https://evil.example' },
    'a foreign Origin that says same-origin': {
      origin: 'https://evil.example',
      'sec-fetch-site': 'same-origin',
    },
    'our host at another port': { origin: 'http://127.0.0.1:1' },
    'our host as an extension': { origin: `chrome-extension://${host}` },
    'a name below ours': { origin: `http://evil.localhost:${port}` },
    'a name that begins like ours': { origin: `http://127.0.0.1.evil.example:${port}` },
    'our Origin with a user': { origin: `http://evil@${host}` },
    'two Origins': { origin: `${own}, https://evil.example` },
    'our Origin, from a sibling site': { origin: own, 'sec-fetch-site': 'same-site' },
    'our Origin, from another site': { origin: own, 'sec-fetch-site': 'cross-site' },
    'a name that was rebound to us': { origin: `http://${rebound}`, host: rebound },
    'a page that may call the API with a token': { origin: FRIEND },
  }
}

type Sent = { headers?: HeaderValues; text?: string | undefined; method?: string }

async function send(row: Row, request: Sent = {}, to?: string): Promise<Response> {
  const { method, path } = methodAndPath(row)
  const thing = to ?? encodeURIComponent((await row.thing?.(world)) ?? '')
  const body = bodyOf(row)
  const wanted = { ...world.headersOf('owner'), ...body.headers, ...request.headers }
  const headers = Object.entries(wanted).filter(([, value]) => value !== undefined)
  const text = 'text' in request ? request.text : body.text
  return world.send(request.method ?? method, path.replace(/:\w+/, thing), {
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(text === undefined ? {} : { body: text }),
  })
}

async function statusOf(reply: Promise<Response>): Promise<number> {
  const response = await reply
  await response.body?.cancel()
  return response.status
}

const CHANGES = ROWS.filter(({ route }) => !/^(GET|HEAD) /.test(route))

/** Whatever the cookie, the answer is the same: a token, a link or a signature decides. */
const COOKIES_MEAN_NOTHING = new Set(
  CHANGES.filter(({ statuses }) => statuses.owner === statuses.nobody || statuses.agent === 200)
    .map(({ route }) => route)
    .filter((route) => !/sign-(?!in\/out)|setup|theme|\/pair\/|verify-authentication/.test(route)),
)

// The quick run tries every third forgery on a route, and begins with another one on the next.
describe.each(CHANGES.map((row, turn) => [row.route, row, turn] as const))(
  '%s',
  (route, row, turn) => {
    test('a forged request does nothing', async () => {
      const thing = encodeURIComponent((await row.thing?.(world)) ?? '')
      const before = readAllRows(world.dataFolder)
      for (const [name, headers] of everyNth(Object.entries(forgeries()), 3, turn % 3)) {
        const asOwner = await statusOf(send(row, { headers }, thing))
        if (COOKIES_MEAN_NOTHING.has(route)) {
          const nobodys = { ...headers, cookie: undefined }
          const asNobody = await statusOf(send(row, { headers: nobodys }, thing))
          // The link of a question is used once, and the first of the two had it.
          if (route !== 'POST /a/:token') expect([name, asOwner]).toEqual([name, asNobody])
        } else {
          expect([name, asOwner]).toEqual([name, 403])
          expect([name, readAllRows(world.dataFolder)]).toEqual([name, before])
        }
      }
    })

    test('a form that needs no permission of the browser changes nothing', async () => {
      const { text } = bodyOf(row)
      // Nothing is in the form of a sign-out; where it comes from is all there is to look at.
      if (COOKIES_MEAN_NOTHING.has(route) || text === undefined || route === 'POST /sign-out')
        return
      const thing = encodeURIComponent((await row.thing?.(world)) ?? '')
      const before = readAllRows(world.dataFolder)
      const simple = row.json === undefined ? JSON_BODY['content-type'] : FORM['content-type']
      for (const type of ['text/plain', 'multipart/form-data; boundary=x', simple, undefined]) {
        const status = await statusOf(send(row, { headers: { 'content-type': type } }, thing))
        expect([type, status >= 400 && status < 500]).toEqual([type, true])
        expect([type, readAllRows(world.dataFolder)]).toEqual([type, before])
      }
    })
  },
)

test('reading changes nothing, with GET and with HEAD', async () => {
  const reads = ROWS.filter(({ route }) => route.startsWith('GET '))
  for (const row of reads) {
    // The challenge of a passkey is written down, for whoever asks.
    if (/generate-\w+-options|\/events$/.test(row.route)) continue
    const thing = encodeURIComponent((await row.thing?.(world)) ?? '')
    const before = readAllRows(world.dataFolder)
    for (const method of ['GET', 'HEAD']) {
      await statusOf(send(row, { method }, thing))
      expect([row.route, method, readAllRows(world.dataFolder)]).toEqual([
        row.route,
        method,
        before,
      ])
    }
  }
})

test('no header makes one method another', async () => {
  const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override']
  for (const row of CHANGES.filter(({ route }) => /^(DELETE|PATCH) /.test(route))) {
    const thing = encodeURIComponent((await row.thing?.(world)) ?? '')
    const before = readAllRows(world.dataFolder)
    const [method = ''] = row.route.split(' ')
    const headers = Object.fromEntries(overrides.map((name) => [name, method]))
    await statusOf(send(row, { method: 'GET', headers, text: undefined }, thing))
    await statusOf(send(row, { method: 'POST', headers, text: `_method=${method}` }, thing))
    expect([row.route, readAllRows(world.dataFolder)]).toEqual([row.route, before])
  }
})

const both = () => ({ ...world.headersOf('owner'), ...world.headersOf('agent') })
const from = (as: 'agent' | 'revoked', headers: HeaderValues = {}) => ({
  headers: { ...world.headersOf('owner'), ...world.headersOf(as), ...headers },
})
const rowOf = (route: string) => ROWS.find((row) => row.route === route) as Row

test('a cookie and a token at once where agents call, the token alone counts', async () => {
  for (const route of ['GET /api/v1/agent', 'POST /api/v1/notifications', 'ALL /api/mcp/mcp']) {
    expect([route, await statusOf(send(rowOf(route), { headers: both() }))]).toEqual([route, 200])
    const ended = await statusOf(send(rowOf(route), from('revoked')))
    expect([route, ended]).toEqual([route, 401])
  }
})

test('a cookie and a token at once where people act, the cookie alone counts, and a token lends it no origin', async () => {
  for (const route of ['GET /api/v1/keys', 'POST /api/v1/keys', 'PATCH /api/v1/policy']) {
    const row = rowOf(route)
    const nobody = { headers: { ...world.headersOf('agent'), cookie: undefined } }
    expect([route, await statusOf(send(row, nobody))]).toEqual([route, 401])
    const forged = from('agent', { origin: 'https://evil.example' })
    const status = await statusOf(send(row, forged))
    expect([route, status]).toEqual([route, route.startsWith('GET') ? 200 : 403])
  }
})

test('a question is answered by neither as the other', async () => {
  const row = rowOf('POST /api/v1/questions/:id/answer')
  const thing = await world.question()
  expect(await statusOf(send(row, from('agent'), thing))).toBe(403)
  expect(await statusOf(send(row, from('revoked'), thing))).toBe(401)
})

test('a page that may call the API reads nothing that a cookie opens', async () => {
  for (const row of ROWS.filter(
    ({ statuses }) => statuses.nobody === 401 && statuses.owner === 200,
  )) {
    const response = await send(row, { headers: { origin: FRIEND } })
    await response.body?.cancel()
    const { headers } = response
    expect([row.route, headers.has('access-control-allow-credentials')]).toEqual([row.route, false])
  }
})

test('a name that was rebound to this server is told nothing that is meant for this machine', async () => {
  const { port } = new URL(world.app.url)
  const host = `evil.example:${port}`
  for (const path of ['/metrics', '/api/v1/health', '/api/v1/inbox']) {
    const response = await fetch(world.app.url + path, { headers: { host } })
    expect([path, response.status]).toEqual([path, 401])
  }
  const mcp = await fetch(`${world.app.url}/api/mcp/mcp`, {
    method: 'POST',
    headers: { host, origin: `http://${host}`, ...JSON_BODY, ...world.headersOf('agent') },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(mcp.status).toBe(403)
})
