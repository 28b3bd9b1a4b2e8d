import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type McpWorld,
  mcpWorld,
  modernHeaders,
  modernMeta,
  rpc,
  toolCall,
} from '../support/mcp-world.ts'

const NAMES = [
  'ask_user',
  'wait_for_answer',
  'cancel_question',
  'send_notification',
  'propose_scope',
]
const KEYS = [
  'jsonrpc',
  'id',
  'method',
  'params',
  'name',
  'arguments',
  '_meta',
  'progressToken',
  '__proto__',
  'constructor',
  'task',
  'question',
  'title',
  'body',
  'type',
  'options',
  'correlationId',
  'sessionId',
  'doneWhen',
  'timeoutMs',
  'questions',
  'context',
]

const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('2.0', 'tools/call', 'confirm', 'test', -0, 1e308, 2 ** 53),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string()), tie('value'), {
    maxKeys: 6,
  }),
})).value

/** Whatever came, the reply is a small, whole message with a status that blames the right side. */
async function survives(here: McpWorld, body: unknown, headers: Record<string, string> = {}) {
  const { status, json } = await here.reply(body, headers)
  expect(status).toBeLessThan(500)
  if (status === 200) expect(json).toMatchObject({ jsonrpc: '2.0' })
  return json
}

const RUNS = { numRuns: 150 }
const withTimeout = (args: object) => ({ wait: false, timeoutMs: 1000, ...args })

test('any JSON as a body is answered without a fault of the server', async () => {
  await using here = await mcpWorld()
  await fc.assert(
    fc.asyncProperty(
      anyValue,
      async (body) => void (await survives(here, JSON.stringify(body) ?? 'null')),
    ),
    RUNS,
  )
  expect(here.logged).toEqual([])
})

test('any text as a body is answered without a fault of the server', async () => {
  await using here = await mcpWorld()
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 1 }),
      async (body) => void (await survives(here, body)),
    ),
    RUNS,
  )
  expect(here.logged).toEqual([])
})

test('any params and _meta, of any method, in either era', async () => {
  await using here = await mcpWorld()
  const methods = fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'server/discover',
    'constructor',
    'tools/call',
  )
  await fc.assert(
    fc.asyncProperty(
      methods,
      anyValue,
      anyValue,
      fc.boolean(),
      async (method, params, meta, modern) => {
        const known = typeof params === 'object' && params !== null ? params : {}
        const body = modern
          ? rpc(method, {
              ...known,
              name: 'nothing',
              _meta: { ...modernMeta(), ...(meta as object) },
            })
          : rpc(method, JSON.stringify(meta).length % 2 ? params : { ...known, _meta: meta })
        const json = await survives(here, body, modern ? modernHeaders(method, 'nothing') : {})
        expect(json.id).toBe(1)
      },
    ),
    RUNS,
  )
  expect(here.logged).toEqual([])
})

test('any arguments of any tool are a result, or an error that says what is wrong', async () => {
  await using here = await mcpWorld()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), anyValue, async (name, args) => {
      const given =
        typeof args === 'object' && args !== null && !Array.isArray(args) ? withTimeout(args) : args
      const json = await survives(here, toolCall(name, given))
      expect(json.result ?? json.error).toBeDefined()
    }),
    RUNS,
  )
  expect(here.logged).toEqual([])
}, 60_000)

test('ids of any size come back as they were', async () => {
  await using here = await mcpWorld()
  for (const id of [
    '',
    '0',
    '__proto__',
    'x'.repeat(500_000),
    '"\\\u2028',
    0,
    -1,
    Number.MAX_SAFE_INTEGER,
  ]) {
    expect((await here.reply(rpc('ping', {}, id))).json).toEqual({ jsonrpc: '2.0', id, result: {} })
  }
})

test.each([
  ['the body', (deep: string) => deep],
  ['params', (deep: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep}}`],
  [
    'initialize',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${deep},"clientInfo":{"name":"x","version":"1"}}}`,
  ],
  [
    '_meta',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_question","_meta":${deep}}}`,
  ],
  [
    'a field',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_user","arguments":{"question":${deep}}}}`,
  ],
  [
    'an unknown field',
    (deep: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_user","arguments":{"x":${deep}}}}`,
  ],
])('very deep nesting in %s is survived', async (_, body) => {
  await using here = await mcpWorld()
  await survives(here, body(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))
  await survives(here, body(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`))
  expect((await here.reply(rpc('ping'))).status).toBe(200)
})

test('a body full of wrong fields is answered shortly, and soon', async () => {
  await using here = await mcpWorld()
  const many = Array.from({ length: 200_000 }, () => 1)
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, 1]))
  for (const args of [
    { question: 'Go?', tags: many },
    { question: 'Go?', ...fields },
    { question: 'x'.repeat(1_000_000), env: 5 },
  ]) {
    const { status, text } = await here.reply(toolCall('ask_user', args))
    expect(status).toBe(200)
    expect(text.length).toBeLessThan(5_000)
  }
})
