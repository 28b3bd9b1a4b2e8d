import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { systemd } from '../../src/cli/service/systemd.ts'
import { VERSION } from '../../src/platform/program.ts'
import { freePort } from '../support/free-port.ts'
import { releaseKey } from '../support/release-key.ts'
import { type ReleaseSpec, releasedProgram, releaseServer } from '../support/release-server.ts'
import { runCommand } from '../support/run-command.ts'
import { standInMachine } from '../support/service-stand-in.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const key = releaseKey()
const built = tempFolder()
const released = join(built.path, 'beckon')
const next = join(built.path, 'next')
const server = await releaseServer(key.secret)

beforeAll(async () => {
  const about = { publicKey: key.publicKey, url: server.url }
  await releasedProgram(released, about)
  await releasedProgram(next, { ...about, version: '99.0.0' })
})

afterAll(async () => {
  built[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
})

/** An installed program with data that has one token in it. */
async function installed(data = true) {
  const folder = tempFolder()
  // The commands that an update prints must also work here.
  const bin = join(folder.path, 'my bin')
  mkdirSync(bin)
  const program = join(bin, 'beckon')
  copyFileSync(released, program)
  const at = { folder: folder.path, program, bin, data: join(folder.path, 'my data') }
  if (data) await ran(at, ['key', 'create', '--name', 'kept'])
  return { ...at, [Symbol.dispose]: folder[Symbol.dispose] }
}

type Installed = Awaited<ReturnType<typeof installed>>

async function ran(
  { program, folder, data }: Omit<Installed, typeof Symbol.dispose>,
  args: string[],
  more: Record<string, string> = {},
) {
  return await runCommand([program, ...args], {
    cwd: folder,
    env: { HOME: folder, PATH: '/usr/bin:/bin', BECKON_DATA: data, ...more },
  })
}

/** That an update was refused for a reason, and that nothing is other than before. */
async function refused(offer: ReleaseSpec, reason: string | RegExp, code = 1) {
  using at = await installed()
  const before = { program: statSync(at.program).ino, data: readdirSync(at.data) }
  await server.offer(offer)
  const { err, ...result } = await ran(at, ['update', '--yes'])
  expect(err).toMatch(reason)
  expect(result).toEqual({ code, out: '' })
  expect({ program: statSync(at.program).ino, data: readdirSync(at.data) }).toEqual(before)
  expect(readdirSync(at.bin)).toEqual(['beckon'])
  expect((await ran(at, ['--version'])).out).toBe(`beckon ${VERSION}\n`)
}

test('a newer release takes the place of the program, and the way back works', async () => {
  using at = await installed()
  await server.offer({ version: '99.0.0' })
  const { code, out, err } = await ran(at, ['update', '--yes'])
  expect([code, out]).toEqual([0, `beckon 99.0.0 is installed at ${at.program}.\n`])
  expect((await ran(at, ['--version'])).out).toBe('beckon 99.0.0\n')
  const [backup = ''] = readdirSync(at.data).filter((name) => name.includes('before-99.0.0'))
  using copy = new Database(join(at.data, backup), { readonly: true })
  expect(copy.query('select name from agent_tokens').all()).toEqual([{ name: 'kept' }])

  const commands = err.split('\n').filter((line) => line.startsWith('  '))
  const back = Bun.spawnSync(['sh', '-ec', commands.join('\n')])
  expect([back.stderr.toString(), back.exitCode]).toEqual([expect.stringContaining('kept as'), 0])
  expect((await ran(at, ['--version'])).out).toBe(`beckon ${VERSION}\n`)
  expect((await ran(at, ['key', 'list'])).out).toContain('kept')
})

test('a service that runs the program is restarted with the new one, on its own data', async () => {
  using at = await installed(false)
  await using stand = standInMachine(at.folder, 'linux')
  const { machine } = stand
  const place = { ...systemd.place(machine, 'user'), dataFolder: at.data }
  const port = freePort()
  const options = ['--port', String(port)]
  const unit = systemd.render({
    place,
    program: [at.program],
    options,
    dataFolder: at.data,
    user: 'ada',
  })
  mkdirSync(dirname(place.file), { recursive: true })
  writeFileSync(place.file, unit)
  await machine.run(['systemctl', '--user', 'enable', '--now', 'beckon.service'])
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok
  await until(async () => (await ready()) === true)

  await server.offer({ version: '99.0.0', program: await Bun.file(next).bytes() })
  const { PATH = '' } = machine.env
  const env = { PATH, HOME: machine.home }
  const { code, err } = await ran(at, ['update', '--yes'], env)
  expect([code, err]).toEqual([0, expect.stringContaining('The new version runs and is ready.')])
  expect(stand.calls()).toContain('systemctl --user restart beckon.service')
  expect(stand.log()).toContain('Beckon 99.0.0 listens on')
  expect(await ready()).toBe(true)
  expect(readdirSync(at.data).filter((name) => name.includes('before-99.0.0'))).toHaveLength(1)
})

test('a check says whether there is a newer release, to people and to programs', async () => {
  using at = await installed(false)
  const json = async () => {
    const { code, out } = await ran(at, ['update', '--check', '--json'])
    return { code, ...JSON.parse(out) }
  }
  await server.offer({ version: VERSION })
  expect(await json()).toEqual({ code: 0, current: VERSION, newest: VERSION, update: false })
  expect((await ran(at, ['update', '--yes'])).code).toBe(0)
  await server.offer({ version: '99.0.0-rc.1' })
  expect(await json()).toEqual({ code: 1, current: VERSION, newest: '99.0.0-rc.1', update: true })
  expect((await ran(at, ['update', '--check'])).out).toContain('99.0.0-rc.1 is out')
  expect(existsSync(at.data)).toBe(false)
})

test('an older release is not installed', async () => {
  using at = await installed(false)
  await server.offer({ version: '0.0.1' })
  expect(await ran(at, ['update', '--yes'])).toMatchObject({ code: 0 })
  expect((await ran(at, ['--version'])).out).toBe(`beckon ${VERSION}\n`)
})

test('nothing is used that our key has not signed', async () => {
  const version = '99.0.0'
  await refused({ version, signedBy: releaseKey().secret }, 'not signed with the key')
  await refused({ version, list: `${'0'.repeat(64)}  beckon\n` }, 'not signed with the key')
  const body = new Uint8Array(100)
  await refused({ version, archive: { body } }, 'another checksum')
})

test('a channel that is away, or breaks off, changes nothing', async () => {
  const cut = { body: new Uint8Array(1000), length: 5000 }
  await refused({ version: '99.0.0', archive: cut }, 'Nothing was changed', 5)
  using at = await installed(false)
  const away = await ran(at, ['update', '--check', '--from', 'http://127.0.0.1:1'])
  expect(away).toMatchObject({ code: 5, out: '' })
})

test('a program that does not run here, or says another version, is thrown away', async () => {
  await refused({ version: '99.0.0', script: 'echo and more' }, 'does not run on this system')
})

test('a version that cannot serve the data is not installed', async () => {
  const script = '[ "$1" = serve ] && { echo "it cannot" >&2; exit 1; }; true'
  await refused({ version: '99.0.0', script }, /cannot serve the data in .*: it cannot/)
})

test('a program that was replaced meanwhile is left alone', async () => {
  using at = await installed()
  await server.offer({
    version: '99.0.0',
    script: `[ "$1" = serve ] && cp '${at.program}' '${at.program}.x' && mv '${at.program}.x' '${at.program}'; true`,
  })
  expect((await ran(at, ['update', '--yes'])).err).toContain('was replaced meanwhile')
  expect((await ran(at, ['--version'])).out).toBe(`beckon ${VERSION}\n`)
})

test.skipIf(!CAN_MOUNT)('a full disk is said in a sentence, and nothing is changed', async () => {
  using at = await installed()
  const size = Math.ceil(statSync(released).size / 2 ** 20)
  const other = join(at.folder, 'small')
  mkdirSync(other)
  using _disk = smallDisk(other, size + 1)
  const program = join(other, 'beckon')
  copyFileSync(released, program)
  await server.offer({ version: '99.0.0', script: `# ${'x'.repeat(3 * 2 ** 20)}` })
  const { code, err } = await ran({ ...at, program }, ['update', '--yes'])
  expect([code, err]).toEqual([1, expect.stringContaining('(ENOSPC); nothing was changed')])
  expect(readdirSync(other)).toEqual(['beckon'])
})

test('what npm installed is told how npm updates it', async () => {
  using at = await installed(false)
  const folder = join(at.folder, 'node_modules/beckon')
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'beckon')
  copyFileSync(released, program)
  await server.offer({ version: '99.0.0' })
  const { code, err } = await ran({ ...at, program }, ['update', '--yes'])
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('run npm install -g @beckon/beckon@99.0.0'),
  ])
})

test('nobody is there to agree: nothing happens without --yes', async () => {
  using at = await installed(false)
  await server.offer({ version: '99.0.0' })
  expect(await ran(at, ['update'])).toMatchObject({ code: 2 })
  expect(readFileSync(at.program).equals(readFileSync(released))).toBe(true)
})

test('an update that is interrupted leaves nothing beside the program or in the data', async () => {
  using at = await installed()
  const before = readdirSync(at.data)
  // The new program takes long to show that it can serve the data.
  await server.offer({ version: '99.0.0', script: '[ "$1" = serve ] && exec sleep 20; true' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const child = Bun.spawn([at.program, 'update', '--yes'], {
      cwd: at.folder,
      env: { HOME: at.folder, PATH: '/usr/bin:/bin', BECKON_DATA: at.data },
      stderr: 'pipe',
    })
    const reader = child.stderr.getReader()
    for (let output = ''; !output.includes('Trying'); ) {
      const { value, done } = await reader.read()
      if (done) throw new Error(output)
      output += new TextDecoder().decode(value)
    }
    expect(readdirSync(at.bin)).toHaveLength(2)
    child.kill(signal)
    await child.exited
    expect(readdirSync(at.bin)).toEqual(['beckon'])
    expect(readdirSync(at.data)).toEqual(before)
  }
})

test.skipIf(!CAN_MOUNT)(
  'a program that cannot be replaced stays, and a sentence says so',
  async () => {
    using at = await installed()
    // As a container that mounts the file.
    const mounted = Bun.spawnSync(['mount', '--bind', at.program, at.program])
    expect(mounted.success).toBe(true)
    try {
      await server.offer({ version: '99.0.0' })
      const { code, err } = await ran(at, ['update', '--yes'])
      expect(code).toBe(1)
      expect(err).toContain(`${at.program} cannot be replaced (EBUSY), so the old program stays.`)
      expect(err).not.toContain('bug')
      expect((await ran(at, ['--version'])).out).toBe(`beckon ${VERSION}\n`)
    } finally {
      Bun.spawnSync(['umount', at.program])
    }
  },
)

test('a channel that cannot be reached is told in our words', async () => {
  using at = await installed(false)
  const { code, err } = await ran(at, ['update', '--check', '--from', 'http://127.0.0.1:9'])
  expect(code).toBe(5)
  expect(err).toMatch(/could not be read: \w+\. Nothing was changed\.\n$/)
})
