import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isOurs } from '../../../src/cli/service/service-file.ts'
import { systemd } from '../../../src/cli/service/systemd.ts'
import { beckon } from '../../support/beckon.ts'
import { freePort } from '../../support/free-port.ts'
import { serverProcess } from '../../support/server-process.ts'
import { serviceCommand, standInMachine } from '../../support/service-stand-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Whole servers on a busy machine.
setDefaultTimeout(120_000)

/** A machine, and `beckon service` on it. */
function world(platform: NodeJS.Platform = 'linux') {
  const folder = tempFolder()
  const stand = standInMachine(folder.path, platform)
  const port = freePort()
  const home = join(folder.path, 'home')
  const file = join(
    home,
    platform === 'linux'
      ? '.config/systemd/user/beckon.service'
      : 'Library/LaunchAgents/beckon.serve.plist',
  )
  const run = (args: string[], more = {}) =>
    serviceCommand(folder.path, args, { platform, ...more })
  return {
    ...stand,
    folder: folder.path,
    home,
    file,
    port,
    run,
    install: (more: string[] = [], machine = {}) =>
      run(['install', ...more, '--', '--port', String(port)], machine),
    async [Symbol.asyncDispose]() {
      await stand[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

test('systemd: installed, ready, the same again, changed, looked at, and uninstalled', async () => {
  await using it = world()
  const { file, home, port } = it
  const first = await it.install()
  expect(first).toMatchObject({ code: 0 })
  expect(first.out).toContain(readFileSync(file, 'utf8'))
  expect(first.out).toMatch(new RegExp(`http://localhost:${port}/setup\\?key=\\w+`))
  expect(first.err).toContain('loginctl enable-linger ada')
  const data = join(home, '.local/share/beckon')
  expect(first.out).toContain(`Its data is in ${data}`)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  expect(it.calls().filter((call) => /daemon-reload|enable/.test(call))).toEqual([
    'systemctl --user daemon-reload',
    'systemctl --user enable --now beckon.service',
  ])

  const again = await it.run(['install'])
  expect([again.code, again.err]).toEqual([0, expect.stringContaining('is as it should be')])
  expect(again.err).toContain(`stay --port ${port}`)
  expect(it.calls()).not.toContain('systemctl --user restart beckon.service')

  const changed = await it.install(['--data', data, '--force'])
  expect(changed.code).toBe(0)
  const renamed = ['install', '--', '--port', String(port), '--base-url', 'https://b.example.com']
  expect((await it.run(renamed)).out).toContain('https://b.example.com/setup')
  expect(it.calls()).toContain('systemctl --user restart beckon.service')

  const status = await it.run(['status', '--json'])
  expect(status.code).toBe(0)
  expect(JSON.parse(status.out)).toMatchObject({
    installed: true,
    manager: 'systemd',
    owner: 'user',
    file,
    enabled: true,
    running: true,
    since: expect.stringMatching(/^2026-11-23T06:30:00/),
    pid: expect.any(Number),
    version: expect.stringMatching(/^\d/),
    dataFolder: data,
    address: 'https://b.example.com',
    ready: true,
  })
  const text = await it.run(['status'])
  expect([text.code, text.out]).toEqual([0, expect.stringContaining('Ready     yes')])
  expect((await it.run(['logs', '-n', '20'])).out).toContain(' listens on ')
  expect(it.calls().at(-1)).toBe('journalctl --user -u beckon.service -n 20 --no-pager')

  const gone = await it.run(['uninstall'])
  expect([gone.code, gone.out]).toEqual([0, expect.stringContaining(`The data is kept in ${data}`)])
  expect([existsSync(file), existsSync(join(data, 'beckon.db'))]).toEqual([false, true])
  expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow()
  expect((await it.run(['status'])).code).toBe(1)
  expect((await it.run(['uninstall'])).code).toBe(0)
})

test('launchd: installed, ready, logged to a file, restarted, and uninstalled', async () => {
  await using it = world('darwin')
  const done = await it.install()
  expect(done).toMatchObject({ code: 0 })
  expect(done.out).toContain(join(it.home, 'Library/Application Support/Beckon'))
  expect(it.calls().filter((call) => !call.includes(' print'))).toEqual([
    'launchctl enable gui/1000/beckon.serve',
    `launchctl bootstrap gui/1000 ${it.file}`,
  ])
  const status = await it.run(['status', '--json'])
  expect([status.code, JSON.parse(status.out)]).toEqual([
    0,
    expect.objectContaining({ running: true, ready: true, since: expect.any(String) }),
  ])
  const logFolder = join(it.home, 'Library/Logs/Beckon')
  writeFileSync(join(logFolder, 'beckon.log'), 'one\ntwo\nthree\n')
  expect((await it.run(['logs', '-n', '2'])).out).toBe('two\nthree\n')
  expect((await it.run(['uninstall'])).code).toBe(0)
  expect(it.calls()).toContain('launchctl bootout gui/1000/beckon.serve')
  expect(existsSync(it.file)).toBe(false)
})

test('a task is registered from a file in the encoding that it declares, and run', async () => {
  await using it = world('win32')
  await it.install([], { readyMs: 200 })
  const [create, run] = it.calls().filter((call) => /Create|Run/.test(call))
  expect(create).toMatch(/^schtasks \/Create \/TN Beckon \/XML .*service\.xml \/F$/)
  expect(run).toBe('schtasks /Run /TN Beckon')
  const written = /XML (.*) \/F/.exec(create ?? '')?.[1] ?? ''
  const bytes = readFileSync(join(it.folder, written))
  expect([...bytes.subarray(0, 4)]).toEqual([0xff, 0xfe, 0x3c, 0x00])
})

test('a step that fails is a sentence: what was done, what was not, how to undo it of an installation', async () => {
  await using it = world()
  it.failAt('daemon-reload')
  const reload = await it.install()
  expect(reload.code).toBe(1)
  expect(reload.err).toContain(
    'could not make systemd read the unit: Access denied by the stand-in',
  )
  expect(reload.err).toContain(`Done: wrote ${it.file}.`)
  expect(reload.err).toContain(
    'Not done: systemctl --user reset-failed beckon.service; systemctl --user enable --now beckon.service.',
  )
  expect(reload.err).toContain(`To undo it: rm ${it.file}`)

  it.failAt('enable --now')
  const enable = await it.install()
  expect([enable.code, enable.err]).toEqual([1, expect.stringContaining('could not enable')])
  expect(enable.err).toContain(
    'Done: systemctl --user daemon-reload; systemctl --user reset-failed beckon.service.',
  )
  expect(enable.err).toContain('systemctl --user disable --now beckon.service')

  it.failAt('')
  expect((await it.install()).code).toBe(0)
  it.failAt('restart')
  const restart = await it.run(['install', '--', '--port', `${it.port}`, '--host', '127.0.0.1'])
  expect([restart.code, restart.err]).toEqual([1, expect.stringContaining('could not restart')])
})

test('a step that fails is a sentence: what was done, what was not, how to undo it of a removal', async () => {
  await using it = world()
  expect((await it.install()).code).toBe(0)
  it.failAt('disable')
  const result = await it.run(['uninstall'])
  expect([result.code, result.err]).toEqual([
    1,
    expect.stringContaining('could not stop and disable'),
  ])
  expect(existsSync(it.file)).toBe(true)
  it.failAt('daemon-reload')
  const forgotten = await it.run(['uninstall'])
  expect([forgotten.code, forgotten.err]).toEqual([
    1,
    expect.stringContaining(`Done: stopped the service; removed ${it.file}.`),
  ])
})

test('a step that fails is a sentence: what was done, what was not, how to undo it of launchd', async () => {
  await using it = world('darwin')
  it.failAt('enable')
  const { code, err } = await it.install()
  expect([code, err]).toEqual([1, expect.stringContaining('launchd could not enable the agent')])
  expect(err).toContain('Not done: launchctl bootstrap')
})

test('a step that fails is a sentence: what was done, what was not, how to undo it of the Task Scheduler', async () => {
  await using it = world('win32')
  it.failAt('Create')
  const { code, err } = await it.install()
  expect([code, err]).toEqual([1, expect.stringContaining('could not register the task')])
  expect(err).toContain('Not done: schtasks /Run')
})

test('a server that does not become ready is said, with what it wrote', async () => {
  await using it = world()
  const { code, err } = await it.run(
    ['install', '--', '--port', `${it.port}`, '--host', '192.0.2.1'],
    {
      readyMs: 2_000,
    },
  )
  expect([code, err]).toEqual([1, expect.stringContaining('not ready after')])
  expect(err).toContain('It wrote last:')
  expect(err).toContain('beckon service uninstall removes it again')
})

test('a file that was changed by hand stays, and is kept when it is replaced', async () => {
  await using it = world()
  expect((await it.install()).code).toBe(0)
  const changed = readFileSync(it.file, 'utf8').replace('UMask', 'Nice=5\nUMask')
  writeFileSync(it.file, changed)
  const refused = await it.install()
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('changed by hand')])
  expect(readFileSync(it.file, 'utf8')).toBe(changed)
  expect((await it.install(['--force'])).code).toBe(0)
  expect(isOurs(systemd, readFileSync(it.file, 'utf8'))).toBe(true)
  expect(readFileSync(`${it.file}.before`, 'utf8')).toBe(changed)
})

test('the service of a package is not covered up', async () => {
  await using it = world()
  const packaged = join(it.folder, 'beckon.service')
  writeFileSync(packaged, '[Service]\nExecStart=/usr/bin/beckon serve --data /var/lib/beckon\n')
  writeFileSync(join(it.folder, 'unit'), packaged)
  for (const [way, sentence] of [
    ['install', 'A package has installed the service'],
    ['uninstall', 'remove the package'],
  ] as const) {
    const { code, err } = await it.run(
      [way, '--data', '/var/lib/beckon'].slice(0, way === 'install' ? 3 : 1),
    )
    expect([way, code, err]).toEqual([way, 1, expect.stringContaining(sentence)])
  }
  expect(existsSync(it.file)).toBe(false)
})

test('--dry-run shows the file and the commands and changes nothing', async () => {
  await using it = world()
  const { code, out } = await it.install(['--dry-run'])
  expect(code).toBe(0)
  expect(out).toContain('ExecStart=')
  expect(out).toContain('systemctl --user enable --now beckon.service')
  expect(existsSync(dirname(it.file))).toBe(false)
  expect(it.calls().filter((call) => /reload|enable/.test(call))).toEqual([])
})

const WRONG: Array<[args: string[], code: number, said: string]> = [
  [['--', '--port', 'many'], 2, '--port must be a port number'],
  [['--', '--base-url', 'x'], 2, '--base-url must be an http or https address'],
  [['--', '--prot', '1'], 2, 'Unknown option "--prot"'],
  [['--', 'extra'], 2, '"extra" is one argument too many'],
  [['--', '--watch', 'x'], 2, '--watch is nothing that a service runs with'],
  [['--', '--check'], 2, '--check is nothing that a service runs with'],
  [['--', '--data', 'x'], 2, '--data stands before --'],
  [['--', '--port', '0'], 2, '--port 0'],
  [['--data', 'two\nlines'], 2, 'control character'],
  [['--system'], 1, 'Only root may change services of the whole machine'],
]
test.each(WRONG)(
  'what cannot be is said before anything is written: %p',
  async (args, code, sentence) => {
    await using it = world()
    const ran = await it.run(['install', ...args])
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(sentence)])
    expect(ran.err.trim().split('\n')).toHaveLength(1)
    expect([existsSync(it.file), it.calls().some((call) => /reload/.test(call))]).toEqual([
      false,
      false,
    ])
  },
)

const WHERE: Array<[what: string, machine: object, args: string[], said: string]> = [
  ['another system', { platform: 'freebsd' }, [], 'let what starts other programs here'],
  [
    'launchd for root',
    { platform: 'darwin', uid: 0 },
    [],
    'run beckon service install as that user',
  ],
  ['Windows for all', { platform: 'win32' }, ['--system'], 'without --system'],
  ['no systemctl', { env: { PATH: '/nowhere' } }, [], 'This machine does not run systemd'],
]
test.each(WHERE)(
  'where it cannot be installed, what to do instead: %s',
  async (_, machine, args, sentence) => {
    await using it = world()
    const ran = await it.run(['install', ...args], machine)
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(sentence)])
    expect(ran.err.trim().split('\n')).toHaveLength(1)
  },
)

const UNREACHABLE: Array<[platform: NodeJS.Platform, tool: string, says: string, said: string]> = [
  ['linux', 'systemctl', 'offline', 'This machine does not run systemd'],
  ['linux', 'systemctl', '', 'cannot be reached'],
]
test.each(UNREACHABLE)('%s: %s that says %p', async (platform, tool, says, sentence) => {
  await using it = world(platform)
  it.say(tool, says)
  const ran = await it.install()
  expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(sentence)])
})

test('the service of the whole machine: below /var/lib, and nothing that it cannot see', async () => {
  await using it = world()
  const root = { uid: 0, user: 'root' }
  const home = await it.run(['install', '--dry-run', '--data', '/srv/beckon'], root)
  expect([home.code, home.err]).toEqual([1, expect.stringContaining('is below /var/lib/')])
})

test('data of the folder one stands in is taken on, where there is no other', async () => {
  await using it = world()
  const data = join(it.home, 'data')
  await beckon(['key', 'create', '--name', 'a', '--data', data])
  const taken = await it.install(['--dry-run'])
  expect(taken.err).toContain(`The data folder is ${data}`)
  const usual = join(it.home, '.local/share/beckon')
  await beckon(['key', 'create', '--name', 'a', '--data', usual])
  const both = await it.install(['--dry-run'])
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('name one of them')])
  expect((await it.install(['--dry-run', '--data', 'data'])).out).toContain(data)
  const result = await it.install(['--dry-run'], { env: { BECKON_DATA: usual } })
  expect(result.out).toContain(usual)
})

test('settings of the shell that the service will not see are named', async () => {
  await using it = world()
  const env = { BECKON_BASE_URL: 'https://b.example.com', BECKON_TOKEN: 'bk_x' }
  const { err } = await it.install(['--dry-run'], { env })
  expect(err).toContain('does not see BECKON_BASE_URL of this shell')
})

test('the settings file of the service says where the server listens', async () => {
  await using it = world()
  const settings = join(it.home, '.config/beckon/beckon.env')
  mkdirSync(dirname(settings), { recursive: true })
  writeFileSync(settings, '# a comment\nBECKON_BASE_URL="https://c.example.com"\n')
  const { err } = await it.run(['install', '--dry-run', '--', '--port', '0'])
  expect(err).toContain('--port 0')
  writeFileSync(settings, 'BECKON_PORTT=1\n')
  const wrong = await it.install(['--dry-run'])
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('BECKON_PORTT')])
})

test('a server that was started by hand is not raced for its folder or its port', async () => {
  await using it = world()
  const data = join(it.folder, 'data')
  await using server = await serverProcess(data)
  const folder = await it.run(['install', '--data', data, '--', '--port', `${freePort()}`])
  expect([folder.code, folder.err]).toEqual([1, expect.stringContaining('uses')])
  const port = await it.run(['install', '--', '--port', `${server.port}`])
  expect([port.code, port.err]).toEqual([1, expect.stringContaining('Another program answers')])
  expect(existsSync(it.file)).toBe(false)
})

const REPLACED: Array<[data: string, found: string]> = [
  ['/data/%TEMP%/x', '%TEMP%'],
  ['/data/$(Arg0)', '$(Arg0'],
]
test.each(REPLACED)(
  'the Task Scheduler is given nothing that it would replace: %p',
  async (data, message) => {
    await using it = world('win32')
    const { code, err } = await it.install(['--data', data])
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
    expect(it.calls().some((call) => call.includes('/Create'))).toBe(false)
  },
)

test('a database that only the shell knows is no service, and nothing is written', async () => {
  await using it = world()
  const secret = 's3cr3t-PW'
  const env = { BECKON_DATABASE_URL: `postgres://beckon:${secret}@127.0.0.1:1/beckon` }
  for (const more of [[], ['--dry-run']]) {
    const { code, out, err } = await it.install(more, { env })
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('would begin a Beckon of its own in')
    expect(err).toContain(join(it.home, '.config/beckon/beckon.env'))
    expect(err).not.toContain(secret)
  }
  expect([existsSync(it.file), it.calls().some((call) => call.includes('enable'))]).toEqual([
    false,
    false,
  ])
})

test('a database that cannot be used is told before a service is made', async () => {
  await using it = world()
  const settings = join(it.home, '.config/beckon/beckon.env')
  mkdirSync(dirname(settings), { recursive: true })
  const url = 'postgres://beckon:s3cr3t-PW@127.0.0.1:1/beckon'
  writeFileSync(settings, `BECKON_DATABASE_URL=${url}\n`, { mode: 0o600 })
  const { code, out, err } = await it.install()
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('PostgreSQL at 127.0.0.1:1/beckon cannot be reached')
  expect(err).toContain('No service was installed')
  expect([err.includes('s3cr3t'), existsSync(it.file)]).toEqual([false, false])
})

test('settings that cannot be read are named, and the rest of the status stays', async () => {
  await using it = world()
  mkdirSync(dirname(it.file), { recursive: true })
  writeFileSync(it.file, systemd.render({ ...facts(it.folder), options: [] }))
  const settings = join(it.home, '.config/beckon/beckon.env')
  // Root reads any file, so that what nobody reads stands for one that is closed.
  mkdirSync(settings, { recursive: true })
  const status = await it.run(['status'])
  expect([status.code, status.out]).toEqual([1, expect.stringContaining('Running   no')])
  expect(status.out).toContain(`${settings} has the settings of the service and cannot be read`)
  const json = JSON.parse((await it.run(['status', '--json'])).out)
  expect(json).toMatchObject({ ready: false, address: null, reason: expect.any(String) })
  expect((await it.run(['uninstall'])).code).toBe(0)
})

function facts(folder: string) {
  const { machine } = standInMachine(folder, 'linux')
  const place = systemd.place(machine, 'user')
  return { place, program: machine.program(), dataFolder: join(folder, 'data'), user: 'ada' }
}
