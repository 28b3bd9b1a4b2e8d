import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createGuardedFetch, type Fetched } from '../../src/platform/outgoing/guarded-fetch.ts'
import { bomb, CODINGS, HOSTILE_REPLIES } from '../support/hostile-replies.ts'
import { plainly, type WireServer, wireServer } from '../support/wire-server.ts'

const AT_ONCE = 100
// A process of Bun has about 60 before anything arrives; one bomb unpacks to 64.
const MEGABYTES_MAX = 250

const LONG = 'x'.repeat(60_000)
// Members of gzip may follow each other without end.
const GZIP_WITHOUT_END = Buffer.from(Bun.gzipSync(LONG))

let server: WireServer

beforeAll(async () => {
  server = await wireServer()
  for (const coding of CODINGS) server.play(bomb(coding), `/${coding}`)
  server.play(plainly(200, 'ok'), '/ok')
})
afterAll(() => server[Symbol.asyncDispose]())

function countedAs(fetched: Fetched): string {
  if (fetched.outcome !== 'answered') return 'none'
  return fetched.cut ? 'cut' : 'whole'
}

test.each(Object.entries(HOSTILE_REPLIES))(
  '%s: it is an outcome, in time and in bounds',
  async (_name, { wire, counts }) => {
    await using hostile = await wireServer()
    hostile.play(wire)
    const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
    const fetched = await fetch(`${hostile.origin}/`, { timeoutMs: 400, maxBytes: 10_000 })
    expect(counts.split(' or ')).toContain(countedAs(fetched))
    if (fetched.outcome === 'answered') {
      expect(fetched.body.length).toBeLessThanOrEqual(10_000)
      expect(fetched.status).toBeWithin(100, 1_000)
    } else {
      expect(fetched.reason).toMatch(/^[A-Z][^\n]{5,100}\.$/)
    }
  },
)

test.each([...CODINGS])(
  `${AT_ONCE} bombs of %s at once fill no memory and hold up nobody`,
  async (coding) => {
    const script = new URL('../support/bombed.ts', import.meta.url).pathname
    const at = [`${server.origin}/${coding}`, `${server.origin}/ok`, String(AT_ONCE)]
    const child = Bun.spawn([process.execPath, script, ...at], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const report = JSON.parse(await new Response(child.stdout).text())
    await child.exited
    expect(report.ordinary).toBe('ok')
    expect(report.outcomes).toEqual({ [coding === 'gzip' ? 'long' : 'broken']: AT_ONCE })
    expect(report.megabytes).toBeLessThan(MEGABYTES_MAX)
  },
)

test('what is packed as it was asked for is read unpacked', async () => {
  const packed = Bun.gzipSync('hello')
  for (const name of ['gzip', 'GZIP', 'x-gzip', 'identity']) {
    const body = name === 'identity' ? Buffer.from('hello') : packed
    server.play((socket) => {
      const length = `content-length: ${body.length}\r\n`
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${name}\r\n${length}\r\n`)
      socket.write(body)
    }, `/${name}/hello`)
    const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
    const fetched = await fetch(`${server.origin}/${name}/hello`)
    expect(fetched).toMatchObject({ outcome: 'answered', cut: false })
    expect(fetched.outcome === 'answered' && Buffer.from(fetched.body).toString()).toBe('hello')
  }
  expect(server.requests.at(-1)?.toLowerCase()).toContain('accept-encoding: gzip\r\n')
})

test('an answer without a body is whole, whatever it says of its coding', async () => {
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  server.play(
    (socket) => socket.write('HTTP/1.1 304 Same\r\ncontent-encoding: gzip\r\n\r\n'),
    '/304',
  )
  server.play((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 20\r\n\r\n')
  }, '/head')
  expect(await fetch(`${server.origin}/304`)).toMatchObject({ status: 304, cut: false })
  const head = await fetch(`${server.origin}/head`, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, cut: false })
})

// Whoever is not heard to the end is hung up on: they might never come to one.
test.each([
  ['an endless body', '', LONG],
  ['an endless body in gzip', 'content-encoding: gzip\r\n', GZIP_WITHOUT_END],
  ['an endless body in a coding that nobody asked for', 'content-encoding: br\r\n', LONG],
  ['an endless body after huge headers', `x: ${LONG}${LONG}\r\n`, LONG],
])('%s does not go on when enough was read', async (_name, header, piece) => {
  await using endless = await wireServer()
  const closed = Promise.withResolvers<void>()
  endless.play((socket) => {
    socket.on('close', closed.resolve)
    socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`)
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) {}
    }
    socket.on('drain', more)
    more()
  })
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  await fetch(`${endless.origin}/`, { maxBytes: 1_000 })
  await closed.promise
})
