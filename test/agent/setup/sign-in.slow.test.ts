import { afterAll, expect, test } from 'bun:test'
import { pageWorld } from '../../support/page-world.ts'
import { setupWorld } from './setup-world.ts'

const machine = await setupWorld()
// The machine's own server lets nobody sign in.
const server = await pageWorld({ env: { BECKON_OAUTH: 'on' } })
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await machine[Symbol.asyncDispose]()
})
const { baseUrl } = server.app
const url = `${baseUrl}/mcp`
/** A machine that knows the address and has no token. */
const env = { BECKON_URL: baseUrl, BECKON_TOKEN: '' }

test('--sign-in writes the address without a token or a header, and says how each client begins', async () => {
  using home = machine.home()
  const names = ['claude', 'codex', 'copilot', 'vscode', 'cursor', 'opencode', 'gemini']
  const before = home.files()
  const { code, out, err } = await home.setup([...names, '--sign-in'], { env })
  expect([code, err]).toEqual([0, ''])
  for (const how of [
    'claude mcp login beckon',
    'codex mcp login beckon',
    'opencode mcp auth beckon',
    '/mcp auth beckon',
    'MCP: List Servers',
    'under Settings, MCP',
  ]) {
    expect(out).toContain(how)
  }
  const json = (path: string) => JSON.parse(home.read(path))
  expect(json('.claude.json').mcpServers.beckon).toMatchObject({ type: 'http', url })
  expect(json('.claude/settings.json')).toEqual({ permissions: { allow: ['mcp__beckon__*'] } })
  // With any header Copilot CLI does not use what it signed in for when it runs alone.
  const copilot = { type: 'http', url, tools: ['*'] }
  expect(json('.copilot/mcp-config.json').mcpServers.beckon).toEqual(copilot)
  expect(json('.cursor/mcp.json').mcpServers.beckon).toEqual({ url })
  expect(json('.config/Code/User/mcp.json').servers.beckon).toEqual({ type: 'http', url })
  expect(json('.config/opencode/opencode.json').mcp.beckon).toMatchObject({ type: 'remote', url })
  expect(json('.gemini/settings.json').mcpServers.beckon.httpUrl).toBe(`${url}?ask=ask_human`)
  const { mcp_servers, hooks } = Bun.TOML.parse(home.read('.codex/config.toml')) as Record<
    string,
    unknown
  >
  expect([mcp_servers, hooks]).toEqual([{ beckon: expect.objectContaining({ url }) }, undefined])
  const all = Object.entries(home.files())
  expect(all.filter(([, text]) => /Authorization|bearer_token|Bearer/i.test(text))).toEqual([])
  // Hooks need a token, and there is none.
  expect(all.filter(([path]) => /hooks|plugins|client\.json/.test(path))).toEqual([])
  await home.setup(['--undo', '--yes'], { env })
  expect(home.files()).toEqual(before)
})

test('the hooks of an earlier setup stay, and setup without it goes back to the token', async () => {
  using home = machine.home()
  await home.setup(['codex', 'gemini'])
  const hooks = () => [
    (Bun.TOML.parse(home.read('.codex/config.toml')) as { hooks: object }).hooks,
    JSON.parse(home.read('.gemini/settings.json')).hooks,
  ]
  const [before, client] = [hooks(), home.read('.config/beckon/client.json')]
  const { code } = await home.setup(['codex', 'gemini', '--sign-in', '--url', baseUrl])
  expect([code, hooks(), home.read('.config/beckon/client.json')]).toEqual([0, before, client])
  expect(home.read('.codex/config.toml')).toContain(`url = "${url}"`)
  await home.setup(['codex', 'gemini'])
  expect(home.read('.codex/config.toml') + home.read('.gemini/settings.json')).not.toContain(url)
})

test('--check knows a client that signs in', async () => {
  using home = machine.home()
  await home.setup(['claude'])
  const check = async () => {
    const { out } = await home.setup(['claude', '--check', '--json'])
    const { findings } = JSON.parse(out) as { findings: { client: string; said: string }[] }
    return findings.find(
      ({ client, said: sentence }) => client === 'Claude Code' && /files/.test(sentence),
    )?.said
  }
  const whole = 'Its files are as setup writes them.'
  expect(await check()).toBe(whole)
  const file = JSON.parse(home.read('.claude.json'))
  file.mcpServers.beckon = { type: 'http', url: `${machine.url}/mcp`, timeout: 1 }
  home.put('.claude.json', JSON.stringify(file))
  expect(await check()).not.toBe(whole)
  file.mcpServers.beckon = {
    type: 'http',
    url: `${machine.url}/mcp`,
    headers: { 'X-Beckon-Hold': '600' },
    timeout: 660_000,
  }
  home.put('.claude.json', JSON.stringify(file))
  expect(await check()).toBe(whole)
})

test('--check right after --sign-in is content, and says that nothing is enforced', async () => {
  using home = machine.home()
  const env = { BECKON_URL: baseUrl, BECKON_TOKEN: '' }
  expect((await home.setup(['codex', 'gemini', '--sign-in'], { env })).code).toBe(0)
  // The clients alone know the address.
  const { code, out } = await home.setup(['--check'], { env: { BECKON_URL: '', BECKON_TOKEN: '' } })
  expect([code, out]).toEqual([0, expect.stringContaining('Codex: It signs in by itself.')])
  expect(out).not.toContain('Its hook runs')
})

test('nothing is written for a server or a client without sign-in, or beside other options', async () => {
  using home = machine.home()
  const before = home.files()
  const refused = async (args: string[], wanted: [code: number, said: string], more = env) => {
    const { code, err } = await home.setup([...args, '--sign-in'], { env: more })
    expect([args, code, err]).toEqual([args, wanted[0], expect.stringContaining(wanted[1])])
    expect(home.files()).toEqual(before)
  }
  await refused(['codex'], [5, 'BECKON_OAUTH=on'], { ...env, BECKON_URL: machine.url })
  await refused(['codex'], [5, 'cannot be reached'], { ...env, BECKON_URL: 'http://127.0.0.1:1' })
  await refused(['goose'], [2, 'Goose is not known to sign in'])
  await refused(['codex', '--strict'], [2, '--sign-in and --strict'])
  await refused(['codex', '--undo'], [2, '--sign-in and --undo'])
  await refused([], [1, 'No client that signs in was found'])
  const dry = await home.setup(['codex', '--sign-in', '--dry-run'], { env })
  expect([dry.code, dry.out, home.files()]).toEqual([0, expect.stringContaining(url), before])
})
