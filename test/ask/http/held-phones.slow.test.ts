import { expect, test } from 'bun:test'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'
import { until } from '../../support/until.ts'

type Json = Record<string, unknown>

/** As an agent, over REST. */
async function post({ url, token }: AgentHouse, path: string, body: Json): Promise<Json> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  return response.status === 204 ? {} : ((await response.json()) as Json)
}

test('a push that is held while somebody is at the terminal survives kill -9, and rings once', async () => {
  await using house = await agentHouse()
  await using first = await house.start()
  await post(house, '/sessions/presence', { machineId: 'm1' })
  const ask = { machineId: 'm1', requestId: 'call_1', wait: false, timeoutMs: 8_000 }
  const result = await post(house, '/questions', { ...ask, question: 'Deploy now?' })
  expect(result).toMatchObject({ suppressed: true, delivery: { web: 0, mobile: 0, pending: true } })
  await first.end('SIGKILL')
  expect(house.push.delivered).toHaveLength(0)

  await using second = await house.start()
  await until(() => house.push.delivered.length > 0)
  const again = () => post(house, '/questions', { ...ask, question: 'Deploy now?' })
  await until(async () => ((await again()).delivery as Json).mobile === 1)
  const retry = await again()
  expect(retry).toMatchObject({ correlationId: result.correlationId })
  expect(retry).not.toHaveProperty('suppressed')
  await second.end('SIGTERM')
  expect(house.push.delivered).toHaveLength(1)
}, 60_000)

test('only a phone, somebody at the terminal: it rings while the call still waits', async () => {
  await using house = await agentHouse()
  await using _ = await house.start()
  await post(house, '/sessions/presence', { machineId: 'm1' })
  const ask = { question: 'Deploy now?', machineId: 'm1', timeoutMs: 10_000 }
  const asking = post(house, '/questions', ask)
  await house.push.until(1)
  const { correlationId } = await house.opened()
  expect(await house.answer(correlationId, { value: 'yes' })).toBe(200)
  expect(await asking).toMatchObject({ value: 'yes' })
}, 60_000)
