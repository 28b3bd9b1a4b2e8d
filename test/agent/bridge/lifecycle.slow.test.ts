import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'
import { type BridgeProcess, bridgeProcess } from '../../support/bridge-process.ts'
import { modernMeta, rpc, toolCall } from '../../support/mcp-world.ts'
import type { ServerProcess } from '../../support/server-process.ts'

setDefaultTimeout(60_000)

let house: AgentHouse
let server: ServerProcess
beforeAll(async () => {
  house = await agentHouse()
  server = await house.start()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await house[Symbol.asyncDispose]()
})

function bridge(
  more: Record<string, string> = {},
  options: Parameters<typeof bridgeProcess>[1] = {},
): BridgeProcess {
  const env = { HOME: house.data, BECKON_URL: house.url, BECKON_TOKEN: house.token }
  return bridgeProcess({ ...env, ...more }, options)
}

const ask = (question: string, id: unknown, meta?: Record<string, unknown>) => ({
  ...toolCall('ask_user', { question, timeoutMs: 55_000 }, meta),
  id,
})

test('the end comes with the end of the input, at once when nothing is under way', async () => {
  // A busy server may take longer for its list than clients like to wait.
  await using process = bridge({}, { limits: { listMs: 30_000 } })
  process.send(rpc('ping', undefined, 'p'))
  expect(await process.reply('p')).toEqual({ jsonrpc: '2.0', result: {}, id: 'p' })
  process.closeInput()
  expect(await process.ended).toEqual({ code: 0, err: '' })
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the end comes with %s while a call waits',
  async (signal) => {
    await using process = bridge()
    process.send(ask(`Until ${signal}?`, 1))
    await house.opened(({ question }) => question === `Until ${signal}?`)
    process.kill(signal)
    expect(await process.ended).toEqual({ code: 0, err: '' })
    expect(process.heard()).toEqual([])
    // The person may still answer; it was the call that ended.
    await house.opened(({ question }) => question === `Until ${signal}?`)
  },
)

test('the end comes with the end of the input while a call waits, and quick replies still arrive', async () => {
  await using process = bridge()
  process.send(`${JSON.stringify(ask('Long?', 1))}\n${JSON.stringify(rpc('tools/list'))}`)
  process.closeInput()
  expect(await process.ended).toEqual({ code: 0, err: '' })
  expect(process.heard()).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }])
})

test('the end comes when nobody reads any more', async () => {
  const main = `${import.meta.dir}/../../../src/main.ts`
  const line = JSON.stringify(rpc('tools/list'))
  const script = `{ for i in 1 2 3 4; do echo '${line}'; sleep 1; done; sleep 20; } | { '${process.execPath}' --no-env-file '${main}' mcp; echo "code $?" >&2; } | true`
  const child = Bun.spawn(['sh', '-c', script], {
    env: { PATH: process.env.PATH ?? '', HOME: house.data, BECKON_URL: house.url },
    stderr: 'pipe',
    stdout: 'ignore',
  })
  const reader = child.stderr.getReader()
  const output = new TextDecoder().decode((await reader.read()).value)
  expect(output).toBe('code 0\n')
  child.kill('SIGKILL')
  await child.exited
})

test('calls run side by side, and a cancelled one is not answered', async () => {
  await using process = bridge()
  for (const id of [1, 'two', 3]) process.send(ask(`Question ${id}?`, id))
  const one = await house.opened(({ question }) => question === 'Question 1?')
  const two = await house.opened(({ question }) => question === 'Question two?')
  const three = await house.opened(({ question }) => question === 'Question 3?')
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' }
  process.send({ ...cancelled, params: { requestId: 'two', reason: 'user-cancel' } })
  process.send({ ...cancelled, params: { requestId: 99 } })
  await house.answer(three.correlationId, { value: 'yes' })
  expect(await process.reply(3)).toMatchObject({ result: { structuredContent: { value: 'yes' } } })
  await house.answer(one.correlationId, { value: 'no' })
  expect(await process.reply(1)).toMatchObject({ result: { structuredContent: { value: 'no' } } })
  await house.answer(two.correlationId, { value: 'yes' })
  process.send(rpc('ping', undefined, 'last'))
  await process.reply('last')
  expect(process.heard().map(({ id }) => id)).toEqual([3, 1, 'last'])
})

test('a call has what only this process knows, and keeps what was sent', async () => {
  await using process = bridge({ CLAUDE_CODE_SESSION_ID: 'session-of-env' })
  process.send(
    rpc('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'codex-mcp-client', version: '1' },
    }),
  )
  await process.reply(1)
  process.send(ask('Named?', 2, { callId: 'call_1' }))
  const question = await house.opened(({ question }) => question === 'Named?')
  expect(question).toMatchObject({
    agentName: expect.stringMatching(/^Codex - /),
    sessionId: 'session-of-env',
  })
  process.send(ask('Named?', 3, { callId: 'call_1' }))
  process.send({
    ...toolCall('ask_user', { question: 'Own?', agentName: 'Me', sessionId: 'mine' }),
    id: 4,
  })
  const own = await house.opened(({ question }) => question === 'Own?')
  expect(own).toMatchObject({ agentName: 'Me', sessionId: 'mine' })
  process.send(ask('Meta?', 5, { sessionId: 'of-meta' }))
  const meta = await house.opened(({ question }) => question === 'Meta?')
  expect(meta).toMatchObject({ sessionId: 'of-meta' })
  // The same call under its id is the same question.
  const twice = (await house.inbox()).filter(({ question }) => question === 'Named?')
  expect(twice).toHaveLength(1)
})

test('a request without handshake goes on with the headers it needs', async () => {
  await using process = bridge()
  process.send(rpc('server/discover', { _meta: modernMeta() }, 'server-discover-probe-1'))
  expect(await process.reply('server-discover-probe-1')).toMatchObject({
    result: { supportedVersions: ['2026-07-28'] },
  })
  process.send(rpc('tools/call', { name: 'ünknown\n', _meta: modernMeta() }, 2))
  expect(await process.reply(2)).toMatchObject({ error: { code: -32602 } })
  process.send(rpc('tools/call', { name: 'wait_for_answer', _meta: modernMeta() }, 3))
  expect(await process.reply(3)).toMatchObject({ result: { isError: true } })
})

test('a client that hides ask_user is offered ask_human', async () => {
  await using process = bridge()
  const clientInfo = { name: 'gemini-cli-mcp-client', version: '1' }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  process.send(rpc('initialize', hello))
  await process.reply(1)
  process.send(rpc('tools/list', undefined, 2))
  expect(await process.reply(2)).toMatchObject({
    result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'ask_human' })]) },
  })
})

test('a wrong token is reported to the model and in the log', async () => {
  await using process = bridge({ BECKON_TOKEN: 'bk_wrong' })
  process.send(rpc('tools/list'))
  await process.reply(1)
  process.send(ask('Anybody?', 2))
  const { result } = (await process.reply(2)) as { result: Record<string, unknown> }
  expect(result).toMatchObject({ isError: true })
  expect(JSON.stringify(result.content)).toContain('does not accept the token of BECKON_TOKEN')
  process.closeInput()
  const { err } = await process.ended
  expect(err).toMatch(/^The Beckon server at .*beckon key create".\n$/)
})

test('an address with another server is reported', async () => {
  using other = Bun.serve({ port: 0, fetch: () => new Response('<p>Hello', { status: 404 }) })
  await using process = bridge({ BECKON_URL: `http://localhost:${other.port}` })
  process.send(ask('Anybody?', 2))
  const { result } = (await process.reply(2)) as { result: Record<string, unknown> }
  expect(JSON.stringify(result)).toContain('not as a Beckon server does')
})

test('an invalid address is reported before anything else', async () => {
  await using process = bridge({ BECKON_URL: 'nowhere' })
  const { code, err } = await process.ended
  expect([code, err]).toEqual([2, expect.stringContaining('BECKON_URL')])
  expect(process.heard()).toEqual([])
})
