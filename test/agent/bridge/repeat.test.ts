import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'
import { type BridgeProcess, bridgeProcess } from '../../support/bridge-process.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { until } from '../../support/until.ts'

// Whole processes on a busy machine.
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

const VERSION = '2025-11-25'

async function bridge(): Promise<BridgeProcess> {
  const env = { HOME: house.data, BECKON_URL: house.url, BECKON_TOKEN: house.token }
  const process = bridgeProcess(env, { cwd: house.data })
  const clientInfo = { name: 'codex-mcp-client', version: '1' }
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo }
  process.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await process.reply(0)
  process.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return process
}

const ask = (by: BridgeProcess, id: number, question: string, _meta?: object) =>
  by.send({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'ask_user', arguments: { question, timeoutMs: 20_000 }, _meta },
  })
const cancel = (by: BridgeProcess, requestId: number) =>
  by.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
const open = async (question: string) =>
  (await house.inbox()).filter((one) => one.question === question)

/** The call was held, and the server knows that it is not any more. */
async function cutOff(question: string, cut: () => void) {
  await house.opened((one) => one.question === question)
  const before = Date.now()
  cut()
  await until(async () => (await waits()) === 0)
  expect(Date.now() - before).toBeLessThan(10_000)
}

async function waits(): Promise<number> {
  const metrics = await fetch(`${house.url}/metrics`, {
    headers: { authorization: `Bearer ${house.token}` },
  })
  const [, count] = /^beckon_waits (\d+)$/m.exec(await metrics.text()) ?? []
  if (count === undefined) throw new Error(`no metrics: ${metrics.status}`)
  return Number(count)
}

test('a call that its client cancelled joins its question when the agent asks again', async () => {
  await using first = await bridge()
  ask(first, 1, 'Cancelled?')
  await cutOff('Cancelled?', () => cancel(first, 1))
  ask(first, 2, 'Cancelled?')
  await until(async () => (await waits()) === 1)
  const [only, ...more] = await open('Cancelled?')
  expect(more).toEqual([])
  await house.answer(String(only?.correlationId), { value: 'yes' })
  expect(JSON.stringify(await first.reply(2))).toContain('yes')
})

test('a call whose bridge was killed joins its question from a new bridge', async () => {
  await using first = await bridge()
  ask(first, 1, 'Killed?')
  await cutOff('Killed?', () => first.kill('SIGKILL'))
  await using second = await bridge()
  ask(second, 1, 'Killed?')
  await until(async () => (await waits()) === 1)
  const [only, ...more] = await open('Killed?')
  expect(more).toEqual([])
  await house.answer(String(only?.correlationId), { value: 'no' })
  expect(JSON.stringify(await second.reply(1))).toContain('no')
})

test('calls that are held beside each other are one question, and those with names their own', async () => {
  await using first = await bridge()
  ask(first, 1, 'Both?')
  ask(first, 2, 'Both?')
  await until(async () => (await waits()) === 2)
  const [both, ...more] = await open('Both?')
  expect(more).toEqual([])
  await house.answer(String(both?.correlationId), { value: 'no' })
  for (const id of [1, 2]) expect(JSON.stringify(await first.reply(id))).toContain('no')
  ask(first, 3, 'Named?', { 'claudecode/toolUseId': 'toolu_1' })
  await cutOff('Named?', () => cancel(first, 3))
  ask(first, 4, 'Named?', { 'claudecode/toolUseId': 'toolu_2' })
  await until(async () => (await open('Named?')).length === 2)
})
