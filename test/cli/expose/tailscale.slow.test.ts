import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { freePorts } from '../../support/free-port.ts'
import { selfSigned } from '../../support/pebble.ts'
import { serverProcess } from '../../support/server-process.ts'
import { standInTailscale } from '../../support/stand-in-tailscale.ts'
import { tempFolder } from '../../support/temp-folder.ts'

setDefaultTimeout(60_000)

/** A data folder that a server has used, and a stand-in for Tailscale. */
async function aWorld() {
  const folder = tempFolder()
  const data = join(folder.path, 'data')
  await beckon(['key', 'create', '--name', 'test', '--data', data])
  const tailscale = standInTailscale(folder.path)
  return {
    ...{ folder: folder.path, data, tailscale, toml: join(data, 'beckon.toml') },
    expose: (more: string[] = [], env: Record<string, string> = {}) =>
      beckon(['expose', 'tailscale', '--data', data, ...more], {
        env: { PATH: `${tailscale.bin}:${process.env.PATH}`, ...env },
      }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** What Tailscale does: takes https, and passes it on with the address of who asks. */
function tailnetDoor(folder: string, port: number, to: () => string | undefined) {
  const { key, cert } = selfSigned(folder, 'localhost')
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port, tls: { key: Bun.file(key), cert: Bun.file(cert) } },
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('x-forwarded-for', '100.101.102.104')
      headers.set('x-forwarded-proto', 'https')
      const target = to()
      if (!target) return new Response('', { status: 502 })
      return await fetch(target + pathname + search, {
        ...request,
        headers,
        redirect: 'manual',
      }).catch(() => new Response('', { status: 502 }))
    },
  })
  return { cert, [Symbol.dispose]: () => void server.stop(true) }
}

test('without the program it says in one sentence where to get it', async () => {
  using world = await aWorld()
  const { code, err } = await world.expose([], { PATH: '/nonexistent' })
  expect([code, err.trim().split('\n').length]).toEqual([1, 1])
  expect(err).toContain('https://tailscale.com/download')
  expect(existsSync(world.toml)).toBe(false)
})

test('it passes the port on, keeps the base URL, and sees that the address leads to the server', async () => {
  using world = await aWorld()
  await using server = await serverProcess(world.data)
  const [port = 0] = freePorts(1)
  using door = tailnetDoor(world.folder, port, () => world.tailscale.web()[`localhost:${port}`])
  world.tailscale.set({ dnsName: 'localhost.' })
  const flags = ['--port', `${server.port}`, '--https-port', `${port}`]
  const env = { NODE_EXTRA_CA_CERTS: door.cert }
  const { code, out, err } = await world.expose(flags, env)
  expect([code, out]).toEqual([0, `https://localhost:${port}\n`])
  expect(err).toContain('It leads to this server.')
  expect(world.tailscale.calls()).toContain(
    `serve --bg --yes --https=${port} http://127.0.0.1:${server.port}`,
  )
  expect(Bun.TOML.parse(readFileSync(world.toml, 'utf8'))).toEqual({
    ...{ base_url: `https://localhost:${port}`, trust_proxy: 'loopback' },
  })
  // Once more changes nothing, and the next start serves links that lead there.
  const before = readFileSync(world.toml, 'utf8')
  expect((await world.expose(flags, env)).code).toBe(0)
  expect(readFileSync(world.toml, 'utf8')).toBe(before)
  await server.end('SIGTERM')
  await using next = await serverProcess(world.data)
  expect(next.out()).toContain(`https://localhost:${port}/setup?key=`)
})

test('while the server does not run it says how to start it', async () => {
  using world = await aWorld()
  const [port = 0] = freePorts(1)
  using door = tailnetDoor(world.folder, port, () => undefined)
  world.tailscale.set({ dnsName: 'localhost.' })
  const env = { NODE_EXTRA_CA_CERTS: door.cert }
  const { code, err } = await world.expose(['--https-port', `${port}`], env)
  expect([code, err]).toEqual([0, expect.stringContaining('start it with beckon serve --data')])
})

test('settings that were there stay, whoever owns them', async () => {
  using world = await aWorld()
  const [port = 0] = freePorts(1)
  using door = tailnetDoor(world.folder, port, () => undefined)
  world.tailscale.set({ dnsName: 'localhost.' })
  const before = '# mine\nlog = "json"   # for the collector\nbase_url = "https://old.example"\n'
  writeFileSync(world.toml, before, { mode: 0o640 })
  const env = { NODE_EXTRA_CA_CERTS: door.cert, BECKON_BASE_URL: 'https://other.example' }
  const { err } = await world.expose(['--https-port', `${port}`], env)
  expect(readFileSync(world.toml, 'utf8')).toBe(
    `trust_proxy = "loopback"\n${before.replace('https://old.example', `https://localhost:${port}`)}`,
  )
  expect(statSync(world.toml).mode & 0o777).toBe(0o640)
  expect(err).toContain('BECKON_BASE_URL is set, too')
})

const REFUSED = [
  ['the daemon is down', { isUp: false }, "it doesn't appear to be running"],
  ['nobody is signed in', { backendState: 'NeedsLogin' }, 'run tailscale up'],
  ['it was stopped', { backendState: 'Stopped' }, 'run tailscale up'],
  ['the machine is not admitted', { backendState: 'NeedsMachineAuth' }, 'admits this machine'],
  ['there is no name', { dnsName: '' }, 'turn on MagicDNS'],
  ['the name is no name', { dnsName: '"\u001b[31m; rm -rf /' }, 'turn on MagicDNS'],
  ['the user may not', { mayServe: false }, 'sudo tailscale set --operator=$USER'],
  ['https is off', { hasHttps: false }, 'https://login.tailscale.com/f/serve?node=nExample'],
  [
    'something else is served there',
    { web: { 'shed.tail0123.ts.net:443': 'http://127.0.0.1:3000' } },
    'already serves http://127.0.0.1:3000',
  ],
] as const
test.each(REFUSED)('when %s it says so, and sets nothing', async (_name, change, sentence) => {
  using world = await aWorld()
  world.tailscale.set(change)
  const { code, out, err } = await world.expose()
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(sentence)
  expect(err).not.toContain('\u001b[31m; rm')
  expect(existsSync(world.toml)).toBe(false)
})

test('wrong usage, and a folder that was never used', async () => {
  using world = await aWorld()
  for (const [more, code, sentence] of [
    [['--https-port', '0'], 2, '--https-port must be'],
    [['--https-port', 'x'], 2, '--https-port must be'],
    [['--data', join(world.folder, 'none')], 1, 'There is no Beckon data folder'],
  ] as const) {
    const done = await world.expose([...more])
    expect([done.code, done.err]).toEqual([code, expect.stringContaining(sentence)])
  }
  expect((await beckon(['expose'])).code).toBe(2)
  expect((await beckon(['expose', 'ngrok'])).err).toContain('tailscale')
  expect(world.tailscale.calls()).toEqual([])
})

test('doctor knows a base URL of Tailscale', async () => {
  using world = await aWorld()
  writeFileSync(world.toml, 'base_url = "https://shed.tail0123.ts.net"\n')
  const line = async (path = `${world.tailscale.bin}:${process.env.PATH}`) => {
    const { out } = await beckon(['doctor', '--json', '--data', world.data], {
      env: { PATH: path },
    })
    const { checks } = JSON.parse(out) as {
      checks: Array<{ name: string; state: string; said: string }>
    }
    return checks.find(({ name }) => name === 'Tailscale')
  }
  expect(await line()).toMatchObject({ state: 'fail', said: expect.stringContaining('nothing') })
  world.tailscale.set({ web: { 'shed.tail0123.ts.net:443': 'http://127.0.0.1:8484' } })
  expect(await line()).toMatchObject({ state: 'ok' })
  world.tailscale.set({ dnsName: 'barn.tail0123.ts.net.' })
  expect(await line()).toMatchObject({ state: 'fail', said: expect.stringContaining('barn') })
  world.tailscale.set({ isUp: false })
  expect(await line()).toMatchObject({ state: 'fail' })
  expect(await line('/nonexistent')).toMatchObject({ state: 'warn' })
})
