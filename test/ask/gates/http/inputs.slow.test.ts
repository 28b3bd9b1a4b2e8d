import { expect, setDefaultTimeout, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { answerQuestion } from '../../../../src/ask/answering/answer-question.ts'
import type { Question } from '../../../../src/ask/questions/model/question.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { type HttpGateWorld, httpGateWorld } from '../../../support/http-gate-world.ts'
import { inputServer } from '../../../support/input-server.ts'
import { noSender } from '../../../support/no-sender.ts'
import { onEnded } from '../../../support/on-ended.ts'
import { until } from '../../../support/until.ts'

setDefaultTimeout(60_000)

type Json = Record<string, unknown>

const VERSION = { versionNegotiation: { mode: 'auto' } } as const
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
}

/** A gate whose server asks for more, and what that was called with. */
async function asking(responseMode: 'auto' | 'sse' | 'json' = 'auto') {
  const world = await httpGateWorld('modern')
  const ran: boolean[] = []
  const handler = createMcpHandler(
    () => inputServer((_, state) => void ran.push(state !== undefined)),
    { responseMode },
  )
  world.toy.answer((request) => handler.fetch(request))
  const client = async (capabilities: Json = {}, more: Record<string, string> = {}) => {
    const one = new Client({ name: 'sdk', version: '1' }, { ...VERSION, capabilities })
    const requestInit = { headers: world.headers(more) }
    await one.connect(new StreamableHTTPClientTransport(new URL(world.url), { requestInit }))
    await one.listTools()
    await world.confirm('ask')
    return one
  }
  const { workspaceId, app } = world.house
  const deps = { db: app.db, clock: systemClock, onEnded: onEnded(noSender) }
  const answerTo = async (question: Question | undefined, value: string) => {
    await answerQuestion(deps, { workspaceId, questionId: question?.id ?? 'q_none', value })
  }
  return { world, ran, client, answerTo }
}

type Asking = Awaited<ReturnType<typeof asking>>

/** Answers the next questions, each by the words that its text has. */
async function answerAll({ world, answerTo }: Asking, ...values: string[]): Promise<Question[]> {
  const all: Question[] = []
  for (const value of values) {
    const [question] = await world.asked()
    await answerTo(question, value)
    if (question) all.push(question)
  }
  return all
}

function textIn(result: unknown): string {
  return (result as { content: Array<{ text: string }> }).content[0]?.text ?? ''
}

const SEATED = JSON.stringify({ seat: 'aisle' })

for (const mode of ['json', 'sse'] as const)
  test(`what a server asks in a result is answered at Beckon, and the client gets the end of it (${mode})`, async () => {
    const all = await asking(mode)
    await using world = all.world
    const client = await all.client()
    const call = client.callTool({ name: 'ask', arguments: { rounds: 2 } })
    const questions = await answerAll(all, 'Answer', SEATED, 'Answer', SEATED)
    const accepted = { seat: { action: 'accept', content: { seat: 'aisle' } } }
    expect(JSON.parse(textIn(await call))).toEqual([accepted, accepted])
    expect(all.ran).toEqual([false, true, true])
    expect(questions[0]).toMatchObject({
      question: 'toy asks: Which seat?',
      detail: { context: 'It asks for Seat.' },
    })
    expect(await world.asked(0)).toEqual([])
  })

test('the yes to a call holds for the rounds of that call, and for nothing else', async () => {
  const all = await asking()
  await using world = all.world
  const client = await all.client()
  await world.rule({ match: { toolName: 'mcp__toy__ask' }, decision: 'ask', set: {} })
  const call = client.callTool({ name: 'ask', arguments: { rounds: 2 } })
  const [question] = await world.asked()
  await world.answer(question, 'yes')
  await answerAll(all, 'Answer', SEATED, 'Decline')
  expect(textIn(await call)).toContain('"decline"')
  await until(async () => (await world.permits(question)).length === 2)
  expect(await world.permits(question)).toEqual(['used', 'succeeded'])
  const again = client.callTool({ name: 'ask', arguments: { rounds: 2 } })
  const [other] = await world.asked()
  expect(other).toMatchObject({ question: 'Use ask of toy?' })
  await world.answer(other, 'no')
  expect(await again).toMatchObject({ isError: true })
})

test('two forms at once are two questions, and a client answers its roots itself', async () => {
  const all = await asking()
  await using world = all.world
  const client = await all.client({ roots: {} })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///mine' }] }))
  const call = client.callTool({
    name: 'ask',
    arguments: { requests: ['seat', 'roots', 'meal'] },
  })
  const questions = await world.asked(2)
  for (const one of questions) await all.answerTo(one, 'Answer')
  await until(async () => (await world.asked(2)).every(({ detail }) => detail.form))
  for (const one of await world.asked(2)) {
    const isSeat = one.question.includes('seat')
    await all.answerTo(one, isSeat ? SEATED : JSON.stringify({ meal: 'soup' }))
  }
  expect(JSON.parse(textIn(await call))).toEqual([
    {
      seat: { action: 'accept', content: { seat: 'aisle' } },
      meal: { action: 'accept', content: { meal: 'soup' } },
      roots: { roots: [{ uri: 'file:///mine' }] },
    },
  ])
  expect(all.ran).toEqual([false, true])
})

test('a client that shows forms itself gets them, and answers them', async () => {
  const all = await asking()
  await using _ = all.world
  const client = await all.client({ elicitation: { form: {} } })
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { seat: 'window' },
  }))
  const result = await client.callTool({ name: 'ask', arguments: {} })
  expect(textIn(result)).toContain('window')
  expect(await all.world.asked(0)).toEqual([])
})

test('a server that asks without end is answered ten times, and one with an endless state never', async () => {
  const all = await asking()
  await using _ = all.world
  const client = await all.client()
  const forever = client.callTool({ name: 'ask', arguments: { rounds: 99 } })
  await answerAll(all, ...Array.from({ length: 10 }, () => 'Decline'))
  expect(await forever).toMatchObject({ isError: true })
  expect(all.ran).toHaveLength(11)
  const long = await client.callTool({ name: 'ask', arguments: { size: 1_100_000 } })
  expect(long).toMatchObject({ isError: true })
  expect(all.ran).toHaveLength(12)
})

test('nobody answers while the client waits: the form is cancelled, and its question withdrawn', async () => {
  const all = await asking()
  await using world = all.world
  const client = await all.client({}, { 'x-beckon-hold': '2' })
  const result = await client.callTool({ name: 'ask', arguments: {} })
  expect(JSON.parse(textIn(result))).toEqual([{ seat: { action: 'cancel' } }])
  expect(await world.asked(0)).toEqual([])
})

test('a client that goes takes the question with it, and the server is not asked again', async () => {
  const all = await asking()
  await using world = all.world
  const client = await all.client()
  const over = new AbortController()
  const options = { signal: over.signal }
  const call = client.callTool({ name: 'ask', arguments: {} }, options).catch(() => 'gone')
  await world.asked()
  over.abort()
  expect(await call).toBe('gone')
  expect(await world.asked(0)).toEqual([])
  expect(all.ran).toEqual([false])
})

test('progress rises over all rounds', async () => {
  const all = await asking('sse')
  await using _ = all.world
  const client = await all.client()
  const seen: number[] = []
  const onprogress = ({ progress }: { progress: number }) => void seen.push(progress)
  const call = client.callTool({ name: 'ask', arguments: { steps: 3 } }, { onprogress })
  await answerAll(all, 'Decline')
  await call
  expect(seen.length).toBeGreaterThanOrEqual(7)
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
})

const request = (capabilities: Json): string =>
  `{ "jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"ask","arguments":{"n":1.0},"_meta":${JSON.stringify(
    { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities },
  )}}}`

async function post({ url, headers }: HttpGateWorld, body: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: headers({
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'ask',
    }),
  })
  return await response.text()
}

/** Answers calls with these lines in turn; returns the bodies of the calls. */
function scripted(world: HttpGateWorld, ...replies: string[]): string[] {
  const bodies: string[] = []
  world.toy.answer(async (one) => {
    const body = await one.text()
    const { id } = JSON.parse(body)
    bodies.push(body)
    const text = replies.shift()?.replace('ID', JSON.stringify(id)) ?? ''
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  })
  return bodies
}

test('with a client that shows forms every byte passes as it came, both ways', async () => {
  const all = await asking()
  await using world = all.world
  await all.client()
  const reply =
    '{"id":9007199254740993, "jsonrpc":"2.0","result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"form"}}},"requestState":"s\\u0041"}}'
  const bodies = scripted(world, reply)
  const body = request({ elicitation: {} })
  expect(await post(world, body)).toBe(reply)
  expect(bodies).toEqual([body])
})

test('without, the state goes back as it was written, and a request for an address is declined', async () => {
  const all = await asking()
  await using world = all.world
  await all.client()
  const url = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Go', url: 'https://x' },
  }
  const bodies = scripted(
    world,
    `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","inputRequests":{"a":${JSON.stringify(url)}},"requestState":"s\\u0041"}}`,
    '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"big":9007199254740993,"resultType":"complete"}}',
  )
  expect(await post(world, request({ roots: {} }))).toBe(
    '{"jsonrpc":"2.0","id":9007199254740993,"result":{"content":[],"big":9007199254740993,"resultType":"complete"}}',
  )
  const [first = '', second = ''] = bodies
  expect(JSON.parse(first).params._meta).toMatchObject({
    'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: { form: {} } },
  })
  expect(second).toContain('"arguments":{"n":1.0}')
  expect(second).toContain('"requestState":"s\\u0041"')
  expect(JSON.parse(second).params.inputResponses).toEqual({ a: { action: 'decline' } })
  expect(JSON.parse(second).id).not.toBe(JSON.parse(first).id)
  expect(await world.asked(0)).toEqual([])
})
