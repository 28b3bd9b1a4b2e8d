import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { lineProcess, TOY, textOf } from '../../support/gate-process.ts'
import { PROGRAM } from '../../support/program.ts'

setDefaultTimeout(120_000)

let house: GateHouse
beforeAll(async () => {
  house = await gateHouse()
  const first = await house.start()
  await house.confirm('big', 'slow')
  await first[Symbol.asyncDispose]()
})
afterAll(() => house[Symbol.asyncDispose]())

test('arguments of 10 MB are shown in part, answered on the page alone, and passed on whole', async () => {
  const gate = await house.start()
  const message = 'x'.repeat(10 * 1024 * 1024)
  const answer = gate.call('echo', { message })
  const [question] = await house.asked()
  const { gate: call, actionBody = '' } = question?.detail ?? {}
  expect(call).toMatchObject({ cut: true })
  expect(actionBody.length).toBeLessThanOrEqual(4_000)
  await house.answer(question, 'yes')
  expect(textOf(await answer) === message).toBe(true)
})

test('a result of 16 MB passes', async () => {
  const gate = await house.start()
  const size = 16 * 1024 * 1024
  expect(textOf(await gate.call('big', { size })).length).toBe(size)
})

test('calls of a batch are decided one by one, and what needs nobody runs', async () => {
  const gate = await house.start()
  const call = (id: string, name: string, args: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: args },
  })
  const ping = { jsonrpc: '2.0', id: 'b0', method: 'ping' }
  gate.send(`${JSON.stringify([ping, call('b1', 'big', { size: 2 })])}\n`)
  expect(textOf(await gate.until(({ id }) => id === 'b1'))).toBe('xx')
  const batch = [call('b2', 'big', { size: 3 }), call('b3', 'echo', { message: 'b' }), ping]
  gate.send(`${JSON.stringify(batch)}\n`)
  expect(textOf(await gate.until(({ id }) => id === 'b2'))).toBe('xxx')
  const [question] = await house.asked()
  await house.answer(question, 'no')
  expect(textOf(await gate.until(({ id }) => id === 'b3'))).toContain('declined')
})

test('a call with a member twice, without an id, or in a line that is no JSON does not reach the server', async () => {
  const gate = await house.start()
  const before = house.ran().length
  gate.send(
    '{"jsonrpc":"2.0","id":"d1","method":"tools/call","params":{"name":"slow","arguments":{"ms":1,"ms":2}}}\n',
  )
  gate.send('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"slow","arguments":{}}}\n')
  gate.send(
    '{"jsonrpc":"2.0","id":"d2","method":"tools/call","params":{"name":"slow","arguments":NaN}}\n',
  )
  expect(textOf(await gate.until(({ id }) => id === 'd1'))).toContain('a member twice')
  const params = '"params":{"name":"slow","arguments":{"ms":1}}'
  gate.send(`{"jsonrpc":"2.0","id":"d3","method":"tools/call",${params},"method":"ping"}\n`)
  gate.send(`{"jsonrpc":"2.0","id":"d4","method":"ping","Method":"tools/call",${params}}\n`)
  gate.send(`[{"jsonrpc":"2.0","id":"d5","method":"tools/call",${params},"method":"ping"}]\n`)
  gate.send(`\ufeff{"jsonrpc":"2.0","id":"d6","method":"tools\\u002fcall",${params}}\n`)
  for (const refused of ['d3', 'd4', 'd5'])
    expect(await gate.until(({ id }) => id === refused)).toHaveProperty('error')
  const two = '"params":{"name":"echo","Name":"slow","arguments":{"message":"a"}}'
  gate.send(`{"jsonrpc":"2.0","id":"d7","method":"tools/call",${two}}\n`)
  expect(textOf(await gate.until(({ id }) => id === 'd7'))).toContain('Nothing was run')
  await gate.request('ping')
  expect(house.ran()).toHaveLength(before)
})

test('it starts with the few variables that Codex gives a server', async () => {
  const { PATH = '', LANG = 'C', TERM = 'xterm', SHELL = '/bin/sh' } = process.env
  const env = ['-i', `HOME=${house.home}`, `PATH=${PATH}`, `LANG=${LANG}`, `TERM=${TERM}`]
  const words = ['env', ...env, `SHELL=${SHELL}`, ...PROGRAM, 'gate', 'toy', '--', ...TOY]
  await using gate = lineProcess(words)
  await gate.begin()
  expect(textOf(await gate.call('big', { size: 1 }))).toBe('x')
})

test('500 calls at once each have one answer, and none runs unasked', async () => {
  const gate = await house.start({ hold: 5 })
  const before = house.ran().length
  const calls = Array.from({ length: 500 }, (_, n) => gate.call('echo', { n }))
  const answers = await Promise.all(calls)
  expect(answers.every(({ result }) => (result as { isError?: boolean }).isError)).toBe(true)
  expect(house.ran()).toHaveLength(before)
  const allowed = await Promise.all(Array.from({ length: 500 }, () => gate.call('slow', { ms: 1 })))
  expect(new Set(allowed.map(textOf))).toEqual(new Set(['slept']))
})
