import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type HttpGateWorld, httpGateWorld } from '../../support/http-gate-world.ts'
import { type HttpMcpServer, httpMcpServer } from '../../support/http-mcp-server.ts'
import { scratchHome } from './setup-world.ts'

setDefaultTimeout(60_000)

let world: HttpGateWorld
let crm: HttpMcpServer
beforeAll(async () => {
  world = await httpGateWorld()
  crm = await httpMcpServer('old')
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await crm[Symbol.asyncDispose]()
})

const home = () => scratchHome({ url: world.house.url, token: world.token })

/** The file of each client that has a server over HTTP with a fixed secret. */
const FILES: Record<string, [file: string, text: (url: string) => string]> = {
  claude: [
    '.claude.json',
    (url) =>
      `{\n  "mcpServers": {\n    "crm-claude": { "type": "http", "url": "${url}", "headers": { "Authorization": "Bearer crm-secret", "X-Org": "7" } }\n  }\n}\n`,
  ],
  codex: [
    '.codex/config.toml',
    (url) =>
      `[mcp_servers.crm-codex] # mine\nurl = "${url}" # theirs\nhttp_headers = { "X-Api-Key" = "crm-secret" }\nenabled = true\n`,
  ],
  copilot: [
    '.copilot/mcp-config.json',
    (url) =>
      `{\n\t"mcpServers": {\n\t\t"crm-copilot": { "type": "http", "url": "${url}", "tools": ["*"] } // theirs\n\t}\n}\n`,
  ],
  gemini: [
    '.gemini/settings.json',
    (url) =>
      `{"mcpServers":{"crm-gemini":{"httpUrl":"${url}","headers":{"Authorization":"Bearer crm-secret"}}}}`,
  ],
  opencode: [
    '.config/opencode/opencode.json',
    (url) =>
      `{\n  "mcp": {\n    // theirs\n    "crm-opencode": {\n      "type": "remote",\n      "url": "${url}",\n      "headers": {\n        "Authorization": "Bearer crm-secret"\n      }\n    }\n  }\n}\n`,
  ],
  qwen: [
    '.qwen/settings.json',
    (url) => `{"mcpServers":{"crm-qwen":{"httpUrl":"${url}","timeout":9000}}}`,
  ],
}

test.each(Object.entries(FILES))(
  'a server over HTTP of %s comes behind a gate that keeps its secret, and leaves it byte for byte',
  async (client, [file, textFor]) => {
    using machine = home()
    const text = textFor(crm.url)
    chmodSync(machine.put(file, text), 0o600)
    const before = machine.files()
    const name = `crm-${client}`
    const dry = await machine.run(['gate', 'add', name, '--client', client, '--dry-run'])
    expect(dry.out).toContain(`/gate/${name}`)
    expect(dry.out).not.toContain(world.token)
    const seen = crm.headers.length
    expect(machine.files()).toEqual(before)
    const added = await machine.run(['gate', 'add', name, '--client', client])
    expect(added).toMatchObject({ code: 0, err: '' })
    expect(crm.headers.length).toBeGreaterThan(seen)
    const gated = machine.read(file)
    expect(gated).toContain(`${world.house.url}/gate/${name}`)
    expect(gated).toContain(world.token)
    expect(gated).not.toContain('crm-secret')
    expect((await machine.run(['gate', 'add', name, '--client', client])).code).toBe(0)
    expect(machine.read(file)).toBe(gated)
    expect((await machine.run(['gate', 'remove', name, '--client', client])).code).toBe(0)
    expect(machine.read(file)).toBe(text)
    expect(machine.files()).toEqual(before)
  },
)

test('its client then reaches it through the gate, with the secret and its other headers', async () => {
  using machine = home()
  const [file = '', textFor] = FILES.claude ?? []
  chmodSync(machine.put(file, textFor?.(crm.url) ?? ''), 0o600)
  await machine.run(['gate', 'add', 'crm-claude', '--client', 'claude'])
  const { url, headers, timeout } = JSON.parse(machine.read(file)).mcpServers['crm-claude']
  expect(timeout).toBe(660_000)
  const client = new Client({ name: 'sdk', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never,
  )
  const call = client.callTool({ name: 'echo', arguments: { message: 'hi' } })
  const [question] = await world.asked()
  expect(question?.detail.gate).toMatchObject({ gate: 'crm-claude', tool: 'echo' })
  await world.answer(question, 'yes')
  expect(await call).toMatchObject({ content: [{ text: 'hi' }] })
  const last = crm.headers.at(-1)
  expect([last?.get('authorization'), last?.get('x-org')]).toEqual(['Bearer crm-secret', '7'])
  await client.close()
})

test('undo of the setup takes it away as well, and --check proves that the gate answers', async () => {
  using machine = home()
  const [file = '', textFor] = FILES.codex ?? []
  chmodSync(machine.put(file, textFor?.(crm.url) ?? ''), 0o600)
  const before = machine.files()
  expect((await machine.setup(['codex'])).code).toBe(0)
  expect((await machine.run(['gate', 'add', '--all', '--client', 'codex', '--yes'])).code).toBe(0)
  const gated = machine.read(file)
  expect((await machine.setup(['codex'])).code).toBe(0)
  expect(machine.read(file)).toBe(gated)
  const findings = async () => {
    const { out } = await machine.setup(['codex', '--check', '--json'])
    const all = JSON.parse(out).findings as Array<{ ok: boolean; said: string }>
    return all.filter((finding) => /crm-codex|token;/.test(finding.said))
  }
  expect(await findings()).toMatchObject([{ ok: true, said: expect.stringContaining('crm-codex') }])
  machine.put(file, gated.replace('/gate/crm-codex', '/gate/nobody'))
  expect(await findings()).toMatchObject([{ ok: false, said: expect.stringContaining('no gate') }])
  machine.put(file, gated)
  expect((await machine.setup(['codex', '--undo'])).code).toBe(0)
  expect(machine.files()).toEqual(before)
})

test('what cannot be is one sentence, and changes nothing', async () => {
  using machine = home()
  const servers = {
    sse: { type: 'sse', url: crm.url },
    variable: { url: crm.url, headers: { Authorization: `Bearer \${TOKEN}` } },
    gone: { url: 'http://127.0.0.1:9/mcp' },
    // The gate of this name is for another server.
    toy: { url: crm.url },
    plain: { url: crm.url },
  }
  const path = machine.put('.claude.json', JSON.stringify({ mcpServers: servers }))
  chmodSync(path, 0o600)
  machine.put('.mcp.json', JSON.stringify({ mcpServers: { shared: { url: crm.url } } }))
  const before = machine.files()
  const wrong = async (...args: string[]) => {
    const { code, err, out } = await machine.run(['gate', 'add', ...args, '--client', 'claude'])
    expect(code).not.toBe(0)
    expect(machine.files()).toEqual(before)
    return err + out
  }
  expect(await wrong('sse')).toContain('SSE')
  expect(await wrong('variable')).toContain('variable')
  expect(await wrong('gone')).toContain('cannot be reached')
  expect(await wrong('toy')).toContain('another server')
  expect(await wrong('plain', '--jail')).toContain('jail')
  expect(await wrong('shared', '--project')).toContain('project')
  chmodSync(path, 0o644)
  const open = machine.files()
  const { code, out } = await machine.run(['gate', 'add', 'plain', '--client', 'claude'])
  expect([code, out]).toEqual([1, expect.stringContaining('chmod 600')])
  expect(machine.files()).toEqual(open)
  chmodSync(path, 0o600)
  const all = await machine.run(['gate', 'add', '--all', '--client', 'claude', '--yes'])
  expect(all.code).toBe(0)
  expect(all.err).toContain('"gone" stays without a gate')
  const { mcpServers } = JSON.parse(machine.read('.claude.json'))
  expect(mcpServers).toMatchObject({ ...servers, plain: { url: `${world.house.url}/gate/plain` } })
  expect(join(machine.path, '.claude.json')).toBe(path)
})
