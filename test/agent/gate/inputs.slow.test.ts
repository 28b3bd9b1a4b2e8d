import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { type GateProcess, gateProcess } from '../../support/gate-process.ts'
import { PROGRAM } from '../../support/program.ts'

setDefaultTimeout(60_000)

const ASKS = [process.execPath, join(import.meta.dir, 'input-server.ts')]
const SEATED = JSON.stringify({ seat: 'aisle' })
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
}

let house: GateHouse
beforeAll(async () => {
  house = await gateHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

async function answerAll(...values: string[]): Promise<void> {
  for (const value of values) {
    const [question] = await house.asked()
    await house.reply(question, value)
  }
}

const metaOf = (capabilities: object) => ({
  _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities },
})

/** A gate whose server asks for more; its tool is confirmed. */
async function asking(capabilities: object): Promise<GateProcess> {
  const gate = gateProcess({ env: house.env, hold: 60, name: 'toy' }, ASKS)
  await gate.request('server/discover', metaOf(capabilities))
  await gate.request('tools/list', metaOf(capabilities))
  await house.confirm('ask')
  return gate
}

test('the official client without forms gets the end of a call whose server asked a person for more', async () => {
  const { env, home } = house
  const words = ['gate', 'toy', '--hold', '60', '--', ...ASKS]
  const [command = '', ...rest] = [...PROGRAM, ...words]
  const transport = new StdioClientTransport({
    ...{ command, args: rest, cwd: home, stderr: 'ignore' },
    env: { ...(process.env as Record<string, string>), ...env },
  })
  const client = new Client({ name: 'sdk', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  await client.listTools()
  await house.confirm('ask')
  const call = client.callTool({ name: 'ask', arguments: { rounds: 2 } })
  await answerAll('Answer', SEATED, 'Decline')
  const { content } = (await call) as { content: Array<{ text: string }> }
  expect(JSON.parse(content[0]?.text ?? '')).toEqual([
    { seat: { action: 'accept', content: { seat: 'aisle' } } },
    { seat: { action: 'decline' } },
  ])
  await client.close()
})

test('a client that shows forms gets the result of its server with every byte', async () => {
  await using gate = await asking({ elicitation: {} })
  const answer = await gate.call('ask', {}, metaOf({ elicitation: {} }))
  expect(answer).toMatchObject({ result: { resultType: 'input_required' } })
  expect(Buffer.from(gate.out()).toString()).toContain(JSON.stringify(answer))
  expect(await house.open()).toEqual([])
})

test('a call that is cancelled, and a client that goes, take the question with them', async () => {
  await using gate = await asking({})
  gate.send({
    ...{ id: 'c', method: 'tools/call' },
    params: { name: 'ask', arguments: {}, ...metaOf({}) },
  })
  await house.asked()
  gate.send({ method: 'notifications/cancelled', params: { requestId: 'c' } })
  expect(await house.asked(0)).toEqual([])
  gate.send({
    ...{ id: 'd', method: 'tools/call' },
    params: { name: 'ask', arguments: { n: 2 }, ...metaOf({}) },
  })
  await house.asked()
  gate.closeInput()
  expect(await house.asked(0)).toEqual([])
  await gate.ended
  expect(gate.heard().filter(({ id }) => id === 'c' || id === 'd')).toEqual([])
})
