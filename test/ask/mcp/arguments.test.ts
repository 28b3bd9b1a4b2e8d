import { expect, test } from 'bun:test'
import { mcpWorld, toolCall } from '../../support/mcp-world.ts'

type Result = { structuredContent?: Record<string, unknown>; isError?: boolean }

// As frameworks write them: OpenAI's strict mode sends every field, others write all as text.
const ACCEPTED: [tool: string, args: object, result: object][] = [
  [
    'ask_user',
    { question: 'A?', type: 'confirm', options: null, context: null, timeoutMs: null, wait: false },
    { type: 'confirm' },
  ],
  ['ask_user', { question: 'B?', timeoutMs: '5000', wait: 'false' }, { status: 'pending' }],
  ['ask_user', { question: 'C?', type: 'select', options: '["a","b"]', wait: false }, {}],
  [
    'ask_user',
    { question: 'D?', type: 'select', options: [{ label: 'a' }, { label: 'b' }], wait: false },
    { type: 'select' },
  ],
  ['send_notification', { title: 'T', body: 'B', url: null, context: '{"type":"info"}' }, {}],
  ['wait_for_answer', { correlationId: 'q_1', timeoutMs: null }, { status: 'missing' }],
  ['cancel_question', { correlationId: 'q_1', reason: null }, { cancelled: false }],
]

for (const [tool, args, result] of ACCEPTED) {
  test(`${tool} takes ${JSON.stringify(args)}`, async () => {
    await using here = await mcpWorld()
    const { json } = await here.reply(toolCall(tool, args))
    const callResult = json.result as Result
    expect([callResult.isError, callResult]).toMatchObject([
      undefined,
      { structuredContent: result },
    ])
  })
}

const REFUSED: object[] = [
  { question: null },
  { question: 'A?', timeoutMs: 'soon' },
  { question: 'A?', wait: 'no' },
  { question: 'A?', type: 'select', options: 'a,b' },
  { question: 'A?', type: 'select', options: [{ label: 'a', value: 1 }, 'b'] },
  { question: 'A?', unknown: null },
  { question: 'A?', waitEndsAt: '2026-02-30T00:00:00Z' },
]

for (const args of REFUSED) {
  test(`ask_user refuses ${JSON.stringify(args)}`, async () => {
    await using here = await mcpWorld()
    const { json } = await here.reply(toolCall('ask_user', args))
    expect((json.result as Result).isError).toBe(true)
  })
}

test('a url that context replaces is said in hint', async () => {
  await using here = await mcpWorld()
  const args = { title: 'T', body: 'B', url: 'https://a.example/', context: { type: 'info' } }
  const { json } = await here.reply(toolCall('send_notification', args))
  expect((json.result as Result).structuredContent?.hint).toContain('url was not used')
})
