import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalQr } from '../../src/platform/terminal/qr.ts'
import { setupWorld } from '../agent/setup/setup-world.ts'
import { beckon } from '../support/beckon.ts'
import { onTerminal } from '../support/on-terminal.ts'
import { PROGRAM } from '../support/program.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const RED = '\u001b[31m'
const YELLOW = '\u001b[33m'
const COLOUR = '\u001b['

test('what went well is not shown in red, what went wrong has a red sign', async () => {
  using home = world.home()
  const env = { HOME: home.path, PATH: '/nonexistent' }
  const variables = { ...env, BECKON_URL: world.url, BECKON_TOKEN: world.token }
  const done = await onTerminal(['setup', 'claude', '--yes'], variables)
  expect([done.code, done.output]).toEqual([0, expect.stringContaining('takes the token')])
  expect(done.output).toContain('\u001b[32m✓')
  expect(done.output).not.toContain(RED)
  home.put('.claude/settings.json', '{ broken')
  const broken = await onTerminal(['setup', 'claude', '--yes'], variables)
  expect([broken.code, broken.output]).toEqual([1, expect.stringContaining(`${RED}✗`)])
})

test('an error is red on a terminal, and without colour under NO_COLOR and elsewhere', async () => {
  const env = { BECKON_URL: 'http://127.0.0.1:1', BECKON_TOKEN: 'bk_x' }
  for (const args of [['ask', 'Go?'], ['dance'], ['migrate', '--nope']]) {
    expect((await onTerminal(args, env)).output).toStartWith(RED)
    expect((await onTerminal(args, { ...env, NO_COLOR: '1' })).output).not.toContain(COLOUR)
    expect((await onTerminal(args, { ...env, TERM: 'dumb' })).output).not.toContain(COLOUR)
    expect((await beckon(args, { env })).err).not.toContain(COLOUR)
  }
})

test('signs have no colour under NO_COLOR', async () => {
  using home = world.home()
  const env = { HOME: home.path, PATH: '/nonexistent', NO_COLOR: '1' }
  const variables = { ...env, BECKON_URL: world.url, BECKON_TOKEN: world.token }
  const done = await onTerminal(['setup', 'claude', '--yes'], variables)
  expect(done.output).toContain('✓')
  expect(done.output).not.toContain(COLOUR)
  using folder = tempFolder()
  const { output } = await onTerminal(['doctor', '--data', folder.path], env)
  expect(output).toContain('✗')
  expect(output).not.toContain(COLOUR)
})

test('a first start says where it listens and the link before anything else, and iPhones once', async () => {
  using folder = tempFolder()
  const args = ['serve', '--port', '0', '--data', folder.path]
  const first = await onTerminal(args, {}, { cols: 80, until: /BECKON_VAPID_SUBJECT/ })
  const [listens, heading, link, ...after] = first.output.split('\r\n')
  const hintAt = after.findIndex((line) => line.includes('iPhones'))
  const [steps, [hint, ...rest]] = [after.slice(0, hintAt), after.slice(hintAt)]
  expect(listens).toMatch(/^Beckon \S+ listens on http:\/\/\S+$/)
  expect(heading).toBe('Make the first account:')
  expect(link).toMatch(/^http:\/\/localhost:\d+\/setup\?key=\w{20,}$/)
  expect(link?.length).toBeLessThanOrEqual(80)
  expect(steps.join('\n')).toContain('beckon expose tailscale')
  for (const step of steps) expect(step.length).toBeLessThanOrEqual(80)
  expect(hint).toContain(`${YELLOW}warn`)
  expect(Bun.stringWidth(hint ?? '')).toBeLessThanOrEqual(80)
  expect(rest.join('\n')).not.toContain('iPhones')
  expect(first.code).toBe(0)
  const again = await onTerminal(args, {}, { until: /setup\?key=\w{20,}/ })
  expect(again.output).toStartWith('Beckon ')
  expect(again.output).not.toContain('iPhones')
})

test('a server whose terminal is closed stops in order; one that nohup keeps does not see it', async () => {
  using folder = tempFolder()
  const args = ['serve', '--port', '0', '--data', folder.path]
  const closed = await onTerminal(args, {}, { until: /setup\?key=\w{20,}/, signal: 'SIGHUP' })
  expect([closed.code, closed.output]).toEqual([0, expect.stringContaining('signal=SIGHUP')])
  const out = join(folder.path, 'out')
  const shell = ['sh', '-c', 'nohup "$@" > "$0" 2>&1', out]
  const child = Bun.spawn([...shell, ...PROGRAM, ...args], { stdin: 'ignore' })
  await until(() => existsSync(out) && readFileSync(out, 'utf8').includes('listens on'))
  const [, url = ''] = /listens on (\S+)/.exec(readFileSync(out, 'utf8')) ?? []
  const server = Number(Bun.spawnSync(['pgrep', '-P', String(child.pid)]).stdout.toString())
  process.kill(server || child.pid, 'SIGHUP')
  await Bun.sleep(300)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  process.kill(server || child.pid, 'SIGTERM')
  await child.exited
})

test('where phones can reach it, the link is a QR code, too, unless the terminal is too narrow', async () => {
  using folder = tempFolder()
  const args = ['serve', '--port', '0', '--data', folder.path]
  const env = { BECKON_BASE_URL: 'https://beckon.example.com' }
  const until = /beckon setup/
  const { output } = await onTerminal(args, env, { cols: 80, until })
  const link = /https:\/\/\S+\/setup\?key=\w+/.exec(output)?.[0] ?? ''
  expect(output).toContain(terminalQr(link).split('\n').join('\r\n'))
  const lines = output.split('\r\n').map((one) => Bun.stringWidth(one))
  expect(Math.max(...lines)).toBeLessThanOrEqual(80)
  const narrow = await onTerminal(args, env, { cols: 40, until })
  expect(narrow.output).toContain('Open it on your phone.')
  expect(narrow.output).not.toContain('█')
  // A phone cannot reach this machine by the name that it has for itself.
  const own = await onTerminal(args, {}, { until })
  expect(own.output).not.toContain('█')
})

test('once there is an account, a start says where to open it and nothing more', async () => {
  using folder = tempFolder()
  const person = ['user', 'add', '--email', 'ada@example.com', '--password-stdin']
  await beckon([...person, '--data', folder.path], { stdin: 'correct horse battery' })
  const args = ['serve', '--port', '0', '--data', folder.path]
  const env = { BECKON_BASE_URL: 'https://beckon.example.com' }
  const { output } = await onTerminal(args, env, { until: /Open \S+/ })
  expect(output).toContain('Open https://beckon.example.com\r\n')
  expect(output).not.toMatch(/█|beckon setup/)
})

test('elsewhere the log has no colour', async () => {
  using folder = tempFolder()
  await using server = await serverProcess(folder.path)
  const { err } = await server.end('SIGTERM')
  expect(err).toContain('iPhones')
  expect(err).not.toContain(COLOUR)
})

test('ask shows where it rang, the time left and where to answer, and leaves nothing of it', async () => {
  using home = tempFolder()
  const env = { BECKON_URL: world.url, BECKON_TOKEN: world.token, HOME: home.path }
  const { code, output } = await onTerminal(['ask', 'Go?', '--timeout', '3s'], env)
  expect(output).toMatch(/\r(Waiting for the answer|Rang \d of 1 device) · 0:03 left · http:\S+/)
  expect(output).toMatch(/\rRang 1 of 1 device · 0:0[12] left · http:\S+/)
  expect([code, output.split('\r\u001b[K').at(-1)]).toEqual([
    3,
    expect.stringMatching(/^No answer yet/),
  ])
})

test('ask says no count that the server does not say, and no live line elsewhere', async () => {
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const question = { correlationId: 'q_1', status: 'pending', answered: false }
      if (pathname.endsWith('/delivery'))
        return Response.json({ code: 'not_found' }, { status: 404 })
      if (request.method === 'GET') await Bun.sleep(2_000)
      return Response.json(question)
    },
  })
  using home = tempFolder()
  const env = { BECKON_URL: server.url.origin, BECKON_TOKEN: 'bk_x', HOME: home.path }
  const { output } = await onTerminal(['ask', 'Go?', '--timeout', '2s'], env)
  expect(output).toContain('Waiting for the answer · 0:01 left')
  expect(output).not.toContain('Rang')
  const { err } = await beckon(['ask', 'Go?', '--timeout', '2s'], { env })
  expect(err).toStartWith('Asked as q_1.\nNo answer yet')
})

test('a backup of a large database shows how far it is, and fails in red', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  await beckon(['key', 'create', '--name', 'x', '--data', data])
  using database = new Database(join(data, 'beckon.db'))
  database.run('create table heavy (id integer primary key, content blob)')
  database.run(
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500) insert into heavy select i, randomblob(40000) from n',
  )
  const args = ['backup', 'copy.db', '--data', data]
  const done = await onTerminal(args, {}, { cwd: folder.path })
  expect(done.output).toMatch(/Checking the database …|\] \d+ % .* MiB copied/)
  expect(done.output).toMatch(/copy\.db is a backup of \S+, \d+ KiB\.\r\n$/)
  expect(done.code).toBe(0)
  const again = await onTerminal(args, {}, { cwd: folder.path })
  expect([again.code, again.output]).toEqual([1, expect.stringContaining(`${RED}copy.db exists`)])
})
