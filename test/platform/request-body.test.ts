import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import type { Listener } from '../../src/platform/http/listener.ts'
import { LARGE_AT_ONCE, readJson } from '../../src/platform/http/request.ts'
import { silentLog } from '../../src/platform/log.ts'
import { startServer } from '../support/start-server.ts'

let server: Listener
beforeAll(() => {
  const echo = async ({ request }: { request: Request }) => Response.json(await readJson(request))
  const routes = [new Elysia().post('/api/v1/echo', echo, { parse: 'none' })]
  server = startServer({ log: silentLog, routes })
})
afterAll(() => server.stop(0))

/** Sends these bytes on a connection of their own; resolves to the first that come back. */
function exchange(bytes: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = {
    open: (open: Bun.Socket) => void open.write(bytes),
    data(open: Bun.Socket, data: Buffer) {
      resolve(data.toString())
      open.terminate()
    },
  }
  void Bun.connect({ hostname: '127.0.0.1', port: server.port, socket })
  return promise
}

test('a body that says it is far too large is refused in words, unread', async () => {
  for (const path of ['/api/v1/echo', '/api/auth/x', '/api/v1/nowhere']) {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
    const answer = await exchange(`${head}Content-Length: 20000000\r\n\r\nabc`)
    expect([path, answer]).toEqual([path, expect.stringContaining('HTTP/1.1 413')])
    expect(answer).toContain('"code":"too_large"')
  }
})

test('a body without an end is given up at 1 MiB', async () => {
  let total = 0
  const endless = new ReadableStream({
    async pull(controller) {
      total += 65_536
      if (total > 512 * 1024 * 1024) return controller.close()
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const before = process.memoryUsage().rss
  const answer = await fetch(`${server.url}/api/v1/echo`, {
    method: 'POST',
    body: endless,
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.status, (await answer.json()).code]).toEqual([413, 'too_large'])
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
})

const HEAD = 'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const LENGTH = `${HEAD}Content-Length: 900002\r\n\r\n`
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`

/** A body that never comes to its end, on a connection of its own. */
async function unfinished(head: string, body: string): Promise<{ leave(): void }> {
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port,
    socket: { open: (open) => void open.write(head + body), data() {} },
  })
  return { leave: () => socket.terminate() }
}

test.each([
  ['length', LENGTH, `"${'x'.repeat(200_000)}`],
  ['chunks', CHUNKED, `30d40\r\n"${'x'.repeat(199_999)}\r\n`],
])(
  'of large bodies (%s) that come slowly only some are taken in, and small ones always',
  async (_, head, body) => {
    const large = `"${'y'.repeat(900_000)}"`
    const whole = () => exchange(LENGTH + large)
    const slow = await Promise.all(
      Array.from({ length: LARGE_AT_ONCE }, () => unfinished(head, body)),
    )
    while (!(await whole()).startsWith('HTTP/1.1 503')) await Bun.sleep(5)
    const refused = await whole()
    expect(refused).toContain('"code":"unavailable"')
    expect(refused).toMatch(/\r\nretry-after: \d/i)
    expect(await exchange(`${HEAD}Content-Length: 4\r\n\r\n"hi"`)).toStartWith('HTTP/1.1 200')
    for (const one of slow) one.leave()
    while (!(await whole()).startsWith('HTTP/1.1 200')) await Bun.sleep(5)
  },
)
