import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { setupWorld } from './setup-world.ts'

/** The file of each client that has its servers, with one that the client starts. */
const FILES: Record<string, [file: string, text: string]> = {
  claude: [
    '.claude.json',
    '{\n  "mcpServers": {\n    "fs": { "command": "npx", "args": ["-y", "fs"] }\n  },\n  "projects": { "/x": { "mcpServers": { "db": { "command": "false" } } } }\n}\n',
  ],
  codex: [
    '.codex/config.toml',
    '[mcp_servers.fs]\ncommand = "npx"\nargs = ["-y", "fs"]\n\n[mcp_servers.web]\nurl = "https://a"\n',
  ],
  copilot: [
    '.copilot/mcp-config.json',
    '{\n\t"mcpServers": {\n\t\t"fs": { "type": "local", "command": "npx", "args": ["fs"], "tools": ["*"] } // theirs\n\t}\n}\n',
  ],
  gemini: ['.gemini/settings.json', '{"mcpServers":{"fs":{"command":"npx"}}}'],
  opencode: [
    '.config/opencode/opencode.json',
    '{\n  "mcp": { "fs": { "type": "local", "command": ["npx", "fs"] } }\n}\n',
  ],
  qwen: [
    '.qwen/settings.json',
    '{"mcpServers":{"fs":{"command":"npx","args":["fs"],"timeout":9000}}}',
  ],
}

describe('beckon gate add', () => {
  let world: Awaited<ReturnType<typeof setupWorld>>
  beforeAll(async () => {
    world = await setupWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each(Object.entries(FILES))(
    'puts a gate before a server of %s, and takes it out byte for byte',
    async (client, [file, text]) => {
      using home = world.home()
      home.put(file, text)
      const before = home.files()
      const added = await home.run(['gate', 'add', 'fs', '--client', client])
      expect(added).toMatchObject({ code: 0, err: '' })
      expect(home.read(file)).toContain('--hold')
      const gated = home.files()
      expect((await home.run(['gate', 'add', 'fs', '--client', client])).code).toBe(0)
      expect(home.files()).toEqual(gated)
      expect((await home.run(['gate', 'remove', 'fs', '--client', client])).code).toBe(0)
      expect(home.files()).toEqual(before)
    },
    60_000,
  )

  test
    .skipIf(process.platform !== 'linux')
    .each(Object.entries(FILES).filter(([client]) => client !== 'copilot'))(
    '--jail also starts a server of %s in the jail, and takes it out byte for byte',
    async (client, [file, text]) => {
      using home = world.home()
      home.put(file, text)
      const before = home.files()
      expect((await home.run(['gate', 'add', 'fs', '--jail', '--client', client])).code).toBe(0)
      const gated = home.read(file)
      expect(gated).toContain('--hold')
      expect(gated).toContain(`serve-${client}`)
      expect((await home.run(['gate', 'add', 'fs', '--jail', '--client', client])).code).toBe(0)
      expect(home.read(file)).toBe(gated)
      expect((await home.run(['gate', 'remove', 'fs', '--jail', '--client', client])).code).toBe(0)
      // The file that starts servers in the jail is gone as well.
      expect(home.files()).toEqual(before)
    },
    60_000,
  )

  test('a client that is set up keeps its own entries, and undo takes the gates out too', async () => {
    using home = world.home()
    const [file, text] = FILES.codex ?? ['', '']
    home.put(file, text)
    const before = home.files()
    expect((await home.setup(['codex'])).code).toBe(0)
    const connected = home.read(file)
    expect((await home.run(['gate', 'add', '--all', '--yes'])).code).toBe(0)
    const gated = home.read(file)
    expect(gated).not.toBe(connected)
    expect((await home.setup(['codex'])).code).toBe(0)
    expect(home.read(file)).toBe(gated)
    expect((await home.run(['gate', 'remove', '--all', '--yes'])).code).toBe(0)
    expect(home.read(file)).toBe(connected)
    await home.run(['gate', 'add', 'fs'])
    expect((await home.setup(['codex', '--undo'])).code).toBe(0)
    expect(home.files()).toEqual(before)
  }, 60_000)

  test('what cannot be is one sentence, and changes nothing', async () => {
    using home = world.home()
    const [file, text] = FILES.codex ?? ['', '']
    home.put(file, text)
    const before = home.files()
    const wrong = async (args: string[], env: Record<string, string> = {}) => {
      const { code, err } = await home.run(['gate', ...args], { env })
      expect(code).not.toBe(0)
      expect(home.files()).toEqual(before)
      return err
    }
    expect(await wrong(['add', 'nothing'])).toContain('fs')
    expect(await wrong(['add', 'web'])).toContain('cannot be reached')
    expect(await wrong(['add'])).toContain('--all')
    expect(await wrong(['add', 'fs', '--all'])).toContain('not both')
    expect(await wrong(['add', 'fs', '--client', 'none'])).toContain('codex')
    expect(await wrong(['add', 'fs'], { BECKON_TOKEN: '' })).toContain('beckon setup')
  }, 60_000)

  test.skipIf(process.platform !== 'linux')(
    'a server that cannot be held in the jail is refused, and nothing changes',
    async () => {
      using home = world.home()
      home.put('.claude.json', FILES.claude?.[1] ?? '')
      home.put('.mcp.json', '{"mcpServers":{"fs":{"command":"npx"}}}')
      home.put('.config/zed/settings.json', '{"context_servers":{"fs":{"command":"npx"}}}')
      const before = home.files()
      const refused = async (...more: string[]) => {
        const { code, err } = await home.run(['gate', 'add', 'fs', '--jail', ...more])
        expect(code).not.toBe(0)
        expect(home.files()).toEqual(before)
        return err
      }
      expect(await refused('--client', 'claude', '--project')).toContain('project')
      expect(await refused('--client', 'zed')).toContain('Zed')
    },
    60_000,
  )

  test('--check starts what stands behind a gate, as the client does', async () => {
    using home = world.home()
    const server = join(import.meta.dir, '../server-jail/toy-server.ts')
    const fs = { command: process.execPath, args: [server], env: { A: '1' } }
    const gone = { command: '/nonexistent/server' }
    home.put('.gemini/settings.json', JSON.stringify({ mcpServers: { fs, gone } }))
    await home.setup(['gemini'])
    await home.run(['gate', 'add', 'fs', 'gone', '--client', 'gemini'])
    const { code, out } = await home.setup(['gemini', '--check', '--json'])
    expect(code).toBe(1)
    const { findings } = JSON.parse(out) as { findings: Array<{ ok: boolean; said: string }> }
    const about = (name: string) => findings.find((finding) => finding.said.includes(`"${name}"`))
    expect(about('fs')).toMatchObject({ ok: true })
    expect(about('gone')).toMatchObject({ ok: false })
  }, 60_000)

  test('a dry run shows the change and makes none', async () => {
    using home = world.home()
    const [file, text] = FILES.claude ?? ['', '']
    home.put(file, text)
    const before = home.files()
    const { out } = await home.run(['gate', 'add', 'fs', 'db', '--client', 'claude', '--dry-run'])
    expect(out).toContain('"gate"')
    expect(home.files()).toEqual(before)
    const data = await home.run(['gate', 'add', 'fs', '--client', 'claude', '--dry-run', '--json'])
    expect(JSON.parse(data.out)).toMatchObject({ ok: true, clients: [{ name: 'claude' }] })
  }, 60_000)

  test('files of a project name beckon alone', async () => {
    using home = world.home()
    home.put('.mcp.json', '{"mcpServers":{"fs":{"command":"npx"}}}')
    const { code } = await home.run(['gate', 'add', 'fs', '--client', 'claude', '--project'])
    expect(code).toBe(0)
    expect(JSON.parse(home.read('.mcp.json')).mcpServers.fs).toMatchObject({
      command: 'beckon',
      args: ['gate', 'fs', '--hold', '600', '--', 'npx'],
    })
  }, 60_000)
})
