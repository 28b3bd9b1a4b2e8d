import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import type { Listener } from '../../src/http/listener.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { readJson } from '../../src/kernel/request-body.ts'
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
  let sent = 0
  const endless = new ReadableStream({
    async pull(controller) {
      sent += 65_536
      if (sent > 512 * 1024 * 1024) return controller.close()
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
