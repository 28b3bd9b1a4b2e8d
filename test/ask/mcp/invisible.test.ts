import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type McpWorld,
  MODERN,
  mcpWorld,
  modernHeaders,
  modernMeta,
} from '../../support/mcp-world.ts'

let it: McpWorld
beforeAll(async () => {
  it = await mcpWorld()
})
afterAll(() => it[Symbol.asyncDispose]())

const UNSEEN = ['\u3164', '\u2800', '\u200b\u2060', '\ufe0f', '\u{e0061}', '\u0301', ' \u00a0\n']

/** Each text that a person is asked or told by, and where an error says that it stands. */
const FIELDS: Array<[string, string, (text: string) => object]> = [
  ['ask_user', 'question', (question) => ({ question })],
  [
    'ask_user',
    'options[1]',
    (text) => ({ question: 'Which?', type: 'select', options: ['a', text] }),
  ],
  [
    'ask_user',
    'questions[0].question',
    (question) => ({
      question: 'Which?',
      questions: [{ question, multiSelect: false, options: [{ label: 'a' }, { label: 'b' }] }],
    }),
  ],
  ['send_notification', 'title', (title) => ({ title, body: 'Done' })],
  ['send_notification', 'body', (body) => ({ title: 'Done', body })],
  [
    'send_notification',
    'context.askQuestion.question',
    (question) => ({
      title: 'Done',
      body: 'All.',
      context: { type: 'info', askQuestion: { question, type: 'confirm' } },
    }),
  ],
  ['propose_scope', 'doneWhen', (doneWhen) => ({ doneWhen, sessionId: 's1' })],
]

async function call(era: string, name: string, args: object) {
  const isModern = era === MODERN
  const params = { name, arguments: args, ...(isModern ? { _meta: modernMeta() } : {}) }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const headers = isModern ? modernHeaders('tools/call', name) : { 'mcp-protocol-version': era }
  const { json } = await it.reply(body, headers)
  return json.result as { isError?: boolean; content: Array<{ text: string }> }
}

test.each(
  ['2025-11-25', MODERN].flatMap((era) =>
    FIELDS.map(([tool, field, args]) => [era, tool, field, args] as const),
  ),
)('%s: %s refuses a %s that nobody can see', async (era, tool, field, args) => {
  for (const text of UNSEEN) {
    const result = await call(era, tool, args(text))
    expect([text.codePointAt(0)?.toString(16), result.isError]).toEqual([
      text.codePointAt(0)?.toString(16),
      true,
    ])
    expect(result.content[0]?.text).toContain(`${field} must have something that can be seen`)
  }
  expect(it.world.deliveries).toEqual([])
})
