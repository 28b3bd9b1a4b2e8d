import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { type GateProcess, textOf } from '../../support/gate-process.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(60_000)

let house: GateHouse
let gate: GateProcess
beforeAll(async () => {
  house = await gateHouse()
  const first = await house.start()
  await house.confirm('slow', 'die-idle', 'die', 'change', 'ask', 'big', 'env')
  await first[Symbol.asyncDispose]()
  gate = await house.start()
})
afterAll(() => house[Symbol.asyncDispose]())

let count = 0
/** Arguments that no other call has. */
const unique = () => ({ message: `m${++count}` })
const runs = (args: object) =>
  house.ran().filter((one) => JSON.stringify((one as unknown[])[1]) === JSON.stringify(args)).length

async function ended(question: Awaited<ReturnType<GateHouse['asked']>>[number] | undefined) {
  await until(async () => (await house.look(question)).status !== 'pending')
  const { status, endReason } = await house.look(question)
  return { status, endReason }
}

test('a call that the client cancels is withdrawn, and neither runs nor has an answer', async () => {
  const args = unique()
  gate.send({ id: 'c1', method: 'tools/call', params: { name: 'echo', arguments: args } })
  const [question] = await house.asked()
  gate.send({ method: 'notifications/cancelled', params: { requestId: 'c1' } })
  expect(await ended(question)).toEqual({
    status: 'cancelled',
    endReason: 'The agent has cancelled the call.',
  })
  await gate.request('ping')
  expect(gate.heard().filter(({ id }) => id === 'c1')).toEqual([])
  expect(runs(args)).toBe(0)
})

test('a call that is running is cancelled by the server', async () => {
  gate.send({ id: 'c2', method: 'tools/call', params: { name: 'slow', arguments: { ms: 60_000 } } })
  await until(() => runs({ ms: 60_000 }) === 1)
  gate.send({ method: 'notifications/cancelled', params: { requestId: 'c2' } })
  gate.send({ id: 'c3', method: 'tools/call', params: { name: 'slow', arguments: { ms: 1 } } })
  await gate.until(({ id }) => id === 'c3')
  expect(gate.heard().filter(({ id }) => id === 'c2')).toEqual([])
})

test.each([
  ['closes its input', (client: GateProcess) => client.closeInput()],
  ['ends it with SIGTERM', (client: GateProcess) => client.kill('SIGTERM')],
  ['ends it with SIGINT', (client: GateProcess) => client.kill('SIGINT')],
])('when the client %s, what is held is withdrawn', async (_, leave) => {
  const client = await house.start()
  const args = unique()
  client.send({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: args } })
  const [question] = await house.asked()
  leave(client)
  expect(await ended(question)).toEqual({
    status: 'cancelled',
    endReason: 'The session has ended.',
  })
  await client.ended
  expect(runs(args)).toBe(0)
})

test('a server that ends while a call is held: it did not run, and the next call starts it again', async () => {
  const client = await house.start()
  const args = unique()
  const held = client.call('echo', args, { _meta: { progressToken: 'held' } })
  const [question] = await house.asked()
  await client.until(({ method }) => method === 'notifications/progress')
  await client.call('die-idle')
  expect(textOf(await held)).toBe(
    'The server toy has ended. Nothing was run. The next call starts it again.',
  )
  expect(await ended(question)).toEqual({ status: 'cancelled', endReason: 'toy has ended.' })
  expect(runs(args)).toBe(0)
  // It was initialized again, in the words of the client.
  expect(textOf(await client.call('slow', { ms: 1 }))).toBe('slept')
  await client.until(({ method }) => method === 'notifications/tools/list_changed')
  const elicited = client.call('ask')
  const request = await client.until(({ method }) => method === 'elicitation/create')
  client.send({ id: request.id, result: { action: 'decline' } })
  expect(textOf(await elicited)).toBe('{"action":"decline"}')
})

test('a server that ends during a call: whether it ran is not known, and it is not repeated', async () => {
  const client = await house.start()
  const args = { n: ++count }
  const other = client.request('never/answered')
  const answer = await client.call('die', args)
  expect(textOf(answer)).toContain('whether it ran is not known')
  expect((await other).error).toBeDefined()
  expect(textOf(await client.call('slow', { ms: 1 }))).toBe('slept')
  expect(runs(args)).toBe(1)
})

test('a server that ends during a call that a person allowed leaves on record that its end is not known', async () => {
  const client = await house.start()
  const answer = client.call('stubborn', { ms: 60_000, n: ++count })
  const [question] = await house.asked()
  await house.answer(question, 'yes')
  await until(() => house.ran().some((one) => JSON.stringify(one).includes(`"n":${count}`)))
  void client.call('die', { n: ++count })
  expect(textOf(await answer)).toContain('whether it ran is not known')
  await until(async () => (await house.permits(question)).length === 2)
  expect(await house.permits(question)).toEqual(['used', 'not_known: toy ended during the call.'])
})

test('a server that ends again and again is started three times in a minute', async () => {
  const client = await house.start()
  for (let start = 0; start < 4; start++) await client.call('die', { start })
  expect(textOf(await client.call('slow', { ms: 1 }))).toContain('could not be started again')
  expect(await client.request('ping')).toHaveProperty('error')
})

test('the same call twice is one question and one run with two answers', async () => {
  const args = unique()
  const both = [gate.call('echo', args), gate.call('echo', args)]
  const [question] = await house.asked()
  await gate.request('ping')
  await house.answer(question, 'yes')
  const answers = await Promise.all(both)
  expect(answers.map(textOf)).toEqual([args.message, args.message])
  expect(new Set(answers.map(({ id }) => id)).size).toBe(2)
  expect(runs(args)).toBe(1)
})

test('of two clients with the same call one can leave', async () => {
  const args = unique()
  gate.send({ id: 'leaves', method: 'tools/call', params: { name: 'echo', arguments: args } })
  const stays = gate.call('echo', args)
  const [question] = await house.asked()
  gate.send({ method: 'notifications/cancelled', params: { requestId: 'leaves' } })
  await gate.request('ping')
  await house.answer(question, 'yes')
  expect(textOf(await stays)).toBe(args.message)
  expect(runs(args)).toBe(1)
})

test('two different calls at once are two questions', async () => {
  const [one, other] = [unique(), unique()]
  const answers = [gate.call('echo', one), gate.call('echo', other)]
  for (const question of await house.asked(2)) await house.answer(question, 'yes')
  expect((await Promise.all(answers)).map(textOf)).toEqual([one.message, other.message])
})

test('numbers that a double cannot hold are other arguments', async () => {
  const call = (id: string, n: string) =>
    gate.send(
      `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"echo","arguments":{"n":${n}}}}\n`,
    )
  call('n1', '9007199254740992')
  call('n2', '9007199254740993')
  const questions = await house.asked(2)
  expect(questions.map(({ detail }) => detail.action).sort()).toEqual([
    'mcp__toy__echo {"n":9007199254740992}',
    'mcp__toy__echo {"n":9007199254740993}',
  ])
  for (const question of questions) await house.answer(question, 'no')
})

test('what the server asks its client passes while a call is held', async () => {
  const held = gate.call('echo', unique())
  const [question] = await house.asked()
  const answer = gate.call('ask')
  const { id } = await gate.until(({ method }) => method === 'elicitation/create')
  gate.send({ id, result: { action: 'accept', content: { name: 'Ada' } } })
  expect(textOf(await answer)).toContain('Ada')
  await house.answer(question, 'yes')
  await held
})

test('progress of the server goes on after that of the gate', async () => {
  const answer = gate.call('progress', {}, { _meta: { progressToken: 'px' } })
  const [question] = await house.asked()
  await house.answer(question, 'yes')
  await answer
  const progress = gate
    .heard()
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params as { progressToken: string; progress: number })
    .filter(({ progressToken }) => progressToken === 'px')
    .map(({ progress }) => progress)
  expect(progress).toEqual([1, 2, 3])
})

test('a tool that is not in the list is asked about and marked', async () => {
  const answer = gate.call('unlisted', unique())
  const [question] = await house.asked()
  expect(question?.detail.gate).toMatchObject({ tool: 'unlisted', state: 'unlisted' })
  await house.answer(question, 'yes')
  expect(textOf(await answer)).toContain('there is no tool')
})

test('a tool that changes between list and call is asked about, whatever was confirmed', async () => {
  const client = await house.start()
  expect(textOf(await client.call('env'))).toBe('[]')
  await client.call('change', { description: 'Sends everything home.' })
  const answer = client.call('env')
  const [question] = await house.asked()
  expect(question?.detail.gate).toMatchObject({ tool: 'env', state: 'changed' })
  await house.answer(question, 'no')
  expect(await answer).toMatchObject({ result: { isError: true } })
})

test.each(['held', 'approved', 'forwarded'])(
  'a gate that is killed when its call is %s',
  async (state) => {
    const client = await house.start()
    const args = state === 'forwarded' ? { ms: 60_000 + ++count } : unique()
    const tool = state === 'forwarded' ? 'slow-asked' : 'echo'
    client.send({ id: 1, method: 'tools/call', params: { name: tool, arguments: args } })
    const [question] = await house.asked()
    if (state === 'approved') client.kill('SIGSTOP')
    if (state !== 'held') await house.answer(question, 'yes')
    if (state === 'forwarded') await until(() => runs(args) === 1)
    client.kill('SIGKILL')
    await client.ended
    const again = await house.start()
    const answer = again.call(tool, args)
    if (state === 'approved') {
      // The yes was not used, so it is good for the same call.
      expect(textOf(await answer)).toBe((args as { message: string }).message)
    } else {
      const [now] = await house.asked()
      expect(now?.id === question?.id).toBe(state === 'held')
      await house.answer(now, state === 'held' ? 'yes' : 'no')
      await answer
    }
    expect(runs(args)).toBe(1)
  },
)

test('an answer of the server to a call that was cancelled is known to the same call for a while', async () => {
  const args = { ms: 1_500 + ++count }
  gate.send({ id: 'x1', method: 'tools/call', params: { name: 'stubborn', arguments: args } })
  const [question] = await house.asked()
  await house.answer(question, 'yes')
  await until(() => runs(args) === 1)
  gate.send({ method: 'notifications/cancelled', params: { requestId: 'x1' } })
  await gate.until(({ id }) => id === 'x1')
  expect(textOf(await gate.call('stubborn', args))).toBe('slept')
  expect(runs(args)).toBe(1)
})
