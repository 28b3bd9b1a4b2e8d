import { expect, test } from 'bun:test'
import { type HttpGateWorld, httpGateWorld } from '../../../support/http-gate-world.ts'
import { until } from '../../../support/until.ts'

type Content = { isError?: boolean; content: Array<{ text: string }> }

const wordsOf = (result: unknown) => (result as Content).content[0]?.text ?? ''
const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Posts a message to the gate, as a client that has no session. */
function post({ url, headers }: HttpGateWorld, message: object | string, more = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { ...headers(), ...TYPES, ...more },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
}

const call = (id: number, args: object = {}) => ({
  jsonrpc: '2.0',
  ...{ id, method: 'tools/call', params: { name: 'echo', arguments: args } },
})

test('a server that wants a sign-in is not the fault of the agent', async () => {
  await using world = await httpGateWorld()
  const client = await world.client()
  await world.confirm('echo')
  const challenge = { 'www-authenticate': 'Bearer resource_metadata="https://a.example"' }
  world.toy.answer(() => new Response('no', { status: 401, headers: challenge }))
  const result = (await client.callTool({ name: 'echo', arguments: {} })) as Content
  expect(result.isError).toBe(true)
  expect(wordsOf(result)).toContain('Settings, Gates')
  const listing = await post(world, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(listing.status).toBe(502)
  expect(listing.headers.get('www-authenticate')).toBeNull()
  expect(await listing.text()).toContain('not about the token of this agent')
})

test('a server that is gone when the yes comes ran nothing, and the model reads so', async () => {
  await using world = await httpGateWorld()
  const client = await world.client()
  const result = client.callTool({ name: 'echo', arguments: {} })
  const [question] = await world.asked()
  await world.toy.die()
  await world.answer(question, 'yes')
  expect(await result).toMatchObject({ isError: true })
  expect(wordsOf(await result)).toContain('Nothing was run')
})

test('a stream of the server that ends without an answer is told as not known', async () => {
  await using world = await httpGateWorld()
  const client = await world.client()
  const result = client.callTool({ name: 'echo', arguments: {} })
  const [question] = await world.asked()
  const headers = { 'content-type': 'text/event-stream' }
  world.toy.answer(() => new Response(': \n\n', { headers }))
  await world.answer(question, 'yes')
  expect(wordsOf(await result)).toContain('not known')
})

test('a client that cancels, or vanishes, withdraws its question', async () => {
  await using world = await httpGateWorld()
  const client = await world.client()
  const stop = new AbortController()
  const { signal } = stop
  const cancelled = client.callTool({ name: 'echo', arguments: { a: 1 } }, undefined, { signal })
  cancelled.catch(() => {})
  const [first] = await world.asked()
  stop.abort()
  await until(async () => (await world.look(first)).status === 'cancelled')
  const gone = new AbortController()
  const vanished = fetch(world.url, {
    method: 'POST',
    headers: { ...world.headers(), ...TYPES },
    body: JSON.stringify(call(7, { a: 2 })),
    signal: gone.signal,
  })
  vanished.catch(() => {})
  const [second] = await world.asked()
  gone.abort()
  await until(async () => (await world.look(second)).status === 'cancelled')
  expect(world.toy.ran).toEqual([])
})

test('the same call twice is one question and one execution, answered twice', async () => {
  await using world = await httpGateWorld('modern')
  const client = await world.client()
  const both = [1, 2].map(() => client.callTool({ name: 'echo', arguments: { message: 'a' } }))
  const [question] = await world.asked()
  // Both have to be held before the answer.
  await Bun.sleep(300)
  await world.answer(question, 'yes')
  for (const result of await Promise.all(both)) expect(wordsOf(result)).toBe('a')
  expect(world.toy.ran).toHaveLength(1)
})

test('arguments of 10 MB and results of 16 MB pass', async () => {
  await using world = await httpGateWorld()
  const client = await world.client()
  const message = 'x'.repeat(10_000_000)
  const echoed = client.callTool({ name: 'echo', arguments: { message } })
  const [question] = await world.asked()
  // The SDK takes no more than 4 MiB.
  world.toy.answer(async (request) => {
    const { id, params } = (await request.json()) as ReturnType<typeof call>
    const { length } = (params.arguments as { message: string }).message
    return Response.json({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: `${length}` }] },
    })
  })
  await world.answer(question, 'yes')
  expect(wordsOf(await echoed)).toBe('10000000')
  world.toy.answer(undefined)
  await world.confirm('big')
  const big = await client.callTool({ name: 'big', arguments: { size: 16_000_000 } })
  expect(wordsOf(big)).toHaveLength(16_000_000)
})

test('what a gate cannot read does not reach its server', async () => {
  await using world = await httpGateWorld()
  const before = world.toy.headers.length
  const twice = '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping"}'
  const statuses = [
    (await post(world, 'no JSON')).status,
    (await post(world, twice)).status,
    (await post(world, [call(1), call(2)])).status,
    (await post(world, call(1), { 'content-encoding': 'gzip' })).status,
    (await post(world, call(1), { 'content-type': 'application/json; charset=utf-16' })).status,
  ]
  expect(statuses).toEqual([400, 400, 400, 415, 415])
  expect(world.toy.headers).toHaveLength(before)
})

test('the gate of another workspace does not exist, and without a token nothing does', async () => {
  await using world = await httpGateWorld()
  const other = await world.house.token({ workspaceId: 'ws_other' })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const theirs = await post(world, ping, { authorization: `Bearer ${other}` })
  expect(theirs.status).toBe(404)
  expect((await post(world, ping, { authorization: '' })).status).toBe(401)
  expect(world.toy.headers).toEqual([])
})

test('a tool that changed asks again, although the client was not told', async () => {
  await using world = await httpGateWorld()
  const client = await world.client()
  await world.confirm('echo')
  await client.callTool({ name: 'echo', arguments: {} })
  world.toy.change('Sends its message away.')
  await post(world, { jsonrpc: '2.0', id: 1, method: 'ping' })
  const other = await world.client()
  const result = client.callTool({ name: 'echo', arguments: {} })
  const [question] = await world.asked()
  expect(question?.detail.gate?.state).toBe('changed')
  await world.answer(question, 'no')
  expect(await result).toMatchObject({ isError: true })
  await other.close()
})
