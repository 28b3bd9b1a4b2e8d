import { expect, test } from 'bun:test'
import { RATES } from '../../../src/platform/http/limits.ts'
import { wholeServer } from '../../support/whole-server.ts'

test('calls over MCP and REST count towards one limit of their token', async () => {
  await using house = await wholeServer()
  const [wild, calm] = [await house.token(), await house.token()]
  const withdraw = (token: string) => house.call(token, 'cancel_question', { correlationId: 'q_1' })
  const read = (token: string) =>
    fetch(`${house.url}/api/v1/questions/q_1`, { headers: { authorization: `Bearer ${token}` } })
  await Promise.all(Array.from({ length: RATES.token.burst }, () => withdraw(wild)))
  expect(await refusedRead(() => read(wild))).toMatch(/^\d+$/)
  expect((await read(calm)).status).toBe(200)
})

/** Reads faster than the limit allows until a read is refused: its `Retry-After`. */
async function refusedRead(read: () => Promise<Response>) {
  for (let round = 0; round < 20; round++) {
    const responses = await Promise.all(Array.from({ length: 100 }, read))
    const refused = responses.find(({ status }) => status === 429)
    if (refused) return refused.headers.get('retry-after')
  }
  throw new Error('no read was refused')
}
