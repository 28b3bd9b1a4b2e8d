import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { SQL } from 'bun'
import { beckon } from '../support/beckon.ts'
import type { Found } from '../support/doctor-world.ts'
import { freePort } from '../support/free-port.ts'
import { tempFolder } from '../support/temp-folder.ts'
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

async function doctor(url: string, env: Record<string, string> = {}): Promise<Found> {
  const own = { HOME: tmpdir(), BECKON_DATABASE_URL: url, ...env }
  const args = ['doctor', '--json', '--data', folder.path, '--port', String(freePort())]
  return JSON.parse((await beckon(args, { env: own })).out) as Found
}

test('Health of a server speaks of PostgreSQL, and not of a disk that holds no question', async () => {
  await using server = await world.server()
  const headers = await world.signIn(server)
  const response = await fetch(`${server.url}/api/v1/health`, { headers })
  const { checks } = (await response.json()) as { checks: Checks }
  const place = world.url.replace(/.*@/, '')
  const found = storage(checks)
  expect(found[0]).toMatchObject({ name: 'Database', state: 'ok' })
  expect(found[0]?.said).toContain(place)
  expect(found.map(({ name }) => name)).not.toContain('Disk space')
  expect(found.filter(({ state }) => state === 'fail')).toEqual([])

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
  const found = await doctor(away)
  expect(found.exitCode).toBe(3)
  expect(storage(found.checks)[0]).toMatchObject({ name: 'Database', state: 'fail' })
  expect(JSON.stringify(found)).not.toContain('secret')

  const sql = new SQL(world.cluster.url(), { max: 1 })
  await sql.unsafe("create database latin encoding 'LATIN1' locale 'C' template template0")
  await sql.unsafe('create database bare')
  await sql.close()
  const latin = storage((await doctor(world.cluster.url('latin'))).checks)[0]
  expect(latin).toMatchObject({ state: 'fail' })
  expect(latin?.said).toContain('LATIN1')

  const bare = storage((await doctor(world.cluster.url('bare'))).checks)[0]
  expect(bare).toMatchObject({ state: 'warn' })
  expect(bare?.said).toContain('migrations')
  await using looked = new SQL(world.cluster.url('bare'), { max: 1 })
  expect(await looked`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0)
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
