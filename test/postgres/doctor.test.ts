import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, copyFileSync, existsSync, statSync } from 'node:fs'
import { type AddressInfo, createServer, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { beckon } from '../support/beckon.ts'
import { type Found, program } from '../support/doctor-world.ts'
import { freePort } from '../support/free-port.ts'
import { selfSigned } from '../support/pebble.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { type ServersWorld, serversWorld } from './servers-world.ts'

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

let world: ServersWorld
const folder = tempFolder()
beforeAll(async () => {
  world = await serversWorld()
}, 60_000)
afterAll(async () => {
  folder[Symbol.dispose]()
  await world?.[Symbol.asyncDispose]()
})

type Checks = Found['checks']
const storage = (checks: Checks) => checks.filter(({ link }) => link === 'storage')

async function doctor(url: string, env: Record<string, string> = {}, ...more: string[]) {
  const own = { HOME: tmpdir(), BECKON_DATABASE_URL: url, ...env }
  const args = ['doctor', '--json', '--data', folder.path, '--port', String(freePort()), ...more]
  return JSON.parse((await beckon(args, { env: own })).out) as Found
}

test('Health of a server speaks of PostgreSQL, and not of a disk that holds no question', async () => {
  await using server = await world.server()
  const headers = await world.signIn(server)
  const response = await fetch(`${server.url}/api/v1/health`, { headers })
  const { checks } = (await response.json()) as { checks: Checks }
  const place = world.url.replace(/.*@/, '')
  const storageChecks = storage(checks)
  expect(storageChecks[0]).toMatchObject({ name: 'Database', state: 'ok' })
  expect(storageChecks[0]?.said).toContain(place)
  expect(storageChecks.map(({ name }) => name)).not.toContain('Disk space')
  expect(storageChecks.filter(({ state }) => state === 'fail')).toEqual([])

  const { checks: outside } = await doctor(world.url)
  expect(storage(outside)).toMatchObject([
    { name: 'Database', state: 'ok' },
    { name: 'Data folder', state: 'ok' },
    { name: 'Permissions', state: 'ok' },
    { name: 'Keys', state: 'ok' },
  ])
  expect(outside.find(({ name }) => name === 'People')).toMatchObject({ state: 'ok' })
}, 60_000)

test('a database that cannot be used is named with why, and nothing in it is changed', async () => {
  const away = `postgres://beckon:secret@127.0.0.1:${freePort()}/beckon`
  const report = await doctor(away)
  expect(report.exitCode).toBe(3)
  expect(storage(report.checks)[0]).toMatchObject({ name: 'Database', state: 'fail' })
  expect(JSON.stringify(report)).not.toContain('secret')

  const sql = new SQL(world.cluster.url(), { max: 1 })
  await sql.unsafe("create database latin encoding 'LATIN1' locale 'C' template template0")
  await sql.unsafe('create database bare')
  await sql.close()
  const latin = storage((await doctor(world.cluster.url('latin'))).checks)[0]
  expect(latin).toMatchObject({ state: 'fail' })
  expect(latin?.said).toContain('LATIN1')

  const bare = storage((await doctor(world.cluster.url('bare'))).checks)[0]
  expect(bare).toMatchObject({ state: 'warn' })
  expect(bare?.said).toContain('holds no Beckon yet')
  await using looked = new SQL(world.cluster.url('bare'), { max: 1 })
  expect(await looked`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0)
}, 60_000)

test('a certificate that is not trusted is told, and a file that holds none', async () => {
  const sql = new SQL(world.cluster.url(), { max: 1 })
  const [{ data_directory: data }] = await sql`show data_directory`
  const { uid, gid } = statSync(data)
  const { key, cert } = selfSigned(folder.path, 'db.example.com')
  for (const [from, name] of [
    [key, 'server.key'],
    [cert, 'server.crt'],
  ] as const) {
    copyFileSync(from, join(data, name))
    chownSync(join(data, name), uid, gid)
    chmodSync(join(data, name), 0o600)
  }
  await sql.unsafe('alter system set ssl = on')
  await sql`select pg_reload_conf()`
  await until(async () => (await sql`show ssl`)[0].ssl === 'on')
  await sql.close()
  for (const [more, sentence] of [
    ['sslmode=verify-full', 'does not trust'],
    [`sslmode=verify-full&sslrootcert=${key}`, 'holds no certificate in PEM'],
  ] as const) {
    const [first] = storage((await doctor(`${world.url}?${more}`)).checks)
    expect(first).toMatchObject({ state: 'fail', said: expect.stringContaining(sentence) })
  }
  const [trusted] = storage(
    (await doctor(`${world.url}?sslmode=verify-full&sslrootcert=${cert}`)).checks,
  )
  expect(trusted).toMatchObject({ state: 'ok' })
}, 60_000)

test.skipIf(!existsSync(FAKETIME))(
  'clocks that differ are told',
  async () => {
    const env = { LD_PRELOAD: FAKETIME, FAKETIME: '+9s', DONT_FAKE_MONOTONIC: '1' }
    const warned = storage((await doctor(world.url, env)).checks).filter(
      ({ state }) => state === 'warn',
    )
    expect(warned).toMatchObject([{ name: 'Database' }])
    expect(warned[0]?.said).toContain('clocks')
  },
  60_000,
)

const checkNamed = (checks: Checks, wanted: string) => checks.find(({ name }) => name === wanted)

test('servers on other ports or machines are told from none at all', async () => {
  {
    await using server = await world.server()
    await using _second = await world.server()
    const blind = await doctor(world.url)
    expect(checkNamed(blind.checks, 'Server')).toMatchObject({
      state: 'warn',
      said: expect.stringContaining('2 servers use the database, from 127.0.0.1'),
      cure: expect.stringContaining('--base-url'),
    })
    expect(blind.checks.filter(({ link }) => link === 'server')).toHaveLength(1)

    const led = await doctor(world.url, {}, '--base-url', server.url)
    expect(checkNamed(led.checks, 'Server')?.state).toBe('skip')
    expect(checkNamed(led.checks, 'Base URL')).toMatchObject({ state: 'ok' })
    expect(led.exitCode).not.toBe(4)

    const other = world.cluster.url('other')
    const sql = new SQL(world.cluster.url(), { max: 1 })
    await sql.unsafe('create database other')
    await sql.close()
    // It makes the keys by which servers are told apart.
    await (await world.server({ BECKON_DATABASE_URL: other })).end('SIGTERM')
    const stranger = await doctor(other, {}, '--port', String(server.port))
    expect(checkNamed(stranger.checks, 'Server')).toMatchObject({ state: 'fail' })
    expect(JSON.stringify(checkNamed(stranger.checks, 'Server'))).not.toContain('folder')
  }
  const none = await doctor(world.url)
  expect(checkNamed(none.checks, 'Server')).toMatchObject({
    state: 'fail',
    cure: expect.stringContaining('beckon serve'),
  })
}, 60_000)

/** The way to PostgreSQL; while `shut`, new connections wait for `open`. */
async function gate(port: number) {
  let opened = Promise.resolve()
  let open = () => {}
  const server = createServer(async (socket) => {
    socket.on('error', () => {})
    await opened
    const there = dial(port, '127.0.0.1')
    there.on('error', () => socket.destroy())
    socket.on('close', () => there.destroy())
    socket.pipe(there).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      opened = new Promise((resolve) => {
        open = resolve
      })
    },
    open: () => open(),
    [Symbol.dispose]: () => server.close(),
  }
}

test('Health looks at PostgreSQL beside everything else', async () => {
  using way = await gate(world.cluster.port)
  await using base = program(() => {
    way.open()
    return new Response('a stranger')
  })
  await using usual = await world.server()
  const url = new URL(world.url)
  url.port = String(way.port)
  const env = { BECKON_DATABASE_URL: url.href, BECKON_BASE_URL: base.url }
  await using server = await world.server(env)
  const headers = await world.signIn(usual)
  way.shut()
  const response = await fetch(`${server.url}/api/v1/health`, { headers })
  const { checks } = (await response.json()) as { checks: Checks }
  // PostgreSQL was not to be reached before the base URL was asked.
  expect(checkNamed(checks, 'Base URL')).toMatchObject({ state: 'fail' })
  expect(checkNamed(checks, 'Database')).toMatchObject({ state: 'ok' })
}, 60_000)
