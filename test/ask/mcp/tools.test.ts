import { expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020'
import { agentTools } from '../../../src/ask/mcp/route.ts'
import { readActivity } from '../../../src/ask/trail/read-activity.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import { INSTRUCTIONS } from '../../../src/ask/wire/instructions.ts'
import { Failure } from '../../../src/platform/failure.ts'
import {
  type McpWorld,
  mcpWorld,
  modernHeaders,
  modernMeta,
  rpc,
  toolCall,
} from '../../support/mcp-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const TOOLS = await agentTools({} as never)
const NAMES = [
  'ask_user',
  'wait_for_answer',
  'cancel_question',
  'send_notification',
  'propose_scope',
]

type Result = { content: { text: string }[]; structuredContent?: object; isError?: boolean }

async function call(
  here: McpWorld,
  name: string,
  args: object,
  more: { meta?: object; headers?: Record<string, string>; path?: string } = {},
) {
  const body = toolCall(name, args, more.meta as Record<string, unknown>)
  const { json } = await here.reply(body, more.headers, more.path)
  return json.result as Result
}

async function inbox({ world }: McpWorld) {
  return await readInbox(world.deps, world.call().caller.workspaceId)
}

// spec: QS-WHAT-3
test('the listing names the five tools with all that a model and a client need', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(NAMES)
  for (const tool of TOOLS) {
    expect(tool.title).not.toBe('')
    expect(tool.description.length).toBeGreaterThan(200)
    expect(tool.inputSchema.type).toBe('object')
    expect(tool.outputSchema).toMatchObject({ type: 'object', additionalProperties: false })
  }
})

// spec: QS-WHAT-8
test('the listing gives every tool the same four annotations', () => {
  for (const { annotations } of TOOLS) {
    expect(annotations).toEqual({
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
      readOnlyHint: false,
    })
  }
})

test('the listing has schemas that are valid JSON Schema 2020-12 and refer to nothing outside', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false })
  ajv.addFormat('uri', true).addFormat('date-time', true)
  for (const { inputSchema, outputSchema } of TOOLS) {
    for (const schema of [inputSchema, outputSchema]) {
      const written = JSON.parse(JSON.stringify(schema))
      expect(ajv.validateSchema(written)).toBe(true)
      expect(ajv.compile(written)).toBeFunction()
      expect(JSON.stringify(written)).not.toContain('$ref')
    }
  }
})

test('the listing is the same in both eras, in the same order', async () => {
  await using here = await mcpWorld()
  const old = await here.reply(rpc('tools/list'))
  const body = rpc('tools/list', { _meta: modernMeta() })
  const modern = await here.reply(body, modernHeaders('tools/list'))
  const tools = (json: Record<string, unknown>) => (json.result as { tools: object[] }).tools
  expect(tools(old.json)).toEqual(tools(modern.json))
  expect(tools(old.json)).toMatchObject(NAMES.map((name) => ({ name })))
})

test('ask_user is called ask_human at the address that asks for it, even in the texts', async () => {
  await using here = await mcpWorld()
  const { text } = await here.reply(rpc('tools/list'), {}, '?ask=ask_human')
  expect(text).toContain('"name":"ask_human"')
  expect(text).not.toContain('ask_user')
  const result = await call(
    here,
    'ask_human',
    { question: 'Go?', env: 'test' },
    { path: '?ask=ask_human' },
  )
  expect(result.structuredContent).toMatchObject({ question: 'Go?', held: 'test_traffic' })
  const { json } = await here.reply(toolCall('ask_human', { question: 'Go?' }))
  expect(json).toMatchObject({ error: { code: -32602 } })
})

test('the listing comes with an etiquette of at most 512 characters', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(512)
  expect(INSTRUCTIONS.length).toBeGreaterThan(100)
})

test('a result says the same in both halves, and fits the schema that was listed', async () => {
  await using here = await mcpWorld()
  const ajv = new Ajv2020({ strict: false }).addFormat('uri', true).addFormat('date-time', true)
  const calls: [string, object][] = [
    ['ask_user', { question: 'Go?', wait: false }],
    ['send_notification', { title: 'Done', body: 'All well.' }],
    ['propose_scope', { doneWhen: 'tests pass', sessionId: 's', allowedPaths: ['src'] }],
    ['wait_for_answer', { correlationId: 'q_unknown' }],
    ['cancel_question', { correlationId: 'q_unknown' }],
  ]
  for (const [name, args] of calls) {
    const { content, structuredContent, isError } = await call(here, name, args)
    expect(isError).toBeUndefined()
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
    const schema = TOOLS.find((tool) => tool.name === name)?.outputSchema
    expect(ajv.validate(JSON.parse(JSON.stringify(schema)), structuredContent)).toBe(true)
  }
})

test('a result of wrong arguments is text alone, and names each field and what it must be', async () => {
  await using here = await mcpWorld()
  const wrong = { title: 'x'.repeat(101), context: { type: 'oops', details: [5] }, colour: 'red' }
  const { content, structuredContent, isError } = await call(here, 'send_notification', wrong)
  expect(isError).toBe(true)
  expect(structuredContent).toBeUndefined()
  const lines = content[0]?.text.split('\n')
  expect(lines).toContain('- title must have at most 100 characters')
  expect(lines).toContain('- body is required')
  expect(lines).toContain('- context.type must be one of "task_complete", "error", "info"')
  expect(lines).toContain('- context.details[0] must be a string')
  expect(lines).toContain('- colour is not a known field')
})

test('a result of a failure is its sentence and its code', async () => {
  const failure = new Failure('unavailable', 'The storage is full; try again later.')
  await using here = await mcpWorld({ cancel_question: () => Promise.reject(failure) })
  expect(await call(here, 'cancel_question', { correlationId: 'q_1' })).toEqual({
    content: [{ type: 'text', text: 'The storage is full; try again later. (unavailable)' }],
    isError: true,
  } as unknown as Result)
  expect(here.logged.join()).toContain('a tool was refused')
})

async function taken(args: object, more: object = {}): Promise<AskUserInput> {
  const inputs: AskUserInput[] = []
  const askUser = async (input: AskUserInput) => {
    inputs.push(input)
    return { correlationId: 'q_1', question: 'Go?', type: 'confirm' }
  }
  await using here = await mcpWorld({ ask_user: askUser })
  await call(here, 'ask_user', { question: 'Go?', ...args }, more)
  const [input] = inputs
  if (!input) throw new Error('refused')
  return input
}

test.each([[{ options: 'none' }], [{ options: [] }], [{ type: 'input', options: [1] }]])(
  'options without select are ignored, whatever they are: %p',
  async (args) => expect(await taken(args)).not.toHaveProperty('options'),
)

test('options with select are not ignored', async () => {
  const args = { type: 'select', options: ['a', 'b'] }
  expect(await taken(args)).toMatchObject(args)
  await using here = await mcpWorld()
  const refused = await call(here, 'ask_user', {
    question: 'Go?',
    type: 'select',
    options: ['a'],
  })
  expect(refused.content[0]?.text).toContain('- options must have at least 2 items')
})

test('machine fields with a value of no meaning are ignored', async () => {
  const args = { localSurfaceAvailable: 'x', pausedAware: 3, permissionMode: 'm'.repeat(65) }
  expect(Object.keys(await taken(args))).toEqual(['question'])
})

test.each([
  ['claudecode/toolUseId', { 'claudecode/toolUseId': 'toolu_1' }, { requestId: 'toolu_1' }],
  ['callId', { callId: 'call_1', sessionId: 's_1' }, { requestId: 'call_1', sessionId: 's_1' }],
])('a call without a key takes %s from the client', async (_, meta, wanted) => {
  expect(await taken({}, { meta })).toMatchObject(wanted)
})

test("the caller's own keys win", async () => {
  const meta = { callId: 'call_1', sessionId: 's_1' }
  const own = await taken({ toolUseId: 'mine', sessionId: 'my session' }, { meta })
  expect(own).toMatchObject({ toolUseId: 'mine', sessionId: 'my session' })
  expect(own).not.toHaveProperty('requestId')
})

test.each([[{ callId: 5, sessionId: {} }], [{ callId: 'x'.repeat(201) }], [{ callId: '' }]])(
  'a key of the client that does not fit is left out: %p',
  async (meta) => expect(Object.keys(await taken({}, { meta }))).toEqual(['question']),
)

test('who asks is the product of the User-Agent in the old era', async () => {
  await using here = await mcpWorld()
  const headers = { 'user-agent': 'claude-code/2.1.329 (cli)' }
  await call(here, 'ask_user', { question: 'Go?', wait: false }, { headers })
  expect((await inbox(here))[0]?.agentName).toBe('claude-code')
})

test('who asks is the token when the User-Agent only names a runtime', async () => {
  await using here = await mcpWorld()
  const headers = { 'user-agent': 'node' }
  await call(here, 'ask_user', { question: 'Go?', wait: false }, { headers })
  expect((await inbox(here))[0]?.agentName).toBe('test')
})

test('who asks is the title of the client in the modern era', async () => {
  await using here = await mcpWorld()
  const args = { question: 'Go?', wait: false }
  const body = rpc('tools/call', { name: 'ask_user', arguments: args, _meta: modernMeta() })
  await here.reply(body, modernHeaders('tools/call', 'ask_user'))
  expect((await inbox(here))[0]?.agentName).toBe('The tester')
})

// spec: QS-WHAT-7
test('a test connection records everything and delivers nothing', async () => {
  await using here = await mcpWorld()
  await here.world.device('laptop')
  const headers = { 'x-service-env': 'test' }
  const result = await call(here, 'ask_user', { question: 'Go?' }, { headers })
  expect(result.structuredContent).toMatchObject({ env: 'test', status: 'pending' })
  const notification = await call(here, 'send_notification', { title: 'a', body: 'b' }, { headers })
  expect(notification.structuredContent).toMatchObject({ env: 'test', sent: 0 })
  expect(here.world.deliveries).toEqual([])
  const { workspaceId } = here.world.call().caller
  expect((await readActivity(here.world.deps, { workspaceId }, {})).items).toHaveLength(2)
})
