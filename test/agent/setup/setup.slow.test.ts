import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../../support/program.ts'
import { setupWorld } from './setup-world.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const SETTINGS = `{
  // mine
  "model": "opus", // keep
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "/usr/bin/guard" }] }
    ]
  }
}
`
const CONFIG = 'model = "x" # keep\n\n[projects."/x"]\ntrust_level = "trusted"\n'
const STATE = '{"numStartups":3,"mcpServers":{"other":{"command":"x"}}}'

/** Over HTTP the token stands in these, and nobody else may read them. */
function closed(home: { path: string }) {
  for (const file of ['.claude.json', '.codex/config.toml']) chmodSync(join(home.path, file), 0o600)
}

function furnished() {
  const home = world.home()
  home.put('.claude/settings.json', SETTINGS)
  home.put('.claude.json', STATE)
  home.put('.codex/config.toml', CONFIG)
  return home
}

test('setup writes what the clients need, and undo leaves not one byte behind', async () => {
  using home = furnished()
  const before = home.files()
  const done = await home.setup(['claude', 'codex'])
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('takes the token')])

  const settings = home.read('.claude/settings.json')
  expect(settings).toContain('// keep')
  expect(settings).toContain('"mcp__beckon__*"')
  const state = JSON.parse(home.read('.claude.json'))
  expect(state).toMatchObject({ numStartups: 3, mcpServers: { other: { command: 'x' } } })
  expect(state.mcpServers.beckon).toMatchObject({ type: 'stdio', command: PROGRAM[0] })
  expect(state.mcpServers.beckon.args.slice(-3)).toEqual(['mcp', '--hold', '600'])
  const config = home.read('.codex/config.toml')
  expect(config.startsWith(CONFIG)).toBe(true)
  expect(Bun.TOML.parse(config)).toMatchObject({
    mcp_servers: { beckon: { tool_timeout_sec: 660, default_tools_approval_mode: 'approve' } },
    hooks: { PreToolUse: [{ matcher: '.*', hooks: [{ type: 'command', timeout: 600 }] }] },
  })
  const file = JSON.parse(home.read('.config/beckon/client.json'))
  expect(file).toMatchObject({ url: world.url, token: world.token })
  expect(file.machineId).toMatch(/^m_.{8,}/)
  expect(statSync(join(home.path, '.config/beckon/client.json')).mode & 0o777).toBe(0o600)
  expect(home.read('.claude/settings.json.beckon-backup')).toBe(SETTINGS)

  const undone = await home.setup(['--undo', '--yes'])
  expect([undone.code, undone.out]).toEqual([0, expect.stringContaining('byte for byte')])
  expect(home.files()).toEqual(before)
})

test('twice is once', async () => {
  using home = furnished()
  await home.setup(['claude', 'codex'])
  const once = home.files()
  const again = await home.setup(['claude', 'codex'])
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('is as it should be')])
  expect(home.files()).toEqual(once)
})

test('a dry run shows the difference without the token, and changes nothing', async () => {
  using home = furnished()
  closed(home)
  const before = home.files()
  const { code, out } = await home.setup(['claude', 'codex', '--http', '--dry-run'])
  expect(code).toBe(0)
  expect(out).toContain('+++ ~/.claude/settings.json')
  expect(out).toContain('+[mcp_servers.beckon]')
  expect(out).toContain(`bk_…${world.token.slice(-4)}`)
  expect(out).not.toContain(world.token)
  expect(home.files()).toEqual(before)
})

test('--http writes the address, the header and enough time', async () => {
  using home = furnished()
  closed(home)
  await home.setup(['claude', 'codex', '--http'])
  const { beckon } = JSON.parse(home.read('.claude.json')).mcpServers
  const url = `${world.url}/api/mcp/mcp`
  const headers = { Authorization: `Bearer ${world.token}`, 'X-Beckon-Hold': '600' }
  expect(beckon).toEqual({ type: 'http', url, headers, timeout: 660_000 })
  expect(Bun.TOML.parse(home.read('.codex/config.toml'))).toMatchObject({
    mcp_servers: { beckon: { url, http_headers: headers, tool_timeout_sec: 660 } },
  })
  // From the one to the other is a change of our own entry, and of nothing else.
  await home.setup(['claude', 'codex'])
  expect(home.read('.claude.json')).not.toContain(world.token)
  expect(home.read('.codex/config.toml')).not.toContain(world.token)
  await home.setup(['--undo', '--yes'])
  expect(home.read('.claude.json')).toBe(STATE)
})

test('what changed since setup stays when ours goes', async () => {
  using home = furnished()
  await home.setup(['claude', 'codex'])
  const theirs = home.read('.claude/settings.json').replace('"opus"', '"sonnet"')
  home.put('.claude/settings.json', theirs)
  home.put('.codex/config.toml', `${home.read('.codex/config.toml')}\n[tui]\ntheme = "dark"\n`)
  const { out, code } = await home.setup(['--undo', '--yes'])
  expect([code, out]).toEqual([0, expect.stringContaining('only our entries were removed')])
  expect(home.read('.claude/settings.json')).toBe(SETTINGS.replace('"opus"', '"sonnet"'))
  expect(home.read('.codex/config.toml')).toBe(`${CONFIG}\n[tui]\ntheme = "dark"\n`)
})

test('a file that is made by setup and then used by the client is not removed', async () => {
  using home = world.home()
  await home.setup(['claude'])
  const state = JSON.parse(home.read('.claude.json'))
  home.put('.claude.json', JSON.stringify({ ...state, numStartups: 1 }))
  await home.setup(['claude'])
  await home.setup(['claude', '--undo'])
  expect(JSON.parse(home.read('.claude.json'))).toEqual({ numStartups: 1 })
})

test('the line is named too where a client reads strict JSON alone', async () => {
  using home = furnished()
  home.put('.gemini/config/hooks.json', '{\n  "a": 1,\n  "b": [1\n}\n')
  home.put('.gemini/config/mcp_config.json', '{\n  // mine\n  "a": 1\n}\n')
  const { code, out } = await home.setup(['agy'])
  expect(code).toBe(1)
  expect(out).toMatch(/hooks\.json stays as it is: line \d is not JSON/)
  expect(out).toContain('mcp_config.json stays as it is: it is not strict JSON')
})

test('a broken file is named with its line and left alone; the others go on', async () => {
  using home = furnished()
  home.put('.claude/settings.json', '{\n  "a": 1\n  "b": 2\n}')
  const { code, out } = await home.setup(['claude', 'codex'])
  expect(code).toBe(1)
  expect(out).toMatch(/settings\.json stays as it is: line 3 is not JSON/)
  expect(home.read('.claude/settings.json')).toBe('{\n  "a": 1\n  "b": 2\n}')
  expect(home.read('.codex/config.toml')).toContain('[mcp_servers.beckon]')
})

test('links are followed, and permissions, marks and line ends stay', async () => {
  using home = world.home()
  const dotfile = home.put('dotfiles/settings.json', `\ufeff{\r\n\t"a": 1\r\n}`)
  chmodSync(dotfile, 0o640)
  mkdirSync(join(home.path, '.claude'))
  symlinkSync('../dotfiles/settings.json', join(home.path, '.claude/settings.json'))
  const before = home.files()
  expect((await home.setup(['claude'])).code).toBe(0)
  expect(lstatSync(join(home.path, '.claude/settings.json')).isSymbolicLink()).toBe(true)
  expect(statSync(dotfile).mode & 0o777).toBe(0o640)
  const text = home.read('dotfiles/settings.json')
  expect(text).toMatch(/^\ufeff\{\r\n\t"a": 1,\r\n\t"(env|permissions)"/)
  expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  await home.setup(['--undo', '--yes'])
  expect(home.files()).toEqual(before)
})

test('a set-up that fails leaves nothing behind, byte for byte', async () => {
  const ways: Record<string, (home: ReturnType<typeof furnished>) => string[]> = {
    'a file is broken': (home) => {
      home.put('.claude/settings.json', '{\n  "a": 1\n  "b": 2\n}')
      return ['claude']
    },
    'the last file has a folder in its place': (home) => {
      mkdirSync(join(home.path, '.claude/hooks/beckon-shell'), { recursive: true })
      return ['claude']
    },
    'a folder has a file in its place': (home) => {
      home.put('.claude/hooks', 'mine')
      return ['claude']
    },
    'the ledger has a file in its place': (home) => {
      home.put('.local/state', 'mine')
      return ['claude', 'codex', 'cline']
    },
    'the address cannot be stored': (home) => {
      mkdirSync(join(home.path, '.config/beckon/client.json/x'), { recursive: true })
      return ['claude', 'codex']
    },
    'the folder of the plugin is not ours': (home) => {
      home.put('plugin/mine', '1')
      return ['claude', '--plugin', 'plugin']
    },
    'a file of the plugin has a folder in its place': (home) => {
      home.put('plugin/.claude-plugin/plugin.json', '{"name":"beckon"}')
      mkdirSync(join(home.path, 'plugin/.mcp.json/x'), { recursive: true })
      return ['claude', '--plugin', 'plugin']
    },
  }
  for (const [why, spoil] of Object.entries(ways)) {
    using home = furnished()
    const args = spoil(home)
    const before = { files: home.files(), names: namesIn(home.path) }
    const { code, out, err } = await home.setup(args)
    expect([why, code, out + err]).toEqual([why, 1, expect.not.stringContaining('is a bug')])
    expect([why, { files: home.files(), names: namesIn(home.path) }]).toEqual([why, before])
  }
})

function namesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => !name.startsWith('.bun')).sort()
}

test('a client that fails leaves its files, and the others go on', async () => {
  using home = furnished()
  home.put('.claude/settings.json', '{\n  "a": 1\n  "b": 2\n}')
  const { code, out } = await home.setup(['claude', 'codex'])
  expect([code, home.read('.claude.json')]).toEqual([1, STATE])
  expect(out).toContain(
    '.claude.json stays as it is: another file of this client cannot be written',
  )
  expect(home.read('.codex/config.toml')).toContain('[mcp_servers.beckon]')
})

test('hard links stay, through setup and undo', async () => {
  using home = furnished()
  const names = ['.claude.json', '.claude/settings.json', '.codex/config.toml']
  for (const name of names) linkSync(join(home.path, name), join(home.path, `${name}-twin`))
  const before = home.files()
  const inode = (name: string) => statSync(join(home.path, name)).ino
  for (const args of [
    ['claude', 'codex'],
    ['--undo', '--yes'],
  ]) {
    expect((await home.setup(args)).code).toBe(0)
    for (const name of names) {
      expect([name, inode(name)]).toEqual([name, inode(`${name}-twin`)])
      expect(home.read(name)).toBe(home.read(`${name}-twin`))
    }
  }
  expect(home.files()).toEqual(before)
})

test('what must not be written stays, with the reason', async () => {
  using home = furnished()
  chmodSync(join(home.path, '.claude/settings.json'), 0o444)
  home.put('.codex/config.toml', new Uint8Array([0x61, 0xff, 0xfe]))
  const { code, out } = await home.setup(['claude', 'codex'])
  expect(code).toBe(1)
  expect(out).toContain('settings.json stays as it is: it is read-only.')
  expect(out).toContain('config.toml stays as it is: it is not UTF-8 text.')
})

test('nothing is written when nobody agreed, the token is wrong or the server is not there', async () => {
  using home = furnished()
  const before = home.files()
  const nobody = await home.setup([])
  expect([nobody.code, nobody.err]).toEqual([2, expect.stringContaining('name the clients')])
  const wrong = await home.setup(['claude', '--token-stdin'], { stdin: 'bk_wrong' })
  expect([wrong.code, wrong.err]).toEqual([5, expect.stringContaining('does not accept')])
  expect(wrong.err).not.toContain('bk_wrong')
  const away = await home.setup(['claude'], { env: { BECKON_URL: 'http://127.0.0.1:9' } })
  expect([away.code, away.err]).toEqual([5, expect.stringContaining('cannot be reached')])
  const none = await home.setup(['claude'], { env: { BECKON_TOKEN: '' } })
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('token is missing')])
  const unknown = await home.setup(['clod'])
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('claude')])
  expect(home.files()).toEqual(before)
})

test('what was set up once needs no address and no token again', async () => {
  using home = furnished()
  await home.setup(['claude'])
  const { code } = await home.setup(['--yes'], { env: { BECKON_URL: '', BECKON_TOKEN: '' } })
  expect(code).toBe(0)
  expect(home.read('.codex/config.toml')).toContain('[mcp_servers.beckon]')
})

test('--project writes into the project, and no token', async () => {
  using home = furnished()
  const before = home.files()
  const { code } = await home.setup(['claude', 'codex', '--project', '--http'])
  expect(code).toBe(0)
  const files = home.files()
  expect(files['.mcp.json']).toContain(`Bearer \${BECKON_TOKEN}`)
  expect(files['.codex/config.toml']).toContain('bearer_token_env_var = "BECKON_TOKEN"')
  expect(files['.claude/settings.local.json']).toContain('mcp__beckon__*')
  expect(files['.claude.json']).toBe(before['.claude.json'])
})

test('--json says the same for programs', async () => {
  using home = furnished()
  const { out, code } = await home.setup(['claude', '--json', '--strict', '--native-deny'])
  expect(code).toBe(0)
  const summary = JSON.parse(out)
  expect(summary).toMatchObject({ ok: true, server: { url: world.url, test: false } })
  const states = summary.clients[0].files.map(({ state }: { state: string }) => state)
  expect([...new Set(states)]).toEqual(['done'])
  expect(out).not.toContain(world.token)
  expect(home.read('.claude/settings.json')).toContain('"onFailure": "block"')
  expect(home.read('.claude/settings.json')).toContain('Read(~/.config/beckon/**)')
})

test('--check tries what is set up, and names what is not as it should be', async () => {
  using home = furnished()
  await home.setup(['claude', 'codex'])
  const good = await home.setup(['--check'])
  expect([good.code, good.out]).toEqual([0, expect.stringContaining('Its hook runs')])
  expect(good.out).toContain('can reach 1 device.\n')
  const env = { BECKON_TOKEN: world.tokenWithoutDevices }
  const nobody = await home.setup(['claude', '--check'], { env })
  expect(nobody.code).toBe(1)
  expect(nobody.out).toContain('can reach 0 devices; connect a phone or browser there, under')
  const both = await home.setup(['--check', '--undo', '--yes'])
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('cannot be given together')])
  const low = home
    .read('.codex/config.toml')
    .replace('tool_timeout_sec = 660', 'tool_timeout_sec = 9')
  home.put('.codex/config.toml', low)
  home.put('.claude/plugins/installed_plugins.json', '{"plugins":{"beckon@mine":[]}}')
  const bad = await home.setup(['--check'])
  expect(bad.code).toBe(1)
  expect(bad.out).toContain('config.toml: not as setup writes it; run beckon setup codex.')
  expect(bad.out).toContain('keep one')
  expect(home.read('.codex/config.toml')).toBe(low)
})

test('--check says nothing of VS Code where only Copilot CLI was set up, which it shares hooks with', async () => {
  using home = world.home()
  await home.setup(['copilot'])
  const alone = await home.setup(['--check'])
  expect([alone.code, alone.out]).toEqual([
    0,
    expect.stringContaining('Copilot CLI: Its hook runs'),
  ])
  expect(alone.out).not.toContain('VS Code')
  // Also where nobody remembers for whom the hooks were written.
  rmSync(join(home.path, '.local/state/beckon/setup.json'))
  const forgotten = await home.setup(['--check'])
  expect([forgotten.code, forgotten.out]).toEqual([0, expect.not.stringContaining('VS Code')])
  await home.setup(['vscode'])
  expect((await home.setup(['--check'])).out).toContain('VS Code: Its files are')
})

test('--plugin writes a folder for Claude Code, without the token, and into no other folder', async () => {
  using home = furnished()
  const settings = home.read('.claude/settings.json')
  const { code, out } = await home.setup(['claude', '--plugin', 'plug', '--http'])
  expect([code, out.trim().split('\n').length]).toEqual([0, 3])
  expect(JSON.parse(home.read('plug/.claude-plugin/plugin.json')).name).toBe('beckon')
  expect(Object.keys(JSON.parse(home.read('plug/hooks/hooks.json')).hooks)).toContain('PreToolUse')
  expect(home.read('plug/.mcp.json')).toContain(`Bearer \${BECKON_TOKEN}`)
  expect(home.read('.claude/settings.json')).toBe(settings)
  const plug = async (...more: string[]) => {
    const { code } = await home.setup(['claude', '--plugin', 'plug', ...more])
    return [code, home.read('plug/hooks/hooks.json').includes('--strict')]
  }
  expect(await plug()).toEqual([0, false])
  expect(await plug('--strict')).toEqual([0, true])
  expect(await plug()).toEqual([0, true])
  expect(await plug('--no-strict')).toEqual([0, false])
  home.put('mine/notes.txt', 'mine')
  const other = await home.setup(['claude', '--plugin', 'mine'])
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('not empty')])
  expect((await home.setup(['codex', '--plugin', 'x'])).code).toBe(2)
})
