import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setupWorld } from './setup-world.ts'

describe.skipIf(process.platform !== 'linux')('beckon setup --jail-server', () => {
  let world: Awaited<ReturnType<typeof setupWorld>>
  beforeAll(async () => {
    world = await setupWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const FILES: Record<string, [client: string, text: string]> = {
    '.claude.json': [
      'claude',
      '{\n  "mcpServers": {\n    "fs": { "command": "true", "args": [] }\n  },\n  "projects": { "/x": { "mcpServers": { "fs": { "command": "false" } } } }\n}\n',
    ],
    '.codex/config.toml': [
      'codex',
      '[mcp_servers.fs]\ncommand = "true"\n\n[mcp_servers.web]\nurl = "https://a"\n',
    ],
    '.config/opencode/opencode.json': [
      'opencode',
      '{\n  "mcp": { "fs": { "type": "local", "command": ["true"] } }\n}\n',
    ],
    '.gemini/settings.json': ['gemini', '{"mcpServers":{"fs":{"command":"true"}}}'],
    '.cline/data/settings/cline_mcp_settings.json': [
      'cline',
      '{"mcpServers":{"fs":{"command":"true","args":[]}}}',
    ],
  }

  const textOf = (file: string) => FILES[file]?.[1] ?? ''

  test.each(Object.entries(FILES))(
    'is undone byte for byte, also after others wrote (%s)',
    async (file, [client, text]) => {
      using home = world.home()
      home.put(file, text)
      const before = home.files()
      expect((await home.setup([client, '--jail-server', 'fs'])).code).toBe(0)
      expect(home.read(file)).toContain(`serve-${client}`)
      const again = home.files()
      expect((await home.setup([client])).code).toBe(0)
      expect(home.files()).toEqual(again)
      const checked = await home.setup([client, '--check'])
      expect(checked.out).toContain('MCP servers in the jail: fs.')
      expect(checked.out).not.toContain('cannot be executed')
      await home.setup([client, '--undo'])
      expect(home.files()).toEqual(before)

      home.put(file, text)
      await home.setup([client, '--jail-server', 'fs'])
      const theirs = file.endsWith('toml') ? '\n[mine]\nx = 1\n' : '\n'
      home.put(file, home.read(file) + theirs)
      await home.setup([client, '--undo'])
      expect(home.read(file)).toBe(text + theirs)
    },
    60_000,
  )

  test('is off by default, offered in the plan, and taken back by name', async () => {
    using home = world.home()
    home.put('.claude.json', textOf('.claude.json'))
    const plan = await home.setup(['claude', '--dry-run'])
    expect(plan.err).toContain(
      'MCP servers outside of the jail: fs. To start one there: beckon setup claude --jail-server fs',
    )
    const data = JSON.parse((await home.setup(['claude', '--json'])).out)
    expect(data.clients[0].servers).toContainEqual({ name: 'fs', is: 'outside' })
    const text = home.read('.claude.json')
    expect(
      JSON.parse((await home.setup(['claude', '--json', '--jail-server', 'fs'])).out),
    ).toMatchObject({
      clients: [
        {
          servers: [
            { name: 'fs', is: 'in_the_jail' },
            { name: 'fs', is: 'in_the_jail' },
          ],
        },
      ],
    })
    expect(home.read('.claude.json')).not.toBe(text)
    await home.setup(['claude', '--no-jail-server', 'fs'])
    expect(JSON.parse(home.read('.claude.json')).mcpServers.fs.command).toBe('true')
  })

  test('names what is wrong', async () => {
    using home = world.home()
    home.put('.codex/config.toml', textOf('.codex/config.toml'))
    const wrong = async (...args: string[]) => (await home.setup(['codex', ...args])).err
    expect(await wrong('--jail-server', 'nope')).toContain('those that one starts are: fs.')
    expect(await wrong('--jail-server', 'web')).toContain('no program that the client starts')
    expect(await wrong('--jail-server', 'fs', '--no-jail-server', 'fs')).toContain('out of it')
    expect(await wrong('--jail-server', 'fs', '--project')).toContain('your own files')
    expect(home.read('.codex/config.toml')).toBe(textOf('.codex/config.toml'))
  })
})
