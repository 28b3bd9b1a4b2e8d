import { expect, test } from 'bun:test'
import type { Rendered, Verdict } from '../../../src/agent/calls/tool-call.ts'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import { fixture } from './fixture.ts'

const NOTHING: Rendered = { stdout: '', stderr: '', exit: 0 }
const ALLOW: Verdict = { is: 'allow' }
const DENY: Verdict = { is: 'deny', reason: 'not now' }

function printed(output: object): Rendered {
  return { ...NOTHING, stdout: JSON.stringify(output) }
}

async function rendered(name: string, input: unknown, verdict: Verdict): Promise<Rendered> {
  const client = await loadHookClient(name)
  if (!client) throw new Error(name)
  return client.render(verdict, client.parse(input, {}))
}

function openCode(file: string, type: string): unknown {
  return { event: type, cwd: '/p', roots: ['/p'], ...JSON.parse(fixture(`opencode/${file}`)) }
}

const claudes = (decision: object) =>
  printed({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })

test.each(['copilot-cli/permissionRequest.bash', 'copilot-cli-pascal/PermissionRequest.bash'])(
  'prompts of the client, answered from elsewhere: Copilot CLI: %s',
  async (file) => {
    const input = JSON.parse(fixture(file))
    expect(await rendered('copilot', input, ALLOW)).toEqual(printed({ behavior: 'allow' }))
    const denied = printed({ behavior: 'deny', message: 'not now' })
    expect(await rendered('copilot', input, DENY)).toEqual(denied)
    expect(await rendered('copilot', input, { is: 'silent' })).toEqual(NOTHING)
    expect(await rendered('copilot', input, { is: 'ask', reason: 'x' })).toEqual(NOTHING)
  },
)

test('prompts of the client, answered from elsewhere: Qwen Code', async () => {
  const input = JSON.parse(fixture('from-documents/qwen/PermissionRequest.run_shell_command'))
  expect(await rendered('qwen', input, ALLOW)).toEqual(claudes({ behavior: 'allow' }))
  expect(await rendered('qwen', input, DENY)).toEqual(
    claudes({ behavior: 'deny', message: 'not now' }),
  )
  expect(await rendered('qwen', input, { is: 'silent' })).toEqual(NOTHING)
})

test('OpenCode, its shim passes it on', async () => {
  const event = openCode('event.permission.asked', 'permission.asked')
  expect(await rendered('opencode', event, ALLOW)).toEqual(printed({ decision: 'allow' }))
  const denied = printed({ decision: 'deny', reason: 'not now' })
  expect(await rendered('opencode', event, DENY)).toEqual(denied)
  expect(await rendered('opencode', event, { is: 'silent' })).toEqual(NOTHING)
})

const answered = (answers: object): Verdict => ({ is: 'allow', updatedInput: { answers } })
const event = openCode('event.question.asked', 'question.asked')

test('questions of OpenCode get the labels in their order', async () => {
  const verdict = answered({ 'Which database?': 'Postgres' })
  const expected = printed({ decision: 'allow', answers: [['Postgres']] })
  expect(await rendered('opencode', event, verdict)).toEqual(expected)
})

test('questions of OpenCode are not answered without all answers', async () => {
  for (const verdict of [ALLOW, answered({}), answered({ 'Which database?': '' })]) {
    expect(await rendered('opencode', event, verdict)).toEqual(NOTHING)
  }
})

test('questions of OpenCode take several labels apart, with commas of their own', async () => {
  const options = ['Mail', 'Push', 'Push, loud'].map((label) => ({ label }))
  const questions = [{ question: 'How?', options, multiple: true }]
  const input = { event: 'question.asked', properties: { id: 'q', questions } }
  const labels = async (answer: string) =>
    JSON.parse((await rendered('opencode', input, answered({ 'How?': answer }))).stdout).answers
  expect(await labels('Push, Mail')).toEqual([['Push', 'Mail']])
  expect(await labels('Push, loud, Mail')).toEqual([['Push, loud', 'Mail']])
  expect(await labels('by letter, please')).toEqual([['by letter, please']])
})

const context: Verdict = { is: 'context', text: 'Hello' }
const inside = (hookEventName: string) =>
  printed({ hookSpecificOutput: { hookEventName, additionalContext: 'Hello' } })

test.each<[string, string, Rendered]>([
  ['copilot', 'copilot-cli/sessionStart', printed({ additionalContext: 'Hello' })],
  ['copilot', 'copilot-cli-pascal/SessionStart', printed({ additionalContext: 'Hello' })],
  ['copilot', 'copilot-cli/postToolUse.create', printed({ additionalContext: 'Hello' })],
  ['vscode', 'from-documents/vscode/SessionStart', inside('SessionStart')],
  ['vscode', 'from-documents/vscode/PostToolUse.create_file', inside('PostToolUse')],
  ['cursor', 'from-documents/cursor/sessionStart', printed({ additional_context: 'Hello' })],
  ['cursor', 'from-documents/cursor/postToolUse.Write', printed({ additional_context: 'Hello' })],
  [
    'agy',
    'from-documents/agy/PreInvocation',
    printed({ injectSteps: [{ ephemeralMessage: 'Hello' }] }),
  ],
  ['gemini', 'gemini-cli/SessionStart', inside('SessionStart')],
  ['gemini', 'gemini-cli/AfterTool.write_file', inside('AfterTool')],
  ['qwen', 'from-documents/qwen/SessionStart', inside('SessionStart')],
  ['droid', 'from-documents/droid/SessionStart', inside('SessionStart')],
  ['droid', 'from-documents/droid/PostToolUse.Create', inside('PostToolUse')],
  ['goose', 'from-documents/goose/SessionStart', NOTHING],
  ['windsurf', 'from-documents/windsurf/post_cascade_response', NOTHING],
  [
    'cline',
    'from-documents/cline/TaskStart',
    printed({ cancel: false, contextModification: 'Hello' }),
  ],
])('text for the model: %s: %s', async (name, file, expected) => {
  expect(await rendered(name, JSON.parse(fixture(file)), context)).toEqual(expected)
})
