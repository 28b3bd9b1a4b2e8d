import { expect, test } from 'bun:test'
import { type BridgePlace, enriched } from '../../../src/agent/bridge/enrich.ts'
import { clientTitle } from '../../../src/agent/clients/mcp-client.ts'

const PLACE: BridgePlace = { sessionId: 's', machineId: 'm', repoKey: 'r', project: 'shop-api' }
const mint = () => 'minted'
const call = (params: object, place = PLACE) => enriched({ ...params }, place, 'Codex', mint)

test('each tool gets what it takes and nothing else', () => {
  expect(call({ name: 'ask_user', arguments: { question: 'Go?' } }).arguments).toEqual({
    question: 'Go?',
    agentName: 'Codex - shop-api',
    machineId: 'm',
    repoKey: 'r',
    requestId: 'minted',
    sessionId: 's',
  })
  const few = { agentName: 'Codex - shop-api', machineId: 'm', sessionId: 's' }
  expect(call({ name: 'send_notification' }).arguments).toEqual(few)
  expect(call({ name: 'propose_scope', arguments: {} }).arguments).toEqual(few)
  for (const name of ['wait_for_answer', 'cancel_question', 'other', '__proto__', 7]) {
    expect(call({ name, arguments: { a: 1 } })).toEqual({ name, arguments: { a: 1 } })
  }
})

test('what was sent stays, right or wrong', () => {
  const own = { agentName: '', machineId: 7, repoKey: null, sessionId: 'x', requestId: 'y' }
  expect(call({ name: 'ask_user', arguments: own }).arguments).toEqual(own)
  expect(call({ name: 'ask_user', arguments: 'text' })).toEqual({
    name: 'ask_user',
    arguments: 'text',
  })
})

test('what the client says of the call comes before what the process knows', () => {
  const argumentsFor = (meta: unknown) =>
    call({ name: 'ask_user', arguments: {}, _meta: meta }).arguments as Record<string, unknown>
  expect(argumentsFor({ callId: 'call_1', sessionId: 'own' })).not.toContainAnyKeys([
    'requestId',
    'sessionId',
  ])
  expect(argumentsFor({ 'claudecode/toolUseId': 'toolu_1' })).not.toContainKey('requestId')
  expect(argumentsFor({ callId: 7, sessionId: '' })).toMatchObject({
    requestId: 'minted',
    sessionId: 's',
  })
  expect(argumentsFor('broken')).toMatchObject({ requestId: 'minted' })
})

test('a proposal of a scope has no field for a key: its call is named where clients name theirs', () => {
  const proposed = (meta?: unknown) => {
    const params = { name: 'propose_scope', arguments: { doneWhen: 'It works.' } }
    return call(meta === undefined ? params : { ...params, _meta: meta })
  }
  expect(proposed()).toMatchObject({ _meta: { callId: 'minted' } })
  expect(proposed().arguments).not.toContainAnyKeys(['requestId', 'toolUseId', 'callId'])
  const meta = { progressToken: 7, callId: '' }
  expect(proposed(meta)._meta).toEqual({ progressToken: 7, callId: 'minted' })
  for (const own of [{ callId: 'call_1' }, { 'claudecode/toolUseId': 'toolu_1' }]) {
    expect(proposed(own)._meta).toEqual(own)
  }
})

test('a client is called as people call it', () => {
  expect(clientTitle({ name: 'claude-code', title: 'Claude Code' })).toBe('Claude Code')
  expect(clientTitle({ name: 'gemini-cli-mcp-client' })).toBe('Gemini CLI')
  expect(clientTitle({ name: 'zed' })).toBe('zed')
  expect(clientTitle({ name: 'constructor' })).toBe('constructor')
  expect(clientTitle({ title: 'x\u0000\n'.repeat(1_000) })?.length).toBeLessThanOrEqual(100)
  for (const none of [undefined, null, 'x', {}, { name: 7 }, { name: '' }]) {
    expect(clientTitle(none)).toBeUndefined()
  }
})

test('an agent name keeps its length', () => {
  const long = { ...PLACE, project: 'ä'.repeat(300) }
  const { agentName } = call({ name: 'ask_user' }, long).arguments as { agentName: string }
  expect([...agentName]).toHaveLength(100)
})
