import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { connectDevice, program, runDoctor, setUpFolder } from '../../support/doctor-world.ts'
import { type ServerProcess, serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

setDefaultTimeout(60_000)

const folder = tempFolder()
const data = join(folder.path, 'data')
const service = program(() => new Response(''))
let server: ServerProcess

beforeAll(async () => {
  await setUpFolder(data)
  await connectDevice(data, `http://127.0.0.1:${service.port}/push`)
  // It is asked at proxies whose address it does not know; a sign-in needs its own.
  server = await serverProcess(data, 0, { env: { BECKON_OAUTH: 'off' } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

function seenFrom(baseUrl: string, env: Record<string, string> = {}) {
  const open = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  return runDoctor(data, server.port, ['--base-url', baseUrl], { ...open, ...env })
}

/** A proxy in front of the server, as its owner has set it up. */
function proxy(more: { headers?: Record<string, string>; collects?: true; most?: number }) {
  return program(async (request) => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    for (const [name, value] of Object.entries(more.headers ?? {})) {
      if (value) headers.set(name, value)
      else headers.delete(name)
    }
    const { method } = request
    const body = method === 'POST' ? await request.text() : null
    if (more.most && (body?.length ?? 0) > more.most) return new Response('', { status: 413 })
    const answer = await fetch(server.url + pathname + search, { method, headers, body })
    if (!more.collects) return answer
    return new Response(await answer.text(), answer)
  })
}

test('a proxy that passes everything on is fine', async () => {
  await using between = proxy({})
  const { code, out } = await seenFrom(between.url)
  expect([out, code]).toEqual([expect.stringContaining('✓ MCP at the base URL: '), 0])
  expect(out).toContain(`✓ Base URL: ${between.url} leads to this server.`)
  expect(out).toContain('✓ Streaming: ')
})

test('a proxy that takes tokens away, and one that takes short requests alone, are 5', async () => {
  await using deaf = proxy({ headers: { authorization: '' } })
  expect(await seenFrom(deaf.url)).toMatchObject({
    code: 5,
    out: expect.stringContaining(
      '✗ Proxy: The proxy removes the Authorization header: every agent gets 401.\n  → Have it pass',
    ),
  })
  await using narrow = proxy({ most: 16 * 1024 })
  expect(await seenFrom(narrow.url)).toMatchObject({
    code: 5,
    out: expect.stringContaining(
      '✗ MCP at the base URL: As clients see it, a call of 64 KiB without a token must be 401, and it is 413.',
    ),
  })
})

test('a proxy that does not reach the server is told apart from another program', async () => {
  await using lost = program(() => new Response('Bad Gateway', { status: 502 }))
  expect(await seenFrom(lost.url)).toMatchObject({
    code: 5,
    out: expect.stringContaining(
      `✗ Base URL: At ${lost.url} a proxy answers that it does not reach this server (502).\n  → Have the proxy pass requests on to http://127.0.0.1:${server.port}.`,
    ),
  })
})

test('a proxy that collects replies is 5', async () => {
  await using between = proxy({ collects: true })
  const { code, out } = await seenFrom(between.url)
  expect([code, out]).toEqual([
    5,
    expect.stringContaining(
      '✗ Streaming: Something on the way buffers replies and passes them on late.\n  → Turn buffering off',
    ),
  ])
})

test('a proxy that hides the host, or is not believed, is a warning', async () => {
  await using hiding = proxy({ headers: { host: 'backend' } })
  const hidden = await seenFrom(hiding.url)
  expect([hidden.code, hidden.out]).toEqual([
    0,
    expect.stringContaining('! Proxy: The proxy calls this server "'),
  ])
  await using telling = proxy({ headers: { 'x-forwarded-for': '203.0.113.9' } })
  const result = await seenFrom(telling.url)
  expect([result.code, result.out]).toEqual([
    0,
    expect.stringContaining('→ Set BECKON_TRUST_PROXY=127.0.0.1.'),
  ])
})

test('an address at which nobody is, is 5', async () => {
  const gone = program(() => new Response())
  await gone[Symbol.asyncDispose]()
  const { code, out } = await seenFrom(gone.url)
  expect([code, out]).toEqual([
    5,
    expect.stringContaining(`✗ Base URL: ${gone.url} cannot be reached from this machine: `),
  ])
  expect(out).toContain('– Streaming: ')
})

test('plain http under another name than this machine is 5', async () => {
  const { code, out } = await seenFrom(`http://beckon.invalid:${server.port}`)
  expect(code).toBe(5)
  expect(out).toContain('is plain http: browsers refuse push and passkeys there.')
})

const HOSTILE: Array<[name: string, answer: () => Response | Promise<Response>, said: string]> = [
  ['HTML', () => new Response('<html>\u001b[2J</html>'), 'something else answers (200)'],
  [
    'a redirect',
    () => Response.redirect('https://evil.example/\u0007x'),
    'redirects to https://evil',
  ],
  ['an endless body', endless, 'something else answers (200)'],
  ['a lie', () => Response.json({ status: 'ok', proof: 'x' }), 'leads to another Beckon server'],
  ['silence', () => new Promise<Response>(() => {}), 'no complete answer within 4 s'],
]
test.each(HOSTILE)('%s at the base URL is one line, in time', async (_name, answer, sentence) => {
  await using stranger = program(answer)
  const { code, out } = await seenFrom(stranger.url)
  expect([code, out]).toEqual([5, expect.stringContaining(sentence)])
  expect(out).not.toContain('\u001b')
})

function endless(): Response {
  const chunk = new Uint8Array(16_384).fill(120)
  return new Response(
    new ReadableStream({
      async pull(controller) {
        await Bun.sleep(1)
        controller.enqueue(chunk)
      },
    }),
  )
}

test('the mirror says nothing to whoever lacks the secret', async () => {
  const url = `${server.url}/readyz/mirror`
  const now = Date.now()
  for (const header of ['', 'x', `${now}.abc.def`, `${now}.${'a'.repeat(9999)}.x`]) {
    const answer = await fetch(url, { headers: { 'x-beckon-doctor': header } })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      401,
      'unauthenticated',
    ])
  }
})
