import { describe, expect, test } from 'bun:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { reportHook } from '../../../src/ask/hooks/report-hook.ts'
import type { EditedPaths } from '../../../src/ask/scopes/model/read-scope.ts'
import type { ProposeScopeResult } from '../../../src/ask/wire/result-fields.ts'
import { settle } from '../../support/fake-clock.ts'
import { type McpWorld, mcpWorld, TOKEN } from '../../support/mcp-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const INFO = { name: 'test-client', version: '1.0.0' }
const WITH_TOKEN = { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } }

async function oldClient({ url }: McpWorld, options: object = WITH_TOKEN) {
  const client = new Client(INFO)
  const transport = new StreamableHTTPClientTransport(new URL(url), options)
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client
}

async function modernClient(
  { url }: McpWorld,
  mode: 'auto' | { pin: string },
  options: object = WITH_TOKEN,
) {
  const client = new ModernClient(INFO, { versionNegotiation: { mode } })
  await client.connect(new ModernTransport(new URL(url), options))
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  return client
}

/** Answers the first question that appears. */
async function answer({ world }: McpWorld, value: string, contract?: EditedPaths) {
  const { workspaceId } = world.call().caller
  for (;;) {
    const [question] = await readInbox(world.deps, workspaceId)
    if (question && world.deps.waiters.count() > 0) {
      return answerQuestion(world.deps, {
        workspaceId,
        questionId: question.id,
        value,
        contract,
      })
    }
    await settle()
  }
}

type Speaker = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    ...more: unknown[]
  ): Promise<object>
  getInstructions(): string | undefined
  close(): Promise<void>
}
const CLIENTS: [string, (here: McpWorld, options?: object) => Promise<Speaker>][] = [
  [
    'the 1.x client',
    async (here, options) => (await oldClient(here, options)) as unknown as Speaker,
  ],
  [
    'the 2.x client, negotiating',
    async (here, options) => (await modernClient(here, 'auto', options)) as unknown as Speaker,
  ],
  [
    'the 2.x client, pinned to 2026-07-28',
    async (here, options) =>
      (await modernClient(here, { pin: '2026-07-28' }, options)) as unknown as Speaker,
  ],
]

describe.each(CLIENTS)('%s', (_, connect) => {
  test('connects and lists without a token, and reads the etiquette', async () => {
    await using here = await mcpWorld()
    const client = await connect(here, {})
    expect((await client.listTools()).tools).toHaveLength(5)
    expect(client.getInstructions()).toContain('ask_user')
    await client.close()
  })

  test('asks, hears progress, and has the answer', async () => {
    await using here = await mcpWorld()
    await here.world.device('laptop')
    const client = await connect(here)
    const heard: unknown[] = []
    const options = { onprogress: (progress: unknown) => heard.push(progress) }
    const params = { name: 'ask_user', arguments: { question: 'Deploy?' } }
    // The 1.x client takes a result schema between the two.
    const more = client instanceof Client ? [undefined, options] : [options]
    const asking = client.callTool(params, ...more)
    await answer(here, 'yes')
    expect(await asking).toMatchObject({ structuredContent: { answered: true, value: 'yes' } })
    expect(heard).toMatchObject([{ progress: 0, total: 45 }])
    await client.close()
  })

  test('proposes a scope that the person edits, and is told what a hook enforces', async () => {
    await using here = await mcpWorld()
    const { world } = here
    await world.device('laptop')
    await reportHook(
      world.deps,
      { event: 'session_start', client: 'claude', sessionId: 's1', clientVersion: '2.1.300' },
      world.call(),
    )
    const client = await connect(here)
    await client.listTools()
    const proposal = { sessionId: 's1', doneWhen: 'Green.', allowedPaths: ['src', 'docs'] }
    const proposing = client.callTool({ name: 'propose_scope', arguments: proposal })
    await answer(here, 'yes', { allowedPaths: ['src'], offLimitsPaths: ['infra'] })
    const result = (await proposing) as { structuredContent: ProposeScopeResult }
    expect(result.structuredContent).toMatchObject({
      ratified: true,
      hookSeen: true,
      enforces: [],
      contract: { allowedPaths: ['src', 'src/**'], offLimitsPaths: ['infra', 'infra/**'] },
    })
    expect(result.structuredContent.hint).toContain('The person edited the paths')
    expect(result.structuredContent.enforcementNote).toContain('claude 2.1.300')
    const { correlationId } = result.structuredContent
    const holds = { client: 'claude', sessionId: 's1', contractEtag: `${correlationId}.0` }
    await reportHook(world.deps, { event: 'heartbeat', ...holds }, world.call())
    const params = { name: 'wait_for_answer', arguments: { correlationId } }
    expect(await client.callTool(params)).toMatchObject({
      structuredContent: { ratified: true, enforces: ['allowedPaths', 'offLimitsPaths'] },
    })
    await client.close()
  })

  test('uses all five tools, each result checked against its schema by the client', async () => {
    await using here = await mcpWorld()
    const client = await connect(here)
    await client.listTools()
    const call = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })) as {
        structuredContent: { correlationId: string }
      }
    const notification = await call('send_notification', { title: 'Done', body: 'All well.' })
    expect(notification).toMatchObject({
      structuredContent: { sent: 0, warning: expect.any(String) },
    })
    const question = await call('ask_user', {
      question: 'Go?',
      type: 'select',
      options: ['a', 'b'],
      wait: false,
    })
    const { correlationId } = question.structuredContent
    const cancelled = await call('cancel_question', { correlationId, reason: 'found it' })
    expect(cancelled).toMatchObject({ structuredContent: { cancelled: true } })
    const waited = await call('wait_for_answer', { correlationId })
    expect(waited).toMatchObject({ structuredContent: { status: 'cancelled', answered: false } })
    const proposed = await call('propose_scope', { doneWhen: 'green', sessionId: 's' })
    expect(proposed).toMatchObject({ structuredContent: { answered: false, noDevices: true } })
    await client.close()
  })

  test('a client is told which arguments are wrong in a result', async () => {
    await using here = await mcpWorld()
    const client = await connect(here)
    const result = await client.callTool({ name: 'ask_user', arguments: {} })
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toContain('question is required')
    await client.close()
  })
})
