import { expect, test } from 'bun:test'
import { createLog, silentLog } from '../../../src/platform/log.ts'
import { createOldEra, createTransport } from '../../../src/platform/mcp/old-era.ts'

const OPTIONS = {
  info: { name: 'test', title: 'Test', version: '1' },
  instructions: 'Be kind.',
  log: silentLog,
}
test('requests at the same time under one id keep their own answers', async () => {
  const era = await createOldEra(OPTIONS)
  const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
  const requests = versions.map((protocolVersion) =>
    era.answer('same', 'initialize', {
      ...{ protocolVersion, capabilities: {} },
      clientInfo: { name: 'test', version: '1' },
    }),
  )
  expect(era.pending()).toBe(versions.length)
  const replies = (await Promise.all(requests)).map((reply) => JSON.parse(reply))
  expect(replies.map(({ id }) => id)).toEqual(versions.map(() => 'same'))
  expect(replies.map(({ result }) => result.protocolVersion)).toEqual(versions)
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
  const transport = createTransport()
  const heard: unknown[] = []
  transport.onmessage = (message) => void heard.push(message)
  const first = transport.ask('ping')
  transport.ask('ping', {})
  expect(heard).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 2, method: 'ping', params: {} },
  ])
  await transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'roots/list' })
  await transport.send({ jsonrpc: '2.0', id: 99, result: {} })
  expect(transport.pending()).toBe(2)
  await transport.send({ jsonrpc: '2.0', id: 1, result: { fine: true } })
  expect(await first).toMatchObject({ result: { fine: true } })
  expect(transport.pending()).toBe(1)
})
