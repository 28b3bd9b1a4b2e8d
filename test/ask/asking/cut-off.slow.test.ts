import { expect, setDefaultTimeout, test } from 'bun:test'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

type Reply = { correlationId: string; status: string; value?: string }

/** A call without an id of its own; undefined if it broke off. */
async function ask({ url, token }: AgentHouse, more: object): Promise<Reply | undefined> {
  const request = fetch(`${url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Deploy?', timeoutMs: 30_000, ...more }),
  })
  return await request.then((response) => response.json() as Promise<Reply>).catch(() => undefined)
}

test('a call that broke off because its server was killed joins its question', async () => {
  await using house = await agentHouse()
  const first = await house.start()
  const cut = ask(house, {})
  const { correlationId } = await house.opened()
  await first.end('SIGKILL')
  expect(await cut).toBeUndefined()

  await using _second = await house.start()
  const again = ask(house, {})
  const other = await ask(house, { question: 'Another?', wait: false })
  expect((await house.inbox()).map((open) => open.correlationId).sort()).toEqual(
    [correlationId, String(other?.correlationId)].sort(),
  )
  await house.answer(correlationId, { value: 'yes' })
  expect(await again).toMatchObject({ correlationId, value: 'yes' })
})

test('a question without a call, and one whose call was told, are not joined', async () => {
  await using house = await agentHouse()
  const first = await house.start()
  const left = await ask(house, { wait: false })
  await first.end('SIGKILL')
  const second = await house.start()
  const asking = ask(house, { question: 'Told?' })
  await house.opened(({ question }) => question === 'Told?')
  await second.end('SIGTERM')
  expect(await asking).toMatchObject({ status: 'pending' })

  await using _third = await house.start()
  const leftAgain = await ask(house, { wait: false })
  // It is open and the same, so that it is joined.
  expect(leftAgain?.correlationId).toBe(left?.correlationId as string)
  const askingAgain = await ask(house, { question: 'Told?', wait: false })
  expect(askingAgain?.correlationId).toBe((await asking)?.correlationId as string)
  expect(await house.inbox()).toHaveLength(2)
})
