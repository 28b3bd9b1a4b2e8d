import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OwnFile, setupPlace } from '../../src/agent/client-files/client-setup.ts'
import { bridge, hookLine, hookWords } from '../../src/agent/client-files/entries.ts'
import { setup as openCodeSetup } from '../../src/agent/clients/opencode/setup.ts'
import { setupWorld } from '../agent/setup/setup-world.ts'
import { executable } from '../support/executable.ts'
import { runCommand } from '../support/run-command.ts'
import { tempFolder } from '../support/temp-folder.ts'

setDefaultTimeout(60_000)

const TLS = join(import.meta.dir, '../fixtures/tls')

const built = tempFolder()
const machine = tempFolder()
const marker = join(machine.path, 'ran')
let binary: string
let world: Awaited<ReturnType<typeof setupWorld>>
let elsewhere: ReturnType<typeof Bun.serve>
let askedElsewhere = 0

beforeAll(async () => {
  binary = await executable(built.path)
  world = await setupWorld()
  const fetch = () => {
    askedElsewhere++
    return Response.json({ jsonrpc: '2.0', id: 1, result: { elsewhere: true } })
  }
  elsewhere = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
  const module = join(machine.path, 'foreign.js')
  const leave = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'foreign')`
  writeFileSync(module, leave)
  // What the program becomes with BUN_BE_BUN runs these.
  const scripts = { hook: `touch ${marker}`, mcp: `touch ${marker}` }
  writeFileSync(join(machine.path, 'package.json'), JSON.stringify({ scripts }))
  mkdirSync(join(machine.path, 'other/beckon'), { recursive: true })
  const other = { url: elsewhere.url.origin, token: 'bk_other', machineId: 'm_other' }
  writeFileSync(join(machine.path, 'other/beckon/client.json'), JSON.stringify(other))
  const variables = { BECKON_URL: world.url, BECKON_TOKEN: world.token }
  const done = await run([binary, 'setup', 'zed'], variables)
  expect([done.code, done.err]).toEqual([0, expect.any(String)])
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  elsewhere.stop(true)
  machine[Symbol.dispose]()
  built[Symbol.dispose]()
})

const home = () => ({ HOME: machine.path, PATH: process.env.PATH ?? '' })

// The server of this test has no MCP: that it is the one that was asked is what counts.
async function run(words: string[], more: Record<string, string>, input = '') {
  rmSync(marker, { force: true })
  askedElsewhere = 0
  const env = { ...home(), ...more }
  const how = { cwd: machine.path, env, stdin: input, timeout: 10_000 }
  const { code, out, err } = await runCommand(words, how)
  return { code, out, err, foreign: existsSync(marker), elsewhere: askedElsewhere > 0 }
}

function request() {
  const program = { command: binary, args: [] }
  return { place: setupPlace(home(), undefined), program, strict: false }
}

const hostile = (): Record<string, Record<string, string>> => ({
  'becomes Bun': { BUN_BE_BUN: '1' },
  'loads a module': { BUN_OPTIONS: `--preload ${join(machine.path, 'foreign.js')}` },
  'waits for a debugger': { BUN_INSPECT: 'ws://127.0.0.1:0/x?wait=1' },
  'prints the token': { BUN_CONFIG_VERBOSE_FETCH: 'curl' },
  'calls another server': { BECKON_URL: `${elsewhere.url.origin}`, BECKON_TOKEN: 'bk_other' },
  'reads other settings': {
    XDG_CONFIG_HOME: join(machine.path, 'other'),
    XDG_STATE_HOME: machine.path,
  },
})
const NAMES = [
  'becomes Bun',
  'loads a module',
  'waits for a debugger',
  'prints the token',
  'calls another server',
  'reads other settings',
]

const call = { name: 'wait_for_answer', arguments: { correlationId: 'q_none', timeoutMs: 1_000 } }
const ASKED = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`
const TOLD = JSON.stringify({
  hook_event_name: 'SetupCheck',
  session_id: 's',
  tool_name: 'Read',
  tool_input: {},
})

test('each of them reaches a program that is started without its entry', async () => {
  const plain = [binary, 'mcp']
  const cases = hostile()
  const askWith = async (name: string) => await run(plain, cases[name] ?? {}, ASKED)
  expect((await askWith('becomes Bun')).foreign).toBe(true)
  expect((await askWith('loads a module')).foreign).toBe(true)
  expect((await askWith('waits for a debugger')).out).toBe('')
  expect((await askWith('prints the token')).err).toContain(world.token)
  expect((await askWith('calls another server')).elsewhere).toBe(true)
  expect((await askWith('reads other settings')).elsewhere).toBe(true)
  expect((await run(plain, {}, ASKED)).out).toContain(`${world.url} answered`)
})

describe.each(NAMES)('an environment in which it %s', (name) => {
  const hostileVariables = () => hostile()[name] ?? {}

  test('does not reach the bridge', async () => {
    const { command, args, env } = bridge(request())
    const ran = await run([command, ...args], { ...hostileVariables(), ...env }, ASKED)
    expect(ran).toMatchObject({ code: 0, foreign: false, elsewhere: false })
    expect(ran.out).toContain(`${world.url} answered`)
    expect(ran.err).not.toContain(world.token)
  })

  test('does not reach a hook, started with a shell and without', async () => {
    for (const words of [
      hookWords(request(), 'claude'),
      ['sh', '-c', hookLine(request(), 'codex')],
    ]) {
      const ran = await run(words, hostileVariables(), TOLD)
      expect(ran).toEqual({ code: 0, out: '', err: '', foreign: false, elsewhere: false })
    }
  })

  test('does not reach the hook that the plugin of OpenCode starts', async () => {
    const more = { url: world.url, token: world.token, http: false, nativeDeny: false }
    const files = openCodeSetup.files({ ...request(), ...more })
    const { text } = files.find((file): file is OwnFile => file.kind === 'own') as OwnFile
    const plugin = join(machine.path, 'beckon.mjs')
    writeFileSync(plugin, text)
    const lines = [
      `import { Beckon } from ${JSON.stringify(plugin)}`,
      `const its = await Beckon({ client: {}, directory: ${JSON.stringify(machine.path)} })`,
      `await its['tool.execute.before']({ tool: 'read', sessionID: 's' }, { args: {} })`,
    ]
    const host = join(machine.path, 'host.mjs')
    // The environment of OpenCode itself is not what is tried here.
    const set = `Object.assign(process.env, ${JSON.stringify(hostileVariables())})`
    writeFileSync(host, [lines[0], set, ...lines.slice(1)].join('\n'))
    const ran = await run([process.execPath, '--no-env-file', host], {})
    expect(ran).toMatchObject({ code: 0, err: '', foreign: false, elsewhere: false })
  })
})

test('any certificate is accepted where the variable says so, and not where an entry clears it', async () => {
  let count = 0
  await using impostor = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { key: Bun.file(`${TLS}/key.pem`), cert: Bun.file(`${TLS}/cert.pem`) },
    fetch() {
      count++
      return Response.json({ contract: null, etag: 'none' })
    },
  })
  const url = `https://127.0.0.1:${impostor.port}`
  const variables = { BECKON_URL: url, BECKON_TOKEN: 'bk_other' }
  const blind = { ...variables, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const began = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's' })
  // Of a project: its entries leave the server to the variables.
  const shared = { ...request(), place: setupPlace(home(), machine.path) }
  const { command, args, env } = bridge(shared)
  const hook = hookWords(shared, 'claude')

  async function reached(words: string[], variables: Record<string, string>, input: string) {
    count = 0
    await run(words, variables, input)
    return count > 0
  }

  expect(await reached([binary, 'mcp'], blind, ASKED)).toBe(true)
  expect(await reached([binary, 'hook', 'claude'], blind, began)).toBe(true)
  expect(await reached([binary, 'mcp'], variables, ASKED)).toBe(false)
  expect(await reached([command, ...args], { ...blind, ...env }, ASKED)).toBe(false)
  expect(await reached(hook, blind, began)).toBe(false)
})
