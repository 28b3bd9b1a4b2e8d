import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { type GateProcess, gateProcess, lineProcess } from '../../support/gate-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(60_000)

const EVERYTHING = [process.execPath, join(import.meta.dir, 'everything.ts')]

/** A line, and the id of the answer that the server gives some time after it, if it does. */
type Step = string | Uint8Array | { line: string; brings: string }

/** Writes each line once the answers to the last one are there, and returns all that came. */
async function exchange(server: GateProcess, steps: readonly Step[]) {
  for (const [at, step] of steps.entries()) {
    const isPlain = typeof step === 'string' || step instanceof Uint8Array
    server.send(isPlain ? step : step.line)
    if (!isPlain) await server.until(({ id }) => id === step.brings)
    // Requests of the server are answered, as a client does.
    server.send('\n')
    server.send({ id: `sync${at}`, method: 'ping' })
    await server.until(({ id }) => id === `sync${at}`)
  }
  server.closeInput()
  const ended = await server.ended
  // The gate lists the tools by itself when they have changed.
  const err = ended.err.replaceAll(/^.*"beckon-tools-\d+".*\n/gm, '')
  return { ...ended, err, out: Buffer.from(server.out()).toString('latin1') }
}

async function bothWays(lines: readonly Step[]) {
  using home = tempFolder()
  const env = { HOME: home.path, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  const direct = await exchange(lineProcess(EVERYTHING, { env }), lines)
  const gated = await exchange(gateProcess({ env }, EVERYTHING), lines)
  return { direct, gated }
}

const request = (id: unknown, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

const OLD = [
  request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }),
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
  request(1, 'tools/list'),
  request('1', 'tools/list', { cursor: 'p2' }),
]
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const METHODS = [
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'own/progress',
  'own/changed',
  'own/raw',
  'own/none',
]

test('a server that does everything gives the same bytes with and without the gate, in the older era', async () => {
  const clients = [
    request('c', 'own/clients'),
    '{"jsonrpc":"2.0","id":0,"result":{"roots":[{"uri":"file:///a"}]}}\n',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}\n',
    {
      line: '{"jsonrpc":"2.0","id":2,"result":{"action":"accept","content":{"name":"Ada"}}}\n',
      brings: 'c',
    },
  ]
  const odd = [
    '[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2","method":"ping"}]\n',
    '{ "id": 9007199254740993, "method":"own/echo", "jsonrpc": "2.0", "params": {"n": 9007199254740993, "z":1, "a":1.0} }\r\n',
    'no JSON\n',
    '\n',
    new Uint8Array([0x7b, 0xff, 0x0a]),
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}\n',
    request('v', 'ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': 'unknown' } }),
  ]
  const lines = [
    ...OLD,
    ...METHODS.map((method, at) => request(at + 10, method, { _meta: { progressToken: 'p' } })),
    ...clients,
    ...odd,
  ]
  const { direct, gated } = await bothWays(lines)
  expect(direct.out).toContain('elicitation/create')
  expect(gated).toEqual(direct)
})

test('a server that does everything gives the same bytes with and without the gate, in the newer era', async () => {
  const lines = ['server/discover', 'tools/list', ...METHODS].map((method, at) =>
    request(at, method, { _meta: MODERN_META }),
  )
  const { direct, gated } = await bothWays(lines)
  expect(direct.out).toContain('2026-07-28')
  expect(gated).toEqual(direct)
})

test('lines of any kind but calls reach the server as they are, and those of the server the client', async () => {
  using home = tempFolder()
  const env = { HOME: home.path, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  // It answers each line with itself.
  const echo = [process.execPath, '-e', 'process.stdin.pipe(process.stdout)']
  const json = fc.json({ maxDepth: 4 })
  const message = fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.oneof(
        fc.constantFrom('ping', 'tools/list', 'notifications/cancelled'),
        fc.string(),
      ),
      params: fc.oneof(fc.object(), fc.jsonValue()),
      result: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const spaced = fc
    .tuple(message, fc.integer({ min: 0, max: 4 }))
    .map(([one, indent]) => JSON.stringify(one, undefined, indent).replaceAll('\n', ' '))
  const batch = fc.array(message).map((all) => JSON.stringify(all))
  const number = fc
    .bigInt({ min: 2n ** 53n })
    .map((n) => `{"jsonrpc":"2.0","id":${n},"result":{"n":-${n}}}`)
  const bytes = fc.uint8Array({ maxLength: 40 }).map((all) => all.filter((one) => one !== 10))
  const line = fc
    .oneof(json, spaced, batch, number, fc.string(), bytes)
    .map((one) =>
      Buffer.concat([
        typeof one === 'string' ? Buffer.from(one.replaceAll('\n', '')) : one,
        Buffer.from('\n'),
      ]),
    )
    .filter((one) => !/tools\\?\/call/.test(one.toString()))
  await using gate = gateProcess({ env }, echo)
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
      const before = gate.out().length
      const input = Buffer.concat(lines)
      gate.send(input)
      await until(() => gate.out().length >= before + input.length)
      expect(Buffer.from(gate.out()).subarray(before).toString('hex')).toBe(input.toString('hex'))
    }),
    { numRuns: 100 },
  )
})

test('exit codes and signals of the server are those of the gate', async () => {
  using home = tempFolder()
  const env = { HOME: home.path, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  const code = (text: string) => [process.execPath, '-e', text]
  const seven = gateProcess({ env }, code('process.exit(7)'))
  expect(await seven.ended).toMatchObject({ code: 7, signal: null })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const server = gateProcess({ env }, code('setInterval(() => {}, 1e6); console.log("{}")'))
    await server.until(() => true)
    server.kill(signal)
    expect(await server.ended).toMatchObject({ signal })
  }
  const handled = code(
    'process.on("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1e6); console.log("{}")',
  )
  const server = gateProcess({ env }, handled)
  await server.until(() => true)
  server.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 5, signal: null })
})
