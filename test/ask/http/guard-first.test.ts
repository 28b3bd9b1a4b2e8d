import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { BODY_MAX } from '../../../src/platform/http/request.ts'
import { bodyOf, methodAndPath, ROWS } from './who/rows.ts'
import { type WhoWorld, whoWorld } from './who/world.ts'

let world: WhoWorld
beforeAll(async () => {
  world = await whoWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** What says in its body who calls. */
const SAID_IN_BODY = new Set([
  'POST /api/v1/questions/:id/answer',
  'POST /sign-in',
  'POST /api/auth/sign-in/email',
  'POST /api/auth/passkey/verify-authentication',
  'ALL /oauth2/token',
  'ALL /oauth2/revoke',
])
/** Where a caller is needed and a body could be sent; every mounted route has its row. */
const GUARDED = ROWS.filter(
  ({ route, statuses }) =>
    /^(POST|PATCH|DELETE|ALL) /.test(route) &&
    [401, 'in'].includes(statuses.nobody) &&
    !SAID_IN_BODY.has(route),
)

/** The status line and headers of the reply to a request of which only the head was ever sent. */
function replyToHead(head: string): Promise<string> {
  const { hostname, port } = new URL(world.app.url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(head))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.on('data', (data) => {
      text += data
      if (!text.includes('\r\n\r\n')) return
      socket.destroy()
      resolve(text)
    })
  })
}

test.each(GUARDED.map((row) => [row.route, row] as const))(
  '%s refuses a stranger before any of the body came',
  async (_, row) => {
    const { method, path } = methodAndPath(row)
    const thing = row.thing ? encodeURIComponent(await row.thing(world)) : ''
    const { host, origin } = new URL(world.app.url)
    const headers = {
      host,
      origin,
      'content-length': BODY_MAX,
      'x-forwarded-for': '192.0.2.7',
      ...bodyOf(row).headers,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const address = path.replace(/:\w+/, thing)
    const reply = await replyToHead(`${method} ${address} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const status = row.statuses.nobody === 'in' ? 303 : row.statuses.nobody
    expect(reply).toStartWith(`HTTP/1.1 ${status} `)
  },
)

test('a stranger whose body is broken or of another type is told that they are one', async () => {
  // MCP reads a small body first, whose method says whether a token is needed.
  for (const row of GUARDED.filter(({ route }) => !route.startsWith('ALL '))) {
    const { method, path } = methodAndPath(row)
    const address = path.replace(/:\w+/, 'x')
    for (const type of ['application/json', 'text/plain']) {
      const response = await world.send(method, address, {
        headers: { origin: world.app.url, 'content-type': type },
        body: '{"a":',
      })
      await response.body?.cancel()
      const status = row.statuses.nobody === 'in' ? 303 : row.statuses.nobody
      expect([row.route, type, response.status]).toEqual([row.route, type, status as number])
    }
  }
})
