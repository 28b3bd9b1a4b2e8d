import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serveAlone } from '../../src/platform/db/only-server.ts'
import { beckon } from '../support/beckon.ts'
import { writeGeneratedCatalog } from '../support/generated-catalog.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const PUBLIC = 'https://beckon.example.com'
const DEFAULT = 'http://localhost:8484'
const ADA = ['--email', 'ada@example.com']

const folder = tempFolder()
const data = join(folder.path, 'data')
const catalog = join(folder.path, 'catalog')
const SERVING = join(data, 'serving.json')

beforeAll(async () => {
  writeGeneratedCatalog(catalog, 3)
  await beckon(['user', 'add', ...ADA, '--password-stdin', '--data', data], {
    stdin: 'correct horse',
  })
})
afterAll(() => folder[Symbol.dispose]())

let others = 0

/** Every command that prints an address of the server. */
const COMMANDS: ReadonlyArray<[name: string, args: () => string[]]> = [
  ['user add', () => ['user', 'add', '--email', `other-${++others}@example.com`]],
  ['user reset', () => ['user', 'reset', ...ADA]],
  ['pair', () => ['pair', ...ADA]],
  ['catalog publish', () => ['catalog', 'publish', catalog]],
]

/** The origin that each command prints, and whether it says that it is that of a running server. */
async function printed(more: string[] = []) {
  const results: Record<string, { at: string | undefined; doubt: string | undefined }> = {}
  for (const [name, args] of COMMANDS) {
    const { code, out, err } = await beckon([...args(), ...more, '--data', data])
    expect([name, code]).toEqual([name, 0])
    const at = /https?:\/\/[^/\s]+/.exec(out)?.[0]
    results[name] = { at, doubt: /No server runs on|states no address/.exec(err)?.[0] }
  }
  return results
}

const all = (at: string, doubt?: string) =>
  Object.fromEntries(COMMANDS.map(([name]) => [name, { at, doubt }]))

test('commands print the address of the server that runs on the folder', async () => {
  await using server = await serverProcess(data)
  expect(await printed()).toEqual(all(`http://localhost:${server.port}`))
})

test('the address that people use is the one of the server, until the command names another', async () => {
  await using _server = await serverProcess(data, 0, { env: { BECKON_BASE_URL: PUBLIC } })
  expect(await printed()).toEqual(all(PUBLIC))
  const other = 'https://other.example.com'
  const pair = await beckon(['pair', ...ADA, '--base-url', other, '--data', data])
  expect(pair.out).toStartWith(`${other}/pair/`)
})

test('health and doctor look where the server of the folder listens', async () => {
  await using server = await serverProcess(data)
  const health = await beckon(['health', '--json', '--data', data])
  expect(JSON.parse(health.out)).toMatchObject({
    healthy: true,
    url: `http://127.0.0.1:${server.port}`,
  })
  const doctor = await beckon(['doctor', '--data', data])
  expect(doctor.out).toContain(`answers at http://127.0.0.1:${server.port}.`)
})

test('a server that stopped, or was killed, is not said to run', async () => {
  await using stopped = await serverProcess(data)
  await stopped.end('SIGTERM')
  expect(existsSync(SERVING)).toBe(false)
  expect(await printed()).toEqual(all(DEFAULT, 'No server runs on'))
  await using killed = await serverProcess(data)
  await killed.end('SIGKILL')
  expect(existsSync(SERVING)).toBe(true)
  expect(await printed()).toEqual(all(DEFAULT, 'No server runs on'))
  using _lock = serveAlone(data)
  expect(existsSync(SERVING)).toBe(false)
})

test('a server that states no address is not known', async () => {
  await using _server = await serverProcess(data)
  const spoil = [
    () => rmSync(SERVING),
    () => Bun.write(SERVING, '{"host":"127.0.0.1","port":'),
    () => Bun.write(SERVING, '{"port":"1"}'),
  ]
  for (const one of spoil) {
    await one()
    expect(await printed()).toEqual(all(DEFAULT, 'states no address'))
  }
  rmSync(SERVING)
})

test('a lock that cannot be read is not known either', async () => {
  const lock = join(data, 'serving.lock')
  rmSync(lock)
  await Bun.write(lock, 'not a database, and longer than the header of one: '.repeat(40))
  const { code, err } = await beckon(['user', 'reset', ...ADA, '--data', data])
  expect([code, err]).toEqual([0, expect.stringContaining('is not known (SQLITE_NOTADB)')])
  rmSync(lock)
})
