import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../support/beckon.ts'
import { freePort } from '../support/free-port.ts'
import { onTerminal } from '../support/on-terminal.ts'
import { PROGRAM } from '../support/program.ts'
import { serverProcess } from '../support/server-process.ts'
import { standInTailscale } from '../support/stand-in-tailscale.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const PASSWORD = 's3cr3t-PW'

/** A database with Ada and a token in it, and its address with a password. */
async function furnished() {
  const database = await testDatabase()
  const url = new URL(database.url)
  url.password = PASSWORD
  const env = { BECKON_DATABASE_URL: url.href }
  const added = await beckon(['user', 'add', '--email', 'ada@example.com'], { env })
  const token = (await beckon(['key', 'create', '--name', 'laptop'], { env })).out.trim()
  return { ...database, env, added, token }
}

const LOCAL = 'state no address: name theirs with BECKON_BASE_URL'

test.skipIf(!TEST_POSTGRES)('links say where they lead, when nobody said where to', async () => {
  await using world = await furnished()
  expect(world.added).toMatchObject({ code: 0, err: expect.stringContaining(LOCAL) })
  const env = { ...world.env, BECKON_BASE_URL: 'https://beckon.example.com' }
  const reset = ['user', 'reset', '--email', 'ada@example.com']
  for (const args of [['pair'], reset]) {
    const here = await beckon(args, { env: world.env })
    expect(here).toMatchObject({ code: 0, err: expect.stringContaining(LOCAL) })
    const there = await beckon(args, { env })
    expect(there.out).toStartWith('https://beckon.example.com/')
    expect(there.err).not.toContain(LOCAL)
  }
})

test.skipIf(!TEST_POSTGRES)(
  'setup offers to pair a phone of the servers on this database',
  async () => {
    await using world = await furnished()
    using folder = tempFolder()
    mkdirSync(join(folder.path, '.claude'))
    await using server = await serverProcess(join(folder.path, 'data'), 0, { env: world.env })
    const env = { HOME: folder.path, BECKON_TOKEN: world.token, BECKON_URL: server.url }
    const variables = { ...env, ...world.env, BECKON_BASE_URL: server.url }
    const session = { cwd: folder.path, replies: [['Connect a phone now?', 'y']] as const }
    const { output } = await onTerminal(['setup', 'claude', '--yes'], variables, session)
    expect(output).toContain(`${server.url}/pair/`)
    expect(output).not.toContain(PASSWORD)

    const away = {
      ...variables,
      BECKON_DATABASE_URL: `postgres://beckon:${PASSWORD}@127.0.0.1:1/beckon`,
    }
    const result = await onTerminal(['setup', 'claude', '--yes'], away, session)
    expect(result.output).toContain('cannot be reached')
    expect(result.output).not.toContain(PASSWORD)
  },
)

test.skipIf(!TEST_POSTGRES)('expose makes the data folder that no server has made', async () => {
  await using world = await furnished()
  using folder = tempFolder()
  const tailscale = standInTailscale(folder.path)
  const env = { ...world.env, PATH: `${tailscale.bin}:${process.env.PATH}` }
  const words = ['expose', 'tailscale', '--port', String(freePort()), '--data']

  writeFileSync(join(folder.path, 'file'), '')
  const closed = await beckon([...words, join(folder.path, 'file')], { env })
  const sentence = 'cannot be written (EEXIST): set BECKON_BASE_URL=https://shed.tail0123.ts.net'
  expect([closed.code, closed.err]).toEqual([1, expect.stringContaining(sentence)])
  expect(closed.err).not.toContain(PASSWORD)

  const data = join(folder.path, 'data')
  const child = Bun.spawn([...PROGRAM, ...words, data], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  try {
    // Then it looks whether that address leads to a server, for a quarter of a minute.
    await until(() => existsSync(join(data, 'beckon.toml')))
    expect(statSync(data).mode & 0o777).toBe(0o700)
  } finally {
    child.kill()
    await child.exited
  }
})
