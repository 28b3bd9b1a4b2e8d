import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { beckon } from '../support/beckon.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

/** `beckon health --json` with the environment that the images set. */
async function healthAt(port: number, ...args: string[]) {
  using folder = tempFolder()
  const env = { BECKON_HOST: '0.0.0.0', BECKON_PORT: String(port), BECKON_DATA: folder.path }
  const { code, out } = await beckon(['health', '--json', ...args], { env })
  const { healthy, url } = JSON.parse(out)
  expect(url).toBe(`http://127.0.0.1:${port}`)
  return { code, healthy }
}

test('a server that runs is healthy and ready; one that ended is neither', async () => {
  using folder = tempFolder()
  await using server = await serverProcess(folder.path)
  const { port } = server
  expect(await healthAt(port)).toEqual({ code: 0, healthy: true })
  expect(await healthAt(port, '--ready')).toEqual({ code: 0, healthy: true })
  await server.end('SIGTERM')
  expect(await healthAt(port)).toEqual({ code: 1, healthy: false })
  expect(await healthAt(port, '--ready')).toEqual({ code: 1, healthy: false })
})

test('a server that is not ready is healthy, and another program is neither', async () => {
  let isBeckon = true
  using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) =>
      isBeckon && new URL(url).pathname === '/healthz'
        ? Response.json({ status: 'ok' })
        : Response.json({ detail: 'The disk of the server is full.' }, { status: 503 }),
  })
  const port = other.port ?? 0
  expect(await healthAt(port)).toEqual({ code: 0, healthy: true })
  expect(await healthAt(port, '--ready')).toEqual({ code: 1, healthy: false })
  isBeckon = false
  expect(await healthAt(port)).toEqual({ code: 1, healthy: false })
})

test('a wrong setting is wrong usage', async () => {
  const { code, err } = await beckon(['health', '--port', 'http'])
  expect([code, err.includes('port')]).toEqual([2, true])
})

test('the Dockerfile checks its health with the command', async () => {
  const text = await Bun.file(join(import.meta.dir, '../../Dockerfile')).text()
  const words = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(text)?.[1]
  expect(JSON.parse(words ?? '[]')).toEqual(['beckon', 'health'])
})
