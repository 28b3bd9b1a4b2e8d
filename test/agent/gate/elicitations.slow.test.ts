import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { type GateProcess, gateProcess, textOf } from '../../support/gate-process.ts'

setDefaultTimeout(60_000)

const ASKS = [process.execPath, join(import.meta.dir, 'asking-server.ts')]
const SEAT = {
  message: 'Which seat?',
  requestedSchema: {
    type: 'object',
    properties: {
      seat: { type: 'string', title: 'Seat', enum: ['window', 'aisle'] },
      count: { type: 'integer', title: 'How many', minimum: 1 },
    },
    required: ['seat', 'count'],
  },
}

let house: GateHouse
beforeAll(async () => {
  house = await gateHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** A gate whose server asks what its tool is called with; its tool is confirmed. */
async function asking(capabilities: object, hold = 60): Promise<GateProcess> {
  const gate = gateProcess({ env: house.env, hold, name: 'toy' }, ASKS)
  const clientInfo = { name: 'test', version: '1' }
  await gate.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
  gate.send({ method: 'notifications/initialized' })
  await gate.request('tools/list')
  await house.confirm('ask')
  return gate
}

async function answerNext(value: string): Promise<Question | undefined> {
  const [question] = await house.asked()
  await house.reply(question, value)
  return question
}

test('a form for a client that shows none becomes one at Beckon, and the server gets the values', async () => {
  await using gate = await asking({ roots: {} })
  const _meta = { progressToken: 'p' }
  const call = gate.call('ask', SEAT, { _meta })
  const first = await answerNext('Answer')
  expect(first).toMatchObject({
    question: 'toy asks: Which seat?',
    detail: { context: 'It asks for Seat, How many.' },
  })
  const content = { seat: 'aisle', count: 2 }
  const form = await answerNext(JSON.stringify(content))
  expect(form?.detail.form?.properties).toEqual(SEAT.requestedSchema.properties as never)
  expect(JSON.parse(textOf(await call))).toEqual({ action: 'accept', content })
  expect(gate.heard()).not.toContainEqual(expect.objectContaining({ method: 'elicitation/create' }))
  const waits = { method: 'notifications/progress' }
  expect(gate.heard()).toContainEqual(expect.objectContaining(waits))
})

test('a form with more in it than a page shows becomes a question for each field', async () => {
  await using gate = await asking({})
  const mail = { type: 'string', title: 'E-mail', format: 'email' }
  const { seat } = SEAT.requestedSchema.properties
  const properties = { mail, seat }
  const requestedSchema = { type: 'object', properties, required: ['mail', 'seat'] }
  const call = gate.call('ask', { message: 'Who?', requestedSchema })
  await answerNext('Answer')
  await answerNext('nobody')
  await answerNext('ada@example.com')
  await answerNext('aisle')
  const content = { mail: 'ada@example.com', seat: 'aisle' }
  expect(JSON.parse(textOf(await call))).toEqual({ action: 'accept', content })
})

test('a person declines or cancels a form, and one that cannot be shown is declined with the reason', async () => {
  await using gate = await asking({})
  for (const [answer, action] of [
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
  ] as const) {
    const call = gate.call('ask', SEAT)
    await answerNext(answer)
    expect(JSON.parse(textOf(await call))).toEqual({ action })
  }
  const properties = { password: { type: 'string' } }
  const secret = { message: 'Sign in', requestedSchema: { type: 'object', properties } }
  const declined = JSON.parse(textOf(await gate.call('ask', secret)))
  expect(declined).toMatchObject({
    action: 'decline',
    _meta: { 'beckon/reason': expect.any(String) },
  })
  expect(await house.open()).toEqual([])
})

test('nobody answers within the hold: the form is cancelled, and the question withdrawn', async () => {
  await using gate = await asking({}, 2)
  expect(JSON.parse(textOf(await gate.call('ask', SEAT)))).toEqual({ action: 'cancel' })
  expect(await house.asked(0)).toEqual([])
})

test('a server that ends takes its question with it, and so does a client that goes', async () => {
  await using gate = await asking({})
  const call = gate.call('ask', { ...SEAT, dieAfterMs: 1_500 })
  const [first] = await house.asked()
  expect(await call).toMatchObject({ result: { isError: true } })
  expect(await house.asked(0)).toEqual([])
  void gate.call('ask', SEAT).catch(() => {})
  const [second] = await house.asked()
  expect(second?.id).not.toBe(first?.id)
  gate.closeInput()
  expect(await house.asked(0)).toEqual([])
})

test('a client that shows forms itself gets them as they are', async () => {
  await using gate = await asking({ elicitation: {} })
  const call = gate.call('ask', SEAT)
  const { id, params } = await gate.until(({ method }) => method === 'elicitation/create')
  expect(params).toEqual(SEAT)
  gate.send({ id, result: { action: 'accept', content: { seat: 'window', count: 1 } } })
  expect(JSON.parse(textOf(await call))).toMatchObject({ content: { seat: 'window' } })
  expect(await house.open()).toEqual([])
})
