import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { settle } from '../../support/fake-clock.ts'
import {
  type McpWorld,
  mcpWorld,
  modernHeaders,
  modernMeta,
  rpc,
  toolCall,
} from '../../support/mcp-world.ts'
import { onSqlite } from '../../support/on-sqlite.ts'
import { pauseSession } from '../../support/result-acts.ts'
import { fits } from '../../support/result-rules.ts'
import { spoilPages } from '../../support/spoil-pages.ts'

type Result = { content: { text: string }[]; structuredContent?: object; isError?: boolean }
type Ask = [name: string, args: Record<string, unknown>]

const ERAS = {
  '2025-11-25': ({ name, args }: { name: string; args: object }) =>
    [toolCall(name, args), { 'mcp-protocol-version': '2025-11-25' }] as const,
  '2026-07-28': ({ name, args }: { name: string; args: object }) =>
    [
      rpc('tools/call', { name, arguments: args, _meta: modernMeta() }),
      modernHeaders('tools/call', name),
    ] as const,
}
type Era = keyof typeof ERAS

async function call(here: McpWorld, era: Era, [name, args]: Ask): Promise<Result> {
  const [body, headers] = ERAS[era]({ name, args })
  const asking = here.reply(body, headers)
  if (args.timeoutMs !== undefined) {
    while (here.world.deps.waiters.count() === 0) await settle()
    await here.world.clock.advance(Number(args.timeoutMs))
  }
  return (await asking).json.result as Result
}

const ASK = { question: 'Deploy?', sessionId: 's1' }
const APPROVAL = { ...ASK, machineId: 'm1', toolTarget: 'git push' }
const browser = ({ world }: McpWorld) => world.device('laptop')

/** What is there, what is called, and a few words of the result. */
const CALLS: Record<string, [(here: McpWorld) => Promise<unknown>, Ask, object]> = {
  'a call whose time is over': [
    browser,
    ['ask_user', { ...ASK, timeoutMs: 2_000 }],
    { timedOut: true, handoffAction: 'cancel_then_ask_in_current_client' },
  ],
  'a tag that no device has': [
    browser,
    ['ask_user', { ...ASK, tags: ['wrok'] }],
    { noDevices: true, warning: 'No device has the tag wrok' },
  ],
  'a notification for nobody': [
    browser,
    ['send_notification', { title: 'a', body: 'b', externalIds: ['ann'] }],
    { sent: 0, warning: 'No device has the external id ann' },
  ],
  'a chat alone': [
    ({ world }) => world.device('chat', { kind: 'chat' }),
    ['ask_user', { ...ASK, timeoutMs: 2_000 }],
    { timedOut: true, warning: 'No phone or browser; only a chat or mailbox was told' },
  ],
  'a paused session': [
    ({ world }) => pauseSession(world),
    ['ask_user', APPROVAL],
    { paused: true, handoffAction: 'cancel_then_ask_in_current_client' },
  ],
  'push_only without a device': [
    ({ world: { deps, call } }) =>
      setPolicy(deps, call().caller.workspaceId, { deliveryMode: 'push_only' }),
    ['propose_scope', { sessionId: 's1', doneWhen: 'Green.' }],
    { noDevices: true },
  ],
  'an id that nobody has': [
    browser,
    ['cancel_question', { correlationId: 'q_none' }],
    { cancelled: false, status: 'missing' },
  ],
}

describe.each(Object.entries(CALLS))('%s', (_, [before, ask, has]) => {
  test('a result is the same in both eras, in both halves, and fits its schema', async () => {
    const results = []
    for (const era of Object.keys(ERAS) as Era[]) {
      await using here = await mcpWorld()
      await before(here)
      const { content, structuredContent = {}, isError } = await call(here, era, ask)
      expect(isError).toBeUndefined()
      expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
      expect(structuredContent).toMatchObject(has)
      expect(fits(ask[0], structuredContent)).toBe(true)
      results.push(JSON.stringify(structuredContent).replaceAll(/q_[0-9a-z]{20,}/g, 'q'))
    }
    expect(results[0]).toBe(results[1] as string)
  })
})

describe.each(Object.keys(ERAS) as Era[])('a storage that fails, %s', (era) => {
  onSqlite(
    'makes an ask that could not be stored an error with its code and without an id',
    async () => {
      await using here = await mcpWorld()
      spoilPages(here.world.db.place)
      for (const ask of [
        ['ask_user', ASK],
        ['propose_scope', { sessionId: 's1', doneWhen: 'Green.' }],
        ['send_notification', { title: 'a', body: 'b' }],
      ] satisfies Ask[]) {
        const { content, structuredContent, isError } = await call(here, era, ask)
        expect(isError).toBe(true)
        expect(structuredContent).toBeUndefined()
        expect(content[0]?.text).toEndWith('(unavailable)')
        expect(content[0]?.text).not.toMatch(/\b[qn]_/)
      }
    },
  )

  onSqlite('makes a read unavailable, with the id that was asked for', async () => {
    await using here = await mcpWorld()
    await browser(here)
    const { structuredContent } = await call(here, era, ['ask_user', { ...ASK, wait: false }])
    const { correlationId } = structuredContent as { correlationId: string }
    spoilPages(here.world.db.place)
    const read = await call(here, era, ['wait_for_answer', { correlationId }])
    expect(read.structuredContent).toMatchObject({
      correlationId,
      status: 'unavailable',
      answered: false,
      nextAction: 'wait_for_answer',
    })
    expect(fits('wait_for_answer', read.structuredContent ?? {})).toBe(true)
  })
})

onSqlite(
  'a storage that takes no writes still tells a retry what it has',
  async () => {
    await using here = await mcpWorld()
    await browser(here)
    const ask = (requestId: string) =>
      call(here, '2025-11-25', ['ask_user', { ...ASK, wait: false, requestId }])
    const first = await ask('r1')
    const other = new Database(here.world.db.place)
    other.run('begin immediate')
    const [again, anew] = await Promise.all([ask('r1'), ask('r2')])
    other.close()
    const { correlationId } = first.structuredContent as { correlationId: string }
    expect(again.structuredContent).toMatchObject({ correlationId, status: 'pending' })
    expect(anew).toMatchObject({ isError: true })
  },
  60_000,
)
