import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { BridgeLimits } from '../../../src/agent/bridge/patience.ts'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'
import { bridgeCommand } from '../../support/bridge-process.ts'
import { isLong } from '../../support/share.ts'

// Whole processes, started twice.
setDefaultTimeout(60_000)

let house: AgentHouse
beforeAll(async () => {
  house = await agentHouse()
  mkdirSync(project())
})
afterAll(() => house[Symbol.asyncDispose]())

type Json = Record<string, unknown>
type Speaker = AsyncDisposable & {
  tools(): Promise<string[]>
  instructions(): string | undefined
  call(name: string, args: Json, heard?: Json[]): Promise<Json>
}
const INFO = { name: 'a-program', title: 'Claude Code', version: '1' }
const project = () => join(house.data, 'shop-api')
const command = (limits?: Partial<BridgeLimits>) => {
  const env = { HOME: house.data, BECKON_URL: house.url, BECKON_TOKEN: house.token }
  return { ...bridgeCommand(env, limits && { limits }), cwd: project(), stderr: 'ignore' as const }
}

async function oldSpeaker(limits?: Partial<BridgeLimits>): Promise<Speaker> {
  const client = new Client(INFO)
  await client.connect(new StdioClientTransport(command(limits)))
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    instructions: () => client.getInstructions(),
    async call(name, args, heard) {
      const onprogress = (update: object) => heard?.push(update as Json)
      const more = { timeout: 60_000, ...(heard ? { onprogress } : {}) }
      return (await client.callTool({ name, arguments: args }, undefined, more)) as Json
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

async function modernSpeaker(limits?: Partial<BridgeLimits>): Promise<Speaker> {
  const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new ModernStdio(command(limits)))
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    instructions: () => client.getInstructions(),
    async call(name, args, heard) {
      const onprogress = (update: object) => heard?.push(update as Json)
      const more = { timeout: 60_000, ...(heard ? { onprogress } : {}) }
      return (await client.callTool({ name, arguments: args }, more)) as Json
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

describe.each([
  ['the 1.x client', oldSpeaker],
  ['the 2.x client, pinned to 2026-07-28', modernSpeaker],
])('%s', (name, connect) => {
  // In the quick run each test is done with one of the clients, and the first with both.
  const testIf = (done: string) => test.skipIf(!isLong && !name.includes(done))

  test('has the answer although the server was killed and stopped while it waited', async () => {
    await using first = await house.start()
    await using client = await connect()
    expect(await client.tools()).toHaveLength(5)
    const heard: Json[] = []
    const asking = client.call('ask_user', { question: 'Deploy?', timeoutMs: 50_000 }, heard)
    const { correlationId, agentName } = await house.opened()
    expect(agentName).toBe('Claude Code - shop-api')
    await first.end('SIGKILL')
    await using second = await house.start()
    expect((await second.end('SIGTERM')).code).toBe(0)
    await using third = await house.start()
    // Asked once, whatever happened to the servers.
    expect(await house.inbox()).toHaveLength(1)
    expect(await house.answer(correlationId, { value: 'yes' })).toBe(200)
    expect(await asking).toMatchObject({
      structuredContent: { correlationId, answered: true, value: 'yes' },
    })
    const progress = heard.map((update) => Number(update.progress))
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(heard.map((update) => update.message)).toContain(
      `The server is away; trying again; the question ${correlationId} stays open`,
    )
    expect((await third.end('SIGTERM')).code).toBe(0)
  })

  testIf('1.x')(
    'is held longer than usual where it was set up so, also over a restart',
    async () => {
      await using first = await house.start()
      expect(await house.setPolicy({ waitMs: 1_000, holdMs: 600_000 })).toBe(200)
      await using client = await connect({ holdMs: 600_000 })
      const question = `Hold ${crypto.randomUUID()}?`
      const asking = client.call('ask_user', { question }, [])
      const { correlationId } = await house.opened((one) => one.question === question)
      const waiting = client.call('wait_for_answer', { correlationId }, [])
      await Bun.sleep(1_500)
      expect((await first.end('SIGTERM')).code).toBe(0)
      await using second = await house.start()
      await Bun.sleep(1_500)
      await second.end('SIGKILL')
      await using _third = await house.start()
      await Bun.sleep(1_500)
      expect((await house.inbox()).filter((one) => one.question === question)).toHaveLength(1)
      expect(await house.answer(correlationId, { value: 'yes' })).toBe(200)
      const answered = { structuredContent: { correlationId, status: 'answered', value: 'yes' } }
      expect(await asking).toMatchObject(answered)
      expect(await waiting).toMatchObject(answered)
      expect(await house.setPolicy({ waitMs: 45_000, holdMs: 0 })).toBe(200)
    },
  )

  testIf('1.x')(
    'is told soon that the server is away, and asks for the answer by the id when it is back',
    async () => {
      await using first = await house.start()
      await using client = await connect({ awayMs: 1_500, restartMs: 1_000 })
      const question = `Release ${crypto.randomUUID()}?`
      const isOurs = (one: { question: string }) => one.question === question
      const asking = client.call('ask_user', { question, timeoutMs: 55_000 })
      const { correlationId } = await house.opened(isOurs)
      await first.end('SIGKILL')
      const away = { correlationId, status: 'unavailable', answered: false }
      const next = { nextAction: 'wait_for_answer', hint: expect.stringContaining('is away') }
      // The rest of its time would be a pending question, or none.
      expect((await asking).structuredContent).toMatchObject({ ...away, ...next, question })
      const reading = await client.call('wait_for_answer', { correlationId, timeoutMs: 55_000 })
      expect(reading.structuredContent).toMatchObject({ ...away, ...next })
      await using _second = await house.start()
      const waiting = client.call('wait_for_answer', { correlationId, timeoutMs: 50_000 })
      // Asked again with the same words, it is the question of before.
      const again = client.call('ask_user', { question, timeoutMs: 50_000 })
      expect(await house.answer(correlationId, { value: 'yes' })).toBe(200)
      const answered = { correlationId, status: 'answered', value: 'yes' }
      expect(await waiting).toMatchObject({ structuredContent: answered })
      expect(await again).toMatchObject({ structuredContent: answered })
      // After its end the same words are a new question, with nobody's answer yet.
      const anew = await client.call('ask_user', { question, wait: false })
      const { correlationId: other } = anew.structuredContent as { correlationId: string }
      expect(other).not.toBe(correlationId)
      await client.call('cancel_question', { correlationId: other })
    },
  )

  testIf('2.x')(
    'has what was agreed to although the server was killed and stopped meanwhile',
    async () => {
      await using first = await house.start()
      await using client = await connect()
      const doneWhen = `The tests pass with ${INFO.title}, ${crypto.randomUUID()}.`
      const scope = { sessionId: 's1', doneWhen, allowedPaths: ['src/**'] }
      const proposing = client.call('propose_scope', { ...scope, timeoutMs: 50_000 })
      const isOurs = ({ question }: { question: string }) => question.includes(doneWhen)
      const { correlationId } = await house.opened(isOurs)
      await first.end('SIGKILL')
      await using second = await house.start()
      expect((await second.end('SIGTERM')).code).toBe(0)
      await using third = await house.start()
      expect((await house.inbox()).filter(isOurs)).toHaveLength(1)
      expect(await house.answer(correlationId, { value: 'yes' })).toBe(200)
      expect(await proposing).toMatchObject({
        structuredContent: {
          correlationId,
          answered: true,
          ratified: true,
          contract: { doneWhen },
        },
      })
      expect((await third.end('SIGTERM')).code).toBe(0)
    },
  )

  testIf('1.x')('a wait goes on through a stop of the server', async () => {
    await using first = await house.start()
    await using client = await connect()
    const result = await client.call('ask_user', { question: 'Merge?', wait: false })
    const { correlationId } = result.structuredContent as { correlationId: string }
    const waiting = client.call('wait_for_answer', { correlationId, timeoutMs: 50_000 })
    await Bun.sleep(300)
    await first.end('SIGTERM')
    await using _second = await house.start()
    await house.answer(correlationId, { value: 'no' })
    expect(await waiting).toMatchObject({ structuredContent: { status: 'answered', value: 'no' } })
  })

  testIf('2.x')('starts while the server is away, and asks when it is back', async () => {
    await using client = await connect({ listMs: 300 })
    expect(await client.tools()).toEqual([
      'ask_user',
      'wait_for_answer',
      'cancel_question',
      'send_notification',
      'propose_scope',
    ])
    expect(client.instructions()).toContain('ask_user')
    const late = client.call('ask_user', { question: 'Late?', timeoutMs: 30_000 })
    await Bun.sleep(1_000)
    await using _server = await house.start()
    const { correlationId } = await house.opened((one) => one.question === 'Late?')
    await house.answer(correlationId, { value: 'yes' })
    expect(await late).toMatchObject({ structuredContent: { value: 'yes' } })
  })
})

test('a call that waits for nothing says in words that the server is away', async () => {
  await using client = await modernSpeaker({ listMs: 300, restartMs: 300 })
  const result = await client.call('send_notification', { title: 'Done', body: 'All well.' })
  expect(result).toMatchObject({ isError: true })
  expect(JSON.stringify(result.content)).toContain('cannot be reached')
})
