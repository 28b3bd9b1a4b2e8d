import { expect, test } from 'bun:test'
import { createLog, silentLog } from '../../src/kernel/log.ts'
import { Refused, refusal } from '../../src/mcp/errors.ts'
import { createOldEra } from '../../src/mcp/server.ts'
import type { CallResult } from '../../src/mcp/tool.ts'
import { createTransport } from '../../src/mcp/transport.ts'

const OPTIONS = {
  info: { name: 'test', title: 'Test', version: '1' },
  instructions: 'Be kind.',
  log: silentLog,
}
const said = (text: string): CallResult => ({ content: [{ type: 'text', text }] })

test('calls at the same time under one id keep their own results, whatever becomes of the others', async () => {
  const era = await createOldEra(OPTIONS)
  const gates = Array.from({ length: 30 }, () => Promise.withResolvers<CallResult>())
  const calls = gates.map(({ promise }) => era.call('same', 'tool', () => promise))
  expect(era.pending()).toBe(30)
  gates.forEach(({ resolve, reject }, i) => {
    if (i % 3 === 0) reject(new Error(`bug ${i}`))
    if (i % 3 === 1) reject(new Refused(refusal(400, -32021, `refused ${i}`, { i })))
    if (i % 3 === 2) resolve(said(`result ${i}`))
  })
  const replies = await Promise.allSettled(calls)
  for (const [i, reply] of replies.entries()) {
    if (i % 3 === 0) {
      expect(reply).toMatchObject({ reason: { message: `bug ${i}` } })
      continue
    }
    const { value } = reply as PromiseFulfilledResult<string>
    const wanted =
      i % 3 === 1
        ? { id: 'same', error: { code: -32021, message: `refused ${i}`, data: { i } } }
        : { id: 'same', result: said(`result ${i}`) }
    expect(JSON.parse(value)).toMatchObject(wanted)
  }
  expect(era.pending()).toBe(0)
})

test('a result that is none of the protocol is an error of that call alone', async () => {
  const era = await createOldEra(OPTIONS)
  const wrong = era.call(1, 'tool', async () => ({ content: 'nothing' }) as unknown as CallResult)
  const right = era.call(2, 'tool', async () => said('fine'))
  expect(JSON.parse(await wrong)).toMatchObject({ id: 1, error: { code: -32602 } })
  expect(JSON.parse(await right)).toMatchObject({ id: 2, result: said('fine') })
  expect(era.pending()).toBe(0)
})

test('nothing of one request is left behind, and an unknown method is refused at once', async () => {
  const lines: string[] = []
  const log = createLog({ format: 'json', level: 'debug', write: (line) => lines.push(line) })
  const era = await createOldEra({ ...OPTIONS, log })
  const refused = await era.answer(1, 'resources/list', {})
  expect(JSON.parse(refused)).toMatchObject({ id: 1, error: { code: -32601 } })
  expect(JSON.parse(await era.answer('p', 'ping', {}))).toEqual({
    jsonrpc: '2.0',
    id: 'p',
    result: {},
  })
  expect(era.pending()).toBe(0)
  expect(lines).toEqual([])
})

test('the transport passes on answers to what was asked, and nothing else', async () => {
  const transport = createTransport<string>()
  const heard: unknown[] = []
  transport.onmessage = (message) => void heard.push(message)
  const first = transport.ask('ping', undefined, 'first')
  transport.ask('ping', {}, 'second')
  expect(heard).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 2, method: 'ping', params: {} },
  ])
  expect(transport.contextOf(2)).toBe('second')
  await transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'roots/list' })
  await transport.send({ jsonrpc: '2.0', id: 99, result: {} })
  expect(transport.pending()).toBe(2)
  await transport.send({ jsonrpc: '2.0', id: 1, result: { fine: true } })
  expect(await first).toMatchObject({ result: { fine: true } })
  expect(transport.contextOf(1)).toBeUndefined()
  expect(transport.pending()).toBe(1)
})
