import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { type GateProcess, textOf } from '../../support/gate-process.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(60_000)

let house: GateHouse
let gate: GateProcess
beforeAll(async () => {
  house = await gateHouse()
  gate = await house.start()
})
afterAll(() => house[Symbol.asyncDispose]())

test('a call that a person allows runs once, and its end is recorded', async () => {
  const answer = gate.call('echo', { message: 'allowed' })
  const [question] = await house.asked()
  expect(question?.detail).toMatchObject({
    toolName: 'mcp__toy__echo',
    action: 'mcp__toy__echo {"message":"allowed"}',
  })
  expect(house.ran()).toEqual([])
  await house.answer(question, 'yes')
  expect(textOf(await answer)).toBe('allowed')
  expect(house.ran()).toEqual([['echo', { message: 'allowed' }]])
  const failed = gate.call('fail')
  const [other] = await house.asked()
  await house.answer(other, 'yes')
  expect(await failed).toMatchObject({ result: { isError: true } })
  await house.look(other)
  await gate.request('ping')
  expect(await house.permits(question)).toEqual(['used', 'succeeded'])
})

test('a call that a person declines does not run, and the model reads their note', async () => {
  const before = house.ran().length
  const answer = gate.call('echo', { message: 'declined' })
  const [question] = await house.asked()
  await house.answer(question, 'no', 'not on a Friday')
  const { result } = await answer
  expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] })
  expect(result).not.toHaveProperty('structuredContent')
  expect(textOf(await answer)).toContain('not on a Friday')
  expect(house.ran()).toHaveLength(before)
})

test('a rule declines a tool, and what an owner confirmed runs without a question', async () => {
  await house.rule({ match: { toolName: 'mcp__toy__die' }, decision: 'deny' })
  expect(await gate.call('die')).toMatchObject({ result: { isError: true } })
  await house.confirm('big')
  expect(textOf(await gate.call('big', { size: 3 }))).toBe('xxx')
  expect(await house.asked(0)).toEqual([])
})

test('at the end of the hold the question stays, and a yes that comes then lets the same call run', async () => {
  const short = await house.start({ hold: 2 })
  const params = { _meta: { progressToken: 'p1' } }
  const answer = await short.call('echo', { message: 'late' }, params)
  expect(answer).toMatchObject({ result: { isError: true } })
  expect(short.heard()).toContainEqual(
    expect.objectContaining({
      method: 'notifications/progress',
      params: expect.objectContaining({ progressToken: 'p1', progress: 1 }),
    }),
  )
  const [question] = await house.asked()
  await house.answer(question, 'yes')
  expect(textOf(await short.call('echo', { message: 'late' }))).toBe('late')
  const again = short.call('echo', { message: 'late' })
  const [other] = await house.asked()
  expect(other?.id).not.toBe(question?.id)
  await house.answer(other, 'no')
  expect(await again).toMatchObject({ result: { isError: true } })
})

test('a refusal in the newer era says that it is complete', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const answer = gate.call('echo', { message: 'new' }, { _meta })
  const [question] = await house.asked()
  await house.stop(question)
  expect(await answer).toMatchObject({ result: { isError: true, resultType: 'complete' } })
})

test('the server gets the whole environment but the token', async () => {
  await house.confirm('env')
  const { url } = house.house
  const env = { BECKON_URL: url, BECKON_TOKEN: await house.house.token() }
  const own = await house.start({ env })
  expect(textOf(await own.call('env'))).toBe('["BECKON_URL"]')
})

test('a rule that is made later holds soon for a tool whose calls went unasked', async () => {
  const own = await house.start()
  await house.confirm('slow')
  await own.request('tools/list')
  expect(textOf(await own.call('slow', { ms: 1 }))).toBe('slept')
  await house.rule({ match: { toolName: 'mcp__toy__slow' }, decision: 'deny' })
  await until(async () => textOf(await own.call('slow', { ms: 1 })).includes('A rule'))
  expect(await house.asked(0)).toEqual([])
})
