import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { type InstallRequest, setupPlace } from '../../../src/agent/client-files/client-setup.ts'
import { loadSetupClients, type SetupClient } from '../../../src/agent/clients/clients.ts'
import { holdsOurToken } from '../../../src/agent/setup/copies.ts'
import type { Ledger } from '../../../src/agent/setup/ledger.ts'
import { carryOut, planClient } from '../../../src/agent/setup/plan.ts'
import { planText } from '../../../src/agent/setup/report.ts'
import { CLIENT_FILES } from './client-files.ts'
import { type ScratchHome, setupWorld } from './setup-world.ts'

const SETUP_CLIENTS = await loadSetupClients()

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const TOKEN = `bk_${'a1B2c3D4'.repeat(5)}`
/** What belongs to somebody else stays, whatever it looks like. */
const THEIRS = `bk_${'z9Y8x7W6'.repeat(5)}`

function wishFor(home: ScratchHome, more: Partial<InstallRequest> = {}): InstallRequest {
  const place = {
    ...setupPlace({ HOME: home.path, PATH: '' }, undefined),
    platform: 'linux' as const,
  }
  const program = { command: '/opt/beckon', args: [] }
  const server = { url: 'https://beckon.example.com/api/mcp/mcp', token: TOKEN }
  return { place, program, ...server, http: false, strict: false, nativeDeny: false, ...more }
}

/** The files of a client as people have them, closed to others. */
function furnish(home: ScratchHome, name: string): void {
  for (const [path, text] of Object.entries(CLIENT_FILES[name] ?? {})) {
    chmodSync(home.put(path, text), 0o600)
  }
}

/** Every file below the home in which a token stands. */
const holding = (home: ScratchHome, token: string) =>
  Object.entries(home.files()).flatMap(([path, text]) => (text.includes(token) ? [path] : []))
const own = (home: ScratchHome, client: SetupClient, http: boolean) =>
  planClient(client, wishFor(home, { http }), 'write', {})

describe.each(SETUP_CLIENTS.map((client) => [client.name, client] as const))(
  'a token in the files of %s',
  (name, client) => {
    test('goes out with the next setup, and undo leads back to what was there', () => {
      using home = world.home()
      furnish(home, name)
      const before = home.files()
      const ledger: Ledger = {}
      carryOut(own(home, client, true), 'write', ledger)
      // Goose keeps its servers in a file that setup does not write.
      expect(holding(home, TOKEN).length).toBe(name === 'goose' ? 0 : 1)
      const plan = planClient(client, wishFor(home), 'write', ledger)
      const voice = { place: wishFor(home).place, colours: false, secrets: [] }
      if (name !== 'goose') expect(planText([plan], 'write', voice)).toContain('the token is taken')
      carryOut(plan, 'write', ledger)
      expect(holding(home, TOKEN)).toEqual([])
      carryOut(planClient(client, wishFor(home), 'undo', ledger), 'undo', ledger)
      expect(home.files()).toEqual(before)
      expect(ledger).toEqual({})
    })

    test('goes out of the copies too, where nobody remembers who wrote it', () => {
      using home = world.home()
      furnish(home, name)
      carryOut(own(home, client, true), 'write', {})
      const ledger: Ledger = {}
      // An older copy of the time when the token was there.
      const [file] = holding(home, TOKEN)
      if (file !== undefined) home.put(`${file}.beckon-backup-7`, home.read(file))
      carryOut(planClient(client, wishFor(home), 'write', ledger), 'write', ledger)
      expect(holding(home, TOKEN)).toEqual([])
      if (file !== undefined) expect(home.read(file)).toContain('"mcp"')
      carryOut(planClient(client, wishFor(home), 'undo', ledger), 'undo', ledger)
      const left = Object.keys(home.files()).filter((path) => path.includes('.beckon-backup'))
      const unchanged = Object.keys(home.files()).filter((path) =>
        home.read(path).includes('/opt/beckon'),
      )
      expect([left, unchanged]).toEqual([[], []])
    })
  },
)

test('a file that is as it should be, with a copy that holds the token, is offered the change', () => {
  using home = world.home()
  furnish(home, 'gemini')
  const gemini = SETUP_CLIENTS.find((one) => one.name === 'gemini') as SetupClient
  carryOut(own(home, gemini, true), 'write', {})
  const held = home.read('.gemini/settings.json')
  const ledger: Ledger = {}
  carryOut(own(home, gemini, false), 'write', ledger)
  const now = home.read('.gemini/settings.json')
  home.put('.gemini/settings.json.beckon-backup', held)
  const plan = planClient(gemini, wishFor(home), 'write', ledger)
  expect(plan.outcomes).toMatchObject([{ is: 'to_do', change: { tokenOut: false } }])
  carryOut(plan, 'write', ledger)
  expect([holding(home, TOKEN), home.read('.gemini/settings.json')]).toEqual([[], now])
})

test('what looks like a token and is not in our entries stays', () => {
  using home = world.home()
  const theirs = { env: { MY_TOKEN: THEIRS }, mcpServers: { other: { headers: { A: THEIRS } } } }
  chmodSync(home.put('.gemini/settings.json', JSON.stringify(theirs)), 0o600)
  const gemini = SETUP_CLIENTS.find((one) => one.name === 'gemini') as SetupClient
  const [file] = gemini.files(wishFor(home))
  expect(file && holdsOurToken(home.read('.gemini/settings.json'), file)).toBe(false)
  carryOut(own(home, gemini, true), 'write', {})
  expect(file && holdsOurToken(home.read('.gemini/settings.json'), file)).toBe(true)
  carryOut(own(home, gemini, false), 'write', {})
  expect(JSON.parse(home.read('.gemini/settings.json'))).toMatchObject(theirs)
  expect(holding(home, TOKEN)).toEqual([])
})

test('a token in the file of another way of writing it goes out as well', () => {
  using home = world.home()
  const codex = SETUP_CLIENTS.find((one) => one.name === 'codex') as SetupClient
  const server = [
    'model = "x"\r\n\r\n[mcp_servers.beckon]\r\nurl = "https://b.example/api/mcp/mcp"\r\n',
    `\r\n[mcp_servers.beckon.http_headers]\r\nAuthorization = "Bearer ${TOKEN}"\r\n`,
    `X-Windows-Path = 'D:\\tools\\beckon'\r\n`,
  ]
  chmodSync(home.put('.codex/config.toml', server.join('')), 0o600)
  const opencode = SETUP_CLIENTS.find((one) => one.name === 'opencode') as SetupClient
  const remote = { type: 'remote', headers: { authorization: `bearer ${TOKEN}` } }
  home.put(
    '.config/opencode/opencode.json',
    JSON.stringify({ mcp: { beckon: remote }, theme: 'x' }),
  )
  home.put('.config/opencode/opencode.jsonc', '{\n  // mine\n  "model": "m",\n}\n')
  const ledger: Ledger = {}
  for (const client of [codex, opencode]) carryOut(own(home, client, false), 'write', ledger)
  expect(holding(home, TOKEN)).toEqual([])
  expect(home.read('.codex/config.toml')).toContain('command = "/opt/beckon"')
  expect(JSON.parse(home.read('.config/opencode/opencode.json'))).toEqual({ mcp: {}, theme: 'x' })
  expect(home.read('.config/opencode/opencode.jsonc')).toContain('// mine')
  expect(home.read('.config/opencode/opencode.jsonc')).toContain(
    '["/opt/beckon", "mcp", "--hold", "600"]',
  )
})

test('through a link into a dotfile: --check names it, setup takes it out, undo of the last takes all', async () => {
  using home = world.home()
  const dotfile = home.put('dotfiles/opencode.jsonc', '{\n  // theme\n  "theme": "x",\n}\n')
  chmodSync(dotfile, 0o600)
  mkdirSync(join(home.path, '.config/opencode'), { recursive: true })
  symlinkSync(dotfile, join(home.path, '.config/opencode/opencode.jsonc'))
  const before = home.files()
  await home.setup(['opencode', 'zed', '--http'])
  chmodSync(dotfile, 0o644)
  expect(holding(home, world.token)).toContain('dotfiles/opencode.jsonc')
  const checked = await home.setup(['--check'])
  expect(checked.code).toBe(1)
  expect(checked.out).toContain(
    'opencode.jsonc: contains the server’s token; run beckon setup opencode',
  )
  expect(checked.out).not.toContain(world.token)
  const planned = await home.setup(['opencode', '--dry-run'])
  expect(planned.err).toContain(
    'will be changed: the token is taken out of it; the client starts "beckon mcp"',
  )
  expect(planned.out + planned.err).not.toContain(world.token)
  expect((await home.setup(['opencode', 'zed'])).code).toBe(0)
  expect(holding(home, world.token)).toEqual(['.config/beckon/client.json'])
  expect(statSync(dotfile).mode & 0o777).toBe(0o644)
  expect((await home.setup(['--check'])).code).toBe(0)

  await home.setup(['zed', '--undo'])
  expect(existsSync(join(home.path, '.config/beckon/client.json'))).toBe(true)
  const last = await home.setup(['opencode', '--undo'])
  expect([last.code, last.out]).toEqual([0, expect.stringContaining('client.json is removed')])
  chmodSync(dotfile, 0o600)
  expect(home.files()).toEqual(before)
  expect(readdirSync(join(home.path, '.config'))).not.toContain('beckon')
})

test('undo of the last client removes every copy, also of a file that changed since', async () => {
  using home = world.home()
  home.put('.config/zed/settings.json', '{\n  "theme": "x"\n}\n')
  await home.setup(['zed'])
  home.put(
    '.config/zed/settings.json',
    home.read('.config/zed/settings.json').replace('"x"', '"y"'),
  )
  // Somebody's own, whose name only begins like one of ours.
  home.put('.config/zed/settings.json.beckon-backup-mine', 'mine')
  const undone = await home.setup(['zed', '--undo'])
  expect([undone.code, undone.out]).toEqual([0, expect.stringContaining('only our entries')])
  const left = Object.keys(home.files())
  expect(left).toEqual([
    '.config/zed/settings.json',
    '.config/zed/settings.json.beckon-backup-mine',
  ])
  expect(readFileSync(join(home.path, '.config/zed/settings.json'), 'utf8')).toBe(
    '{\n  "theme": "y"\n}\n',
  )
})

test('a project that is still set up keeps the address and the token', async () => {
  using home = world.home()
  await home.setup(['claude', '--project'])
  await home.setup(['zed'])
  await home.setup(['zed', '--undo'])
  expect(existsSync(join(home.path, '.config/beckon/client.json'))).toBe(true)
  rmSync(join(home.path, '.mcp.json'))
  rmSync(join(home.path, '.claude'), { recursive: true })
  await home.setup(['zed'])
  await home.setup(['zed', '--undo'])
  expect(existsSync(join(home.path, '.config/beckon/client.json'))).toBe(false)
})

test('undo of a client that was never set up, and a plugin that is still there, leave the token', async () => {
  using home = world.home()
  const hasSettings = () => existsSync(join(home.path, '.config/beckon/client.json'))
  await home.setup(['claude', '--plugin', 'plug'])
  await home.setup(['zed', '--undo'])
  expect(hasSettings()).toBe(true)
  await home.setup(['zed'])
  await home.setup(['zed', '--undo'])
  expect(hasSettings()).toBe(true)
  rmSync(join(home.path, 'plug'), { recursive: true })
  await home.setup(['zed'])
  await home.setup(['zed', '--undo'])
  expect(hasSettings()).toBe(false)
})

test('--http writes no token into a file that others may read', async () => {
  using home = world.home()
  chmodSync(home.put('.config/zed/settings.json', '{}'), 0o644)
  const { code, out } = await home.setup(['zed', '--http'])
  expect([code, out]).toEqual([1, expect.stringContaining('others can read it (0644)')])
  expect(home.read('.config/zed/settings.json')).toBe('{}')
  chmodSync(join(home.path, '.config/zed/settings.json'), 0o600)
  expect((await home.setup(['zed', '--http'])).code).toBe(0)
  expect(home.read('.config/zed/settings.json')).toContain(world.token)
})

test('--check right after --http is content, unless others may read the file', async () => {
  using home = world.home()
  await home.setup(['codex', 'claude', '--http'])
  const checked = await home.setup(['--check'])
  expect([checked.code, checked.out]).toEqual([0, expect.not.stringContaining('✗')])
  chmodSync(join(home.path, '.codex/config.toml'), 0o644)
  expect((await home.setup(['--check'])).code).toBe(1)
})
