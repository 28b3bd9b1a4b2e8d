import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { systemd } from '../../src/cli/service/systemd.ts'
import { isBeyondThis } from '../../src/platform/db/look-into.ts'
import { freePort } from '../support/free-port.ts'
import { releaseKey } from '../support/release-key.ts'
import { releasedProgram, releaseServer } from '../support/release-server.ts'
import { runCommand } from '../support/run-command.ts'
import { serverProcess } from '../support/server-process.ts'
import { standInMachine } from '../support/service-stand-in.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, testDatabase } from '../support/test-database.ts'

// A build, and whole servers on a busy machine.
setDefaultTimeout(120_000)

const PASSWORD = 's3cr3t-PW'
const key = releaseKey()
const built = tempFolder()
const released = join(built.path, 'beckon')
const channel = await releaseServer(key.secret)

beforeAll(async () => {
  if (TEST_POSTGRES) await releasedProgram(released, { publicKey: key.publicKey, url: channel.url })
}, 120_000)
afterAll(async () => {
  built[Symbol.dispose]()
  await channel[Symbol.asyncDispose]()
})

async function ran(program: string, args: string[], env: Record<string, string>) {
  return await runCommand([program, ...args], {
    cwd: dirname(program),
    env,
  })
}

test.skipIf(!TEST_POSTGRES)(
  'the database of the service is what a new version is tried on',
  async () => {
    await using database = await testDatabase()
    using folder = tempFolder()
    const url = new URL(database.url)
    url.password = PASSWORD
    const place = `PostgreSQL at ${url.host}${url.pathname}`
    await using stand = standInMachine(folder.path, 'linux')
    const { machine } = stand
    const program = join(folder.path, 'beckon')
    copyFileSync(released, program)
    const where = systemd.place(machine, 'user')
    const options = ['--port', String(freePort())]
    const dataFolder = join(folder.path, 'data')
    mkdirSync(dirname(where.file), { recursive: true })
    const facts = { place: where, program: [program], options, dataFolder, user: 'ada' }
    writeFileSync(where.file, systemd.render(facts))
    const settings = where.settingsFile ?? ''
    mkdirSync(dirname(settings), { recursive: true })
    writeFileSync(settings, `BECKON_DATABASE_URL=${url.href}\n`, { mode: 0o600 })
    await machine.run(['systemctl', '--user', 'enable', '--now', 'beckon.service'])
    await using other = await serverProcess(join(folder.path, 'other'), 0, {
      env: { BECKON_DATABASE_URL: url.href },
    })
    const env = { PATH: machine.env.PATH ?? '', HOME: machine.home }

    const tried = join(folder.path, 'tried')
    const refuses = `[ "$1" = serve ] && { echo "$@" > ${tried}; echo "it cannot" >&2; exit 1; }; true`
    await channel.offer({ version: '99.0.0', script: refuses })
    const refused = await ran(program, ['update', '--yes'], env)
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(`cannot serve ${place}: it cannot`),
    ])
    expect(readFileSync(tried, 'utf8')).toBe(`serve --check --data ${dataFolder}\n`)

    await channel.offer({
      version: '99.0.0',
      script: `[ "$1" = --version ] || exec ${released} "$@"`,
    })
    const updated = await ran(program, ['update', '--yes'], env)
    const { code, out, err } = updated
    expect([code, out]).toEqual([0, `beckon 99.0.0 is installed at ${program}.\n`])
    expect(err).toContain(`${place} is not backed up by this: pg_dump`)
    expect(err).toContain('The new version runs and is ready.')
    expect(err).toContain('1 server runs the old version on the same database')
    expect(err).toContain('pg_restore')
    expect(existsSync(dataFolder)).toBe(false)
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200)
    for (const text of [refused.err, out, err, stand.log(), stand.calls().join('\n')]) {
      expect(text).not.toContain(PASSWORD)
    }
  },
)

test.skipIf(!TEST_POSTGRES)('data that a newer version has changed are known', async () => {
  await using database = await testDatabase()
  const config = {
    dataFolder: '/missing',
    database: { url: database.url, listenUrl: undefined, pool: 1 },
  }
  expect(await isBeyondThis(config)).toBe(false)
  await using sql = new SQL(database.url, { max: 1 })
  await sql`insert into migrations (name, applied_at) values ('9999_later', 1)`
  expect(await isBeyondThis(config)).toBe(true)
})
