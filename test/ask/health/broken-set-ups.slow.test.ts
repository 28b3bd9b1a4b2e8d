import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { readSecrets } from '../../../src/platform/db/settings-store.ts'
import {
  connectDevice,
  type Found,
  program,
  runDoctor,
  setUpFolder,
} from '../../support/doctor-world.ts'
import { type ServerProcess, serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Whole processes on a busy machine; a doctor that is kept waiting still ends.
setDefaultTimeout(60_000)

const OPEN = { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
const TEN_MINUTES = 600_000

let skewMs = 0
const folder = tempFolder()
const data = join(folder.path, 'data')
const service = program(
  () => new Response('', { headers: { date: new Date(Date.now() + skewMs).toUTCString() } }),
)
const endpoint = `http://127.0.0.1:${service.port}/push/secret-path`
let token: string
let server: ServerProcess

beforeAll(async () => {
  token = await setUpFolder(data)
  await connectDevice(data, endpoint)
  server = await serverProcess(data)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

test('a set-up in which everything works is 0, with a line for each link', async () => {
  const { code, out, err } = await runDoctor(data, server.port, [], OPEN)
  expect([out, code, err]).toEqual([expect.not.stringContaining('✗'), 0, ''])
  for (const line of [
    '✓ Configuration: ',
    '✓ Data folder: ',
    '✓ Permissions: ',
    '✓ Database: ',
    '✓ Server: Beckon ',
    '✓ Readiness: ',
    '✓ MCP on this machine: ',
    '✓ Base URL: ',
    '✓ Streaming: ',
    `✓ Push services: Reached: 127.0.0.1:${service.port}.`,
    '✓ Clock: ',
    '✓ Alarms: ',
    '✓ People: One person can sign in.',
    '✓ Device Pixel: Accepted ',
    '! Agent tokens: One token, but no agent has called yet.',
  ]) {
    expect(out).toContain(line)
  }
})

test('--json is the same for programs, and neither form holds a secret', async () => {
  const text = await runDoctor(data, server.port, [], OPEN)
  const json = await runDoctor(data, server.port, ['--json'], OPEN)
  const report = JSON.parse(json.out) as Found
  expect(report).toMatchObject({ ok: true, exitCode: 0, version: expect.any(String) })
  for (const check of report.checks) {
    expect(check.state).toMatch(/^(ok|warn|fail|skip)$/)
    expect(check.link).toMatch(/^(configuration|storage|server|address|push|people)$/)
    expect(text.out).toContain(` ${check.name}: `)
    expect([check.state, check.cure !== undefined]).toEqual([
      check.state,
      check.state === 'warn' || check.state === 'fail',
    ])
  }
  await using db = openDataFolder(data)
  const secrets = await readSecrets(db.read)
  for (const secret of [
    token,
    'secret-path',
    secrets?.authSecret,
    secrets?.quickAnswerSecret,
    secrets?.vapid.privateKey,
  ]) {
    expect(secret).toBeString()
    expect(text.out + json.out).not.toContain(String(secret))
  }
})

test('a configuration that cannot be read is 2', async () => {
  const { code, out } = await runDoctor(data, server.port, [], { BECKON_LOG: 'loud' })
  expect([code, out]).toEqual([2, expect.stringContaining('✗ Configuration: BECKON_LOG must be')])
})

test('a data folder that is not there is 3, and is not made', async () => {
  const { code, out } = await runDoctor(join(folder.path, 'none'), server.port)
  expect([code, out]).toEqual([3, expect.stringContaining('✗ Data folder: There is no folder')])
  expect(await Bun.file(join(folder.path, 'none', 'beckon.db')).exists()).toBe(false)
})

test('a data folder that cannot be written to is 3', async () => {
  using other = tempFolder()
  const locked = join(other.path, 'data')
  mkdirSync(locked)
  chmodSync(other.path, 0o755)
  chmodSync(locked, 0o555)
  const main = join(import.meta.dir, '../../../src/main.ts')
  const command = [process.execPath, '--no-env-file', main, 'doctor', '--data', locked]
  // The superuser may write anywhere.
  const nobody = ['setpriv', '--reuid=65534', '--clear-groups']
  const child = Bun.spawn([...(process.getuid?.() === 0 ? nobody : []), ...command], {
    env: { PATH: process.env.PATH ?? '', HOME: other.path },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const out = await new Response(child.stdout).text()
  expect([await child.exited, out]).toEqual([
    3,
    expect.stringContaining(
      `✗ Data folder: ${locked} cannot be written to (EACCES).\n  → Give the folder to the user`,
    ),
  ])
})

test('a damaged database and one of a newer version are 3', async () => {
  using other = tempFolder()
  writeFileSync(join(other.path, 'beckon.db'), 'not a database at all'.repeat(100))
  const damaged = await runDoctor(other.path, server.port)
  expect([damaged.code, damaged.out]).toEqual([
    3,
    expect.stringMatching(/✗ Database: The file \S+ is not a database .*\(SQLITE_NOTADB\)/),
  ])
  using newer = tempFolder()
  const { Database } = await import('bun:sqlite')
  await openDataFolder(newer.path)[Symbol.asyncDispose]()
  using connection = new Database(join(newer.path, 'beckon.db'))
  connection.run("insert into migrations values ('9999_later', 1)")
  const refused = await runDoctor(newer.path, server.port)
  expect([refused.code, refused.out]).toEqual([
    3,
    expect.stringContaining(
      '✗ Database: The database was changed by a newer version of Beckon (9999_later)',
    ),
  ])
})

test('no server, another program, and the server of another folder are 4', async () => {
  await using other = program(() => new Response('<h1>hello</h1>'))
  const free = program(() => new Response())
  await free[Symbol.asyncDispose]()
  using folder = tempFolder()
  await setUpFolder(folder.path)
  await using second = await serverProcess(folder.path)
  const lines: Array<[port: number, line: string]> = [
    [free.port, `✗ Server: Nothing answers at http://127.0.0.1:${free.port}: the connection is`],
    [other.port, `✗ Server: Another program answers at http://127.0.0.1:${other.port}.\n  → Stop`],
    [second.port, `✗ Server: A Beckon server answers at http://127.0.0.1:${second.port}, but not`],
  ]
  for (const [port, line] of lines) {
    const { code, out } = await runDoctor(data, port, [], OPEN)
    expect([code, out]).toEqual([4, expect.stringContaining(line)])
  }
})

test('a server that listens elsewhere is told apart from one that does not run', async () => {
  const free = program(() => new Response())
  await free[Symbol.asyncDispose]()
  const elsewhere = await runDoctor(data, free.port, [], OPEN)
  const cure = `→ A server runs with this data folder, and listens on 127.0.0.1, port ${server.port}`
  expect([elsewhere.code, elsewhere.out]).toEqual([4, expect.stringContaining(cure)])
  using idle = tempFolder()
  await setUpFolder(idle.path)
  const stopped = await runDoctor(idle.path, free.port, [], OPEN)
  expect(stopped.out).toContain('→ Start it with beckon serve')
})

test('the own clock proves nothing, and a hook that nobody saw is not claimed', async () => {
  using empty = tempFolder()
  await setUpFolder(empty.path)
  await using alone = await serverProcess(empty.path)
  const { out } = await runDoctor(empty.path, alone.port)
  expect(out).toContain('– Clock: There was no service to compare the time with.')
  expect(out).toContain('– Hooks: None has reported in the last 24 hours.')
})

test('nobody connected a device: 7', async () => {
  using folder = tempFolder()
  await setUpFolder(folder.path)
  await using alone = await serverProcess(folder.path)
  const { code, out } = await runDoctor(folder.path, alone.port)
  expect([code, out]).toEqual([
    7,
    expect.stringContaining(
      '✗ Devices: No device is connected, so nothing rings.\n  → Open Settings, Devices',
    ),
  ])
})

test('a clock that is ten minutes off is 6, and says which way', async () => {
  skewMs = TEN_MINUTES
  const { code, out } = await runDoctor(data, server.port, [], OPEN)
  skewMs = 0
  expect(code).toBe(6)
  expect(out).toMatch(/✗ Clock: This machine's clock is (599|600|601) s behind that of http/)
})

test('a push service that cannot be reached is 6', async () => {
  const { code, out } = await runDoctor(data, server.port)
  expect([code, out]).toEqual([6, expect.stringContaining('✗ Push services: Not reached: ')])
})

test('an address that this server must not reach is no trouble of the network', async () => {
  const { code, out } = await runDoctor(data, server.port)
  expect([code, out]).toEqual([
    6,
    expect.stringMatching(
      /✗ Push services: Not reached: .* private network.*\n {2}→ If it is yours, name 127\.0\.0\.1 in BECKON_ALLOW_PRIVATE_HOSTS, for the server and here/,
    ),
  ])
})
