import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../support/beckon.ts'
import { freePort } from '../support/free-port.ts'
import { onTerminal } from '../support/on-terminal.ts'
import { serviceCommand, standInMachine } from '../support/service-stand-in.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, testDatabase } from '../support/test-database.ts'

// Whole servers on a busy machine.
setDefaultTimeout(120_000)

const PASSWORD = 's3cr3t-PW'

test.skipIf(!TEST_POSTGRES)('a service whose settings name PostgreSQL', async () => {
  await using database = await testDatabase()
  using folder = tempFolder()
  await using stand = standInMachine(folder.path, 'linux')
  const outputs: string[] = []
  const run = async (...args: string[]) => {
    const { code, out, err } = await serviceCommand(folder.path, args)
    outputs.push(out, err)
    return { code, out, err }
  }
  const url = new URL(database.url)
  url.password = PASSWORD
  const place = `PostgreSQL at ${url.host}${url.pathname}`
  const settings = join(stand.machine.home, '.config/beckon/beckon.env')
  mkdirSync(join(settings, '..'), { recursive: true })
  writeFileSync(settings, `BECKON_DATABASE_URL=${url.href}\n`, { mode: 0o644 })
  const port = freePort()

  const installed = await run('install', '--', '--port', String(port))
  expect([installed.code, installed.out]).toEqual([0, expect.stringContaining(place)])
  expect(installed.out).toMatch(new RegExp(`http://localhost:${port}/setup\\?key=\\w+`))
  expect(installed.err).toContain(`can read BECKON_DATABASE_URL in ${settings}: chmod 600`)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  const data = join(stand.machine.home, '.local/share/beckon')
  expect(existsSync(join(data, 'beckon.db'))).toBe(false)

  const status = await run('status')
  expect(status.code).toBe(0)
  expect(status.out).toContain(`Database  ${place}`)
  // Only the server of this database proves its version.
  expect(status.out).toMatch(/^Version {3}\d+\.\d+/m)
  const json = JSON.parse((await run('status', '--json')).out)
  expect(json).toMatchObject({ ready: true, database: `${url.host}${url.pathname}` })

  // A command in a shell that does not see the settings.
  const { PATH = '', HOME = '' } = stand.machine.env
  for (const args of [
    ['key', 'create', '--name', 'laptop'],
    ['user', 'add', '--email', 'ada@example.com'],
    ['key', 'list'],
    ['pair'],
    ['migrate'],
    ['audit', 'verify'],
    ['expose', 'tailscale'],
    ['backup', join(folder.path, 'copy.db')],
    ['restore', join(folder.path, 'copy.db')],
    ['serve', '--check'],
    ['catalog', 'publish'],
    ['catalog', 'mirror', '--from', 'https://catalog.example.com'],
  ]) {
    const { code, out, err } = await beckon([...args, '--data', data], { env: { PATH, HOME } })
    outputs.push(out, err)
    expect([args, code, err]).toEqual([args, 1, expect.stringContaining(`${place}, not in`)])
    expect(err).toContain(settings)
  }
  const byHand = await onTerminal(
    ['serve', '--port', '0', '--data', data],
    { PATH, HOME },
    { until: /listens on/ },
  )
  outputs.push(byHand.output)
  expect([byHand.code, byHand.output]).toEqual([1, expect.stringContaining(`${place}, not in`)])
  const examined = await beckon(['doctor', '--json', '--data', data], { env: { PATH, HOME } })
  expect(examined.code).toBe(2)
  expect(JSON.parse(examined.out).checks[0].said).toContain(`${place}, not in`)
  outputs.push(examined.out)
  expect(existsSync(join(data, 'beckon.db'))).toBe(false)

  const env = { BECKON_DATABASE_URL: url.href }
  await beckon(['user', 'add', '--email', 'ada@example.com', '--password-stdin'], {
    env,
    stdin: 'correct horse battery',
  })
  chmodSync(settings, 0o600)
  const again = await run('install')
  expect([again.code, again.out]).toEqual([0, expect.stringContaining(`Open http://localhost`)])
  expect(again.out + again.err).not.toMatch(/chmod|setup\?key/)

  expect((await run('uninstall')).out).toContain(`The data is kept in ${place}.`)
  outputs.push(stand.log(), stand.calls().join('\n'))
  expect(outputs.join('\n')).not.toContain(PASSWORD)
  expect(readFileSync(settings, 'utf8')).toContain(PASSWORD)
})
