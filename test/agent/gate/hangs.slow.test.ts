import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { type GateProcess, gateProcess, textOf } from '../../support/gate-process.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(120_000)

const HANGS = [process.execPath, join(import.meta.dir, 'hanging-server.ts')]

let house: GateHouse
beforeAll(async () => {
  house = await gateHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

async function hanging(protocolVersion = '2025-11-25'): Promise<GateProcess> {
  const gate = gateProcess({ env: house.env, name: 'toy' }, HANGS)
  const clientInfo = { name: 'test', version: '1' }
  await gate.request('initialize', { protocolVersion, capabilities: {}, clientInfo })
  gate.send({ method: 'notifications/initialized' })
  return gate
}

test('a server that lists nothing and answers a call never: the person is asked, and the client can cancel', async () => {
  await using gate = await hanging()
  gate.send({ id: 'h', method: 'tools/call', params: { name: 'hang', arguments: {} } })
  const [question] = await house.asked()
  expect(question?.detail.gate).toMatchObject({ tool: 'hang', state: 'unlisted' })
  await house.answer(question, 'yes')
  await until(async () => (await house.permits(question)).length > 0)
  gate.send({ method: 'notifications/cancelled', params: { requestId: 'h' } })
  expect(await gate.request('ping')).toMatchObject({ result: {} })
  expect(gate.heard().filter(({ id }) => id === 'h')).toEqual([])
  // The call that has no end holds up nobody.
  gate.closeInput()
  const late = Bun.sleep(30_000).then(() => 'late')
  expect(await Promise.race([gate.ended, late])).not.toBe('late')
})

test('a server that floods its client: every line passes in order, and the call is answered', async () => {
  await using gate = await hanging()
  const call = gate.call('flood')
  const [question] = await house.asked()
  await house.answer(question, 'yes')
  expect(textOf(await call)).toBe('flood')
  const notes = gate.heard().filter(({ method }) => method === 'notifications/message')
  expect(notes).toHaveLength(20_000)
  expect(Buffer.from(gate.out()).toString().split('not JSON\n')).toHaveLength(20_001)
})

test('a protocol version that nobody knows passes, and its calls are held and refused all the same', async () => {
  await using gate = await hanging('2099-01-01')
  const heard = gate.heard().find(({ result }) => result !== undefined)
  expect(heard).toMatchObject({ result: { protocolVersion: '2099-01-01' } })
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  const call = gate.call('echo', {}, { _meta })
  const [question] = await house.asked()
  await house.answer(question, 'no')
  expect(await call).toMatchObject({ result: { isError: true, resultType: 'complete' } })
})

test('a call that is to become a task is decided as any call, and passes as it came', async () => {
  await using gate = await hanging()
  const task = { ttl: 60_000 }
  const declined = gate.call('echo', { n: 1 }, { task })
  const [question] = await house.asked()
  expect(question?.detail.gate).toMatchObject({ tool: 'echo' })
  await house.answer(question, 'no')
  expect(await declined).toMatchObject({ result: { isError: true } })
  const allowed = gate.call('params', {}, { task })
  const [other] = await house.asked()
  await house.answer(other, 'yes')
  expect(JSON.parse(textOf(await allowed))).toMatchObject({ task })
})

test('500 equal calls at once are one question and one run, with an answer for each', async () => {
  await using gate = await house.start({ hold: 60 })
  const calls = Array.from({ length: 500 }, () => gate.call('echo', { message: 'once' }))
  const [question] = await house.asked()
  await gate.request('ping')
  await house.answer(question, 'yes')
  const answers = await Promise.all(calls)
  expect(new Set(answers.map(textOf))).toEqual(new Set(['once']))
  expect(house.ran()).toEqual([['echo', { message: 'once' }]])
})
