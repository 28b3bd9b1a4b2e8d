import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { readEvents } from '../../../src/agent/bridge/post.ts'
import { readLines } from '../../../src/agent/bridge/stdio.ts'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'
import { type BridgeProcess, bridgeProcess } from '../../support/bridge-process.ts'
import { rpc } from '../../support/mcp-world.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { howOften } from '../../support/share.ts'

setDefaultTimeout(60_000)

let house: AgentHouse
let server: ServerProcess
beforeAll(async () => {
  house = await agentHouse()
  server = await house.start()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await house[Symbol.asyncDispose]()
})

const bridge = () =>
  bridgeProcess({ HOME: house.data, BECKON_URL: house.url, BECKON_TOKEN: house.token })

/** It still answers, in order and in whole lines. */
async function isAlive(process: BridgeProcess, id: string) {
  process.send(rpc('ping', undefined, id))
  expect(await process.reply(id)).toMatchObject({ result: {} })
}

const MIB = 1024 * 1024
const deep = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`
const WRONG: [name: string, line: string | Uint8Array, code: number, id?: unknown][] = [
  ['no JSON', 'hello\n', -32700],
  ['half a message', '{"jsonrpc":"2.0","id":1\n', -32700],
  ['what is no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), -32700],
  ['a NUL', '\0\n', -32700],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600],
  ['deep nesting', `${deep(100_000)}\n`, -32600],
  ['a string', '"ping"\n', -32600],
  ['null', 'null\n', -32600],
  ['no version', '{"id":7,"method":"ping"}\n', -32600, 7],
  ['another version', '{"jsonrpc":"1.0","id":"seven","method":"ping"}\n', -32600, 'seven'],
  ['a method that is a number', '{"jsonrpc":"2.0","id":8,"method":8}\n', -32600, 8],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', -32600],
  ['an id beyond whole numbers', '{"jsonrpc":"2.0","id":1e300,"method":"ping"}\n', -32600],
  ['a line over 1 MiB', `"${'x'.repeat(MIB)}"\n`, -32600],
  ['a line of 8 MiB', `${'x'.repeat(8 * MIB)}\n`, -32600],
  ['a method that does not exist', '{"jsonrpc":"2.0","id":9,"method":"x"}\n', -32601, 9],
  [
    'params that are a list',
    '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":[]}\n',
    -32602,
    10,
  ],
  [
    'a tool without a name',
    '{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{}}\n',
    -32602,
    11,
  ],
  [
    'arguments that are a string',
    '{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"ask_user","arguments":"x"}}\n',
    -32602,
    12,
  ],
  [
    'a tool of the prototype',
    '{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"constructor","arguments":{}}}\n',
    -32602,
    13,
  ],
  [
    'the protocol of another time',
    '{"jsonrpc":"2.0","id":14,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"a\\r\\nb: c","io.modelcontextprotocol/clientCapabilities":{}}}}\n',
    -32020,
    14,
  ],
]

test('each wrong line is answered with an error, and the next one works', async () => {
  await using process = bridge()
  for (const [name, line, code, id] of WRONG) {
    const before = process.heard().length
    process.send(line)
    await isAlive(process, name)
    const replies = process.heard().slice(before)
    const errors = replies.filter((message) => 'error' in message)
    // What the server decides may come after the ping.
    const reply = errors[0] ?? (await process.until((one) => one.id === id && 'error' in one))
    expect([name, reply]).toEqual([name, expect.objectContaining({ jsonrpc: '2.0' })])
    expect([name, (reply.error as { code: number }).code]).toEqual([name, code])
    expect([name, reply.id]).toEqual([name, id])
  }
  process.closeInput()
  expect(await process.ended).toMatchObject({ code: 0 })
})

test('what needs no answer has none', async () => {
  await using process = bridge()
  const silent = [
    '',
    '   ',
    '\r',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\r',
    '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/unheard-of","params":7}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
  ]
  process.send(`\ufeff${silent.join('\n')}\n`)
  await isAlive(process, 'after')
  expect(process.heard()).toHaveLength(1)
})

test('random values never end it, and every line it says is a message', async () => {
  await using process = bridge()
  const key = fc.constantFrom('name', 'arguments', '_meta', '__proto__', 'question', 'sessionId')
  const value = fc.letrec((tie) => ({
    any: fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), tie('object')),
    object: fc.dictionary(fc.oneof(key, fc.string()), tie('any'), { maxKeys: 5 }),
  })).any
  const name = fc.constantFrom('ask_user', 'send_notification', 'propose_scope', 'wait_for_answer')
  const messages = fc.oneof(
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.integer(),
      method: fc.string(),
      params: value,
    }),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.string(),
      method: fc.constant('tools/call'),
      params: fc.record({
        name,
        arguments: fc.oneof(value, fc.constant({ wait: false, correlationId: 'q_none' })),
        _meta: value,
      }),
    }),
    value,
  )
  for (const message of fc.sample(messages, 150)) process.send(`${JSON.stringify(message)}\n`)
  await isAlive(process, 'the one after')
  for (const message of process.heard()) expect(message).toMatchObject({ jsonrpc: '2.0' })
})

const bytes = async function* (parts: (string | Uint8Array)[]) {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

test('lines are the same however the stream is cut', async () => {
  const text = 'one\n\nzwei äöü\r\n🙂\nlast'
  const whole = Buffer.from(text)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 8 }), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), whole.length]
      const parts = edges.slice(1).map((end, at) => whole.subarray(edges[at], end))
      const read = await Array.fromAsync(readLines(bytes(parts), 100))
      expect(read).toEqual(text.split('\n').map((line) => ({ text: line })))
    }),
    { numRuns: howOften(10, 50) },
  )
  const long = await Array.fromAsync(readLines(bytes(['xxx', 'xxx', '\nok\n', 'yyyyyy']), 5))
  expect(long).toEqual([{ broken: 'too_long' }, { text: 'ok' }, { broken: 'too_long' }])
})

test('events are the same however the stream is cut, and one that never ends is an error', async () => {
  const whole = Buffer.from(
    ': \n\nevent: message\ndata: {"ä":1}\n\r\ndata: a\r\ndata:b\r\n\r\ndata: half',
  )
  for (let cut = 0; cut <= whole.length; cut++) {
    const parts = [whole.subarray(0, cut), whole.subarray(cut)]
    expect(await Array.fromAsync(readEvents(bytes(parts)))).toEqual(['{"ä":1}', 'a\nb'])
  }
  const endless = bytes(Array(100).fill('data: '.padEnd(100_000, 'x')))
  expect(Array.fromAsync(readEvents(endless))).rejects.toThrow('too long')
})
