import { expect, setDefaultTimeout, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type AgentHouse, agentHouse } from '../../../support/agent-house.ts'
import { httpMcpServer } from '../../../support/http-mcp-server.ts'

setDefaultTimeout(60_000)

type Result = { isError?: boolean; content: Array<{ text: string }> }
const wordsOf = (result: unknown) => (result as Result).content[0]?.text ?? ''

/** A server behind a gate that an agent's machine registered, and a client that has listed its tools. */
async function connected({ url, token }: AgentHouse, upstream: string): Promise<Client> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: upstream })
  const registered = await fetch(`${url}/api/v1/gates/toy/server`, {
    method: 'POST',
    headers,
    body,
  })
  expect(registered.status).toBe(200)
  const client = new Client({ name: 'sdk', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const gate = new URL(`${url}/gate/toy`)
  await client.connect(new StreamableHTTPClientTransport(gate, { requestInit }) as never)
  await client.listTools()
  return client
}

/** The owner ticks one tool on the page of the gate. */
async function confirm(house: AgentHouse, unasked: string): Promise<void> {
  const [page = ''] = /\/settings\/gates\/gate_\w+/.exec(await house.page('/settings/gates')) ?? []
  const seen = /name="seen" value="(\w+)"/.exec(await house.page(page))?.[1] ?? ''
  expect(await house.form(`${page}/confirm`, { seen, from: '0', unasked })).toBe(303)
}

test('after a restart what an owner confirmed still runs unasked, in the words that the client was listed', async () => {
  await using house = await agentHouse()
  await using toy = await httpMcpServer('old')
  const server = await house.start()
  const client = await connected(house, toy.url)
  await confirm(house, 'echo')
  const echo = (message: string) => client.callTool({ name: 'echo', arguments: { message } })
  expect(wordsOf(await echo('before'))).toBe('before')
  await server.end('SIGKILL')
  const again = await house.start()
  expect(wordsOf(await echo('after'))).toBe('after')
  expect(await house.inbox()).toEqual([])
  await again.end('SIGKILL')
  // Nobody hears of it.
  toy.change('Sends its message away.')
  await using _ = await house.start()
  const changed = echo('other words')
  const { correlationId } = await house.opened()
  await house.answer(correlationId, { value: 'no' })
  expect(await changed).toMatchObject({ isError: true })
  await client.close()
})
