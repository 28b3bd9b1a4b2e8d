import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { beckon } from '../support/beckon.ts'
import { PROGRAM } from '../support/program.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, type TestDatabase, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(60_000)

const PASSWORD = 's3cr3t-PW'
const NOBODY = `cli_${process.pid}`

let empty: TestDatabase
let admin: SQL
const folder = tempFolder()
const data = join(folder.path, 'data')

beforeAll(async () => {
  if (!TEST_POSTGRES) return
  empty = await testDatabase()
  admin = new SQL(empty.url, { max: 1 })
  await admin.unsafe('drop schema public cascade; create schema public')
  await admin.unsafe(`create role ${NOBODY} login`)
})
afterAll(async () => {
  folder[Symbol.dispose]()
  if (!TEST_POSTGRES) return
  await admin.unsafe(`drop role ${NOBODY}`)
  await admin.close()
  await empty[Symbol.asyncDispose]()
})

/** The address of the empty database with a password in it, changed by `change`. */
function address(change: (url: URL) => void = () => {}): string {
  const url = new URL(empty.url)
  url.password = PASSWORD
  change(url)
  return url.href
}

const run = (url: string, ...args: string[]) =>
  beckon([...args, '--data', data], { env: { BECKON_DATABASE_URL: url } })

/** How many tables there are now. */
async function tables(): Promise<number> {
  const [{ n }] = await admin`select count(*)::int as n from pg_tables where schemaname = 'public'`
  return n
}

const REFUSALS: ReadonlyArray<[string, (url: URL) => void, code: number, says: string[]]> = [
  [
    'nothing answers',
    (url) => {
      url.port = '1'
    },
    1,
    ['127.0.0.1:1/', 'cannot be reached', 'BECKON_DATABASE_URL'],
  ],
  [
    'who is not let in',
    (url) => {
      url.username = 'stranger'
    },
    1,
    ['does not let this user in', 'role "stranger" does not exist', 'user and password'],
  ],
  [
    'a database that is not there',
    (url) => {
      url.pathname = '/nowhere'
    },
    1,
    ['has no such database', '"nowhere"', 'create database'],
  ],
  [
    'who may make no tables',
    (url) => {
      url.username = NOBODY
    },
    1,
    ['does not let this user make tables', 'own the database'],
  ],
  [
    'a server without TLS',
    (url) => {
      url.search = '?sslmode=require'
    },
    1,
    ['offers no TLS', 'sslmode'],
  ],
  [
    'a certificate that cannot be read',
    (url) => {
      url.search = '?sslmode=verify-full&sslrootcert=/missing/ca.pem'
    },
    1,
    ['/missing/ca.pem', 'sslrootcert', 'ENOENT'],
  ],
  [
    'a certificate that is none',
    (url) => {
      url.search = '?sslmode=verify-full&sslrootcert=/etc/hostname'
    },
    1,
    ['/etc/hostname', 'sslrootcert', 'no certificate in PEM'],
  ],
  [
    'options that PostgreSQL does not take',
    (url) => {
      url.search = '?options=-c%20nothing'
    },
    1,
    ['refuses', '-c nothing'],
  ],
  [
    'a mode of TLS that there is not',
    (url) => {
      url.search = '?sslmode=bogus'
    },
    2,
    ['sslmode'],
  ],
  [
    'a name that cannot be decoded',
    (url) => {
      url.pathname = '/%zz'
    },
    2,
    ['%25'],
  ],
]

test.skipIf(!TEST_POSTGRES)('why PostgreSQL cannot be used is one sentence each', async () => {
  for (const [name, change, code, says] of REFUSALS) {
    const url = address(change)
    for (const args of [
      ['serve', '--port', '0'],
      ['serve', '--check'],
    ]) {
      const result = await run(url, ...args)
      expect([name, args, result.code, result.out]).toEqual([name, args, code, ''])
      for (const part of says) expect(result.err).toContain(part)
      expect(result.err.trim().split('\n')).toHaveLength(1)
      expect(result.err).not.toContain(PASSWORD)
    }
  }
  expect([await tables(), existsSync(data)]).toEqual([0, false])
})

test.skipIf(!TEST_POSTGRES)('a broken password or a list of hosts is told without it', async () => {
  const { host, pathname } = new URL(empty.url)
  for (const url of [
    `postgres://beckon:${PASSWORD}%zz@${host}${pathname}`,
    `postgres://beckon:${PASSWORD}@127.0.0.1,${host}${pathname}`,
  ]) {
    const { code, err } = await run(url, 'key', 'list')
    expect([code, err]).toEqual([2, expect.stringContaining('BECKON_DATABASE_URL must be')])
    expect(err).not.toContain(PASSWORD)
  }
})

test.skipIf(!TEST_POSTGRES)('a command that needs data makes no tables', async () => {
  const url = address()
  const commands = [
    ['user', 'list'],
    ['user', 'reset', '--email', 'ada@example.com'],
    ['key', 'list'],
    ['key', 'revoke', 'key_1'],
    ['pair'],
    ['audit', 'verify'],
    ['audit', 'export'],
    ['expose', 'tailscale'],
    ['catalog', 'probe'],
    ['catalog', 'drafts'],
    ['catalog', 'sign', '--rotate'],
    ['catalog', 'export', join(folder.path, 'static')],
    ['catalog', 'mirror', '--stop'],
  ]
  for (const args of commands) {
    const { code, out, err } = await run(url, ...args)
    const message = expect.stringContaining('There is no Beckon in PostgreSQL at')
    expect([args, code, out, err]).toEqual([args, 1, '', message])
    expect(err).not.toContain(PASSWORD)
  }
  const mirror = await run(url, 'catalog', 'mirror')
  expect([mirror.code, mirror.err]).toEqual([2, expect.stringContaining('--from is missing')])
  const files = join(folder.path, 'catalog')
  await beckon(['catalog', 'init', files, '--empty'])
  const dry = await run(url, 'catalog', 'publish', files, '--dry-run')
  expect([dry.code, dry.err]).toEqual([0, ''])
  const back = join(folder.path, 'back')
  const moved = await beckon(['migrate', '--from', url, '--data', back])
  expect([moved.code, moved.err]).toEqual([1, expect.stringContaining('--from')])
  expect([await tables(), existsSync(join(back, 'beckon.db'))]).toEqual([0, false])
})

test.skipIf(!TEST_POSTGRES)(
  'a database of another program is named before it is used',
  async () => {
    await admin.unsafe('create table questions (a int)')
    try {
      const checked = await run(address(), 'serve', '--check')
      expect([checked.code, checked.err]).toEqual([0, expect.stringContaining('another program')])
      const { code, err } = await run(address(), 'serve', '--port', '0')
      expect([code, err]).toEqual([1, expect.stringContaining('relation "questions" already')])
      expect(await tables()).toBe(1)
    } finally {
      await admin.unsafe('drop table questions')
    }
  },
)

test.skipIf(!TEST_POSTGRES)('what the driver warns of is a line of the log', async () => {
  await using database = await testDatabase()
  const url = new URL(database.url)
  url.password = PASSWORD
  const env = { ...process.env, BECKON_DATABASE_URL: url.href, BECKON_LOG: 'json' }
  const child = Bun.spawn([...PROGRAM, 'serve', '--port', '0', '--data', data], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const name = url.pathname.slice(1)
  let written = ''
  const reading = (async () => {
    for await (const chunk of child.stderr) written += new TextDecoder().decode(chunk)
  })()
  try {
    for await (const _ready of child.stdout) break
    // Nobody is let in again.
    await admin.unsafe(`alter database ${name} allow_connections false`)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    await until(() => written.includes('LISTEN'))
  } finally {
    await admin.unsafe(`alter database ${name} allow_connections true`)
    child.kill('SIGKILL')
    await Promise.all([child.exited, reading])
  }
  for (const line of written.split('\n').slice(0, -1)) {
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) })
  }
  expect(written).not.toContain(PASSWORD)
})
