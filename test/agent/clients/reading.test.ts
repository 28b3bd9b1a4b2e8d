import { expect, test } from 'bun:test'
import type { HookCall } from '../../../src/agent/calls/tool-call.ts'
import { HOOK_CLIENTS, loadHookClient } from '../../../src/agent/clients/clients.ts'
import { fixture } from './fixture.ts'

const P = '/home/u/proj'
const write = (...paths: string[]) => paths.map((path) => ({ path, touch: 'write' as const }))
const read = (...paths: string[]) => paths.map((path) => ({ path, touch: 'read' as const }))
const ECHO = 'echo hello > made.txt'
const COPILOT = '41f7b9ed-4f4a-4535-82de-5547ed00cf2d'
const PASCAL = '01e51042-e034-41cc-b96a-8e9325e426a2'
const GEMINI = 'c2785d7c-f8ac-4e60-8172-0566d94527f9'
const CLINE = '1795751496326_mw3c3'
const OPENCODE = 'ses_e02ca1bddffex66okpYyh09p9J'

type Row = [client: string, file: string, expected: Partial<HookCall>]

const RECORDED: Row[] = [
  ['copilot', 'copilot-cli/sessionStart', { event: 'session_start', sessionId: COPILOT, cwd: P }],
  ['copilot', 'copilot-cli/userPromptSubmitted', { event: 'prompt' }],
  [
    'copilot',
    'copilot-cli/preToolUse.create',
    { touches: write(`${P}/w2.txt`), toolName: 'create' },
  ],
  [
    'copilot',
    'copilot-cli/preToolUse.edit',
    { event: 'before_tool', touches: write(`${P}/w2.txt`) },
  ],
  ['copilot', 'copilot-cli/preToolUse.view', { touches: read(`${P}/w2.txt`) }],
  ['copilot', 'copilot-cli/preToolUse.bash', { command: ECHO, target: ECHO, touches: [] }],
  ['copilot', 'copilot-cli/preToolUse.svc_ask_user', { event: 'before_tool', touches: [] }],
  ['copilot', 'copilot-cli/permissionRequest.bash', { event: 'permission', command: ECHO }],
  ['copilot', 'copilot-cli/permissionRequest.edit', { touches: write(`${P}/w2.txt`) }],
  [
    'copilot',
    'copilot-cli/permissionRequest.svc_ask_user',
    { toolName: 'svc/ask_user', touches: [] },
  ],
  [
    'copilot',
    'copilot-cli/postToolUse.create',
    { event: 'after_tool', touches: write(`${P}/w2.txt`) },
  ],
  ['copilot', 'copilot-cli/postToolUseFailure.svc_fail_tool', { event: 'tool_failed' }],
  [
    'copilot',
    'copilot-cli/notification',
    { event: 'waiting', toolName: 'bash', command: ECHO, occurredAt: '1795249524058' },
  ],
  [
    'copilot',
    'copilot-cli/notification.edit',
    { event: 'waiting', toolName: 'edit', touches: write(`${P}/w2.txt`) },
  ],
  [
    'copilot',
    'copilot-cli/notification.beckon_ask_user',
    { event: 'waiting', toolName: 'beckon/ask_user', touches: [] },
  ],
  ['copilot', 'copilot-cli/agentStop', { event: 'stop' }],
  ['copilot', 'copilot-cli/sessionEnd', { event: 'session_end' }],
  ['copilot', 'copilot-cli-pascal/SessionStart', { event: 'session_start', sessionId: PASCAL }],
  ['copilot', 'copilot-cli-pascal/PreToolUse.Write', { touches: write(`${P}/w2.txt`) }],
  ['copilot', 'copilot-cli-pascal/PreToolUse.Edit', { touches: write(`${P}/w2.txt`) }],
  ['copilot', 'copilot-cli-pascal/PreToolUse.Read', { touches: read(`${P}/w2.txt`) }],
  ['copilot', 'copilot-cli-pascal/PreToolUse.Bash', { command: ECHO, rawEvent: 'PreToolUse' }],
  [
    'copilot',
    'copilot-cli-pascal/PermissionRequest.bash',
    { event: 'permission', sessionId: PASCAL },
  ],
  ['copilot', 'copilot-cli-pascal/PostToolUseFailure.svc_fail_tool', { event: 'tool_failed' }],
  ['copilot', 'copilot-cli-pascal/Stop', { event: 'stop' }],
  ['gemini', 'gemini-cli/SessionStart', { event: 'session_start', sessionId: GEMINI }],
  ['gemini', 'gemini-cli/BeforeAgent', { event: 'prompt' }],
  [
    'gemini',
    'gemini-cli/BeforeTool.write_file',
    { event: 'before_tool', touches: write(`${P}/w.txt`) },
  ],
  ['gemini', 'gemini-cli/BeforeTool.replace', { touches: write(`${P}/w.txt`) }],
  ['gemini', 'gemini-cli/BeforeTool.read_file', { touches: read(`${P}/w.txt`) }],
  ['gemini', 'gemini-cli/BeforeTool.run_shell_command', { command: ECHO, cwd: P }],
  ['gemini', 'gemini-cli/BeforeTool.mcp_svc_ask_human', { event: 'before_tool', touches: [] }],
  ['gemini', 'gemini-cli/AfterTool.write_file', { event: 'after_tool' }],
  [
    'gemini',
    'gemini-cli/Notification.ToolPermission',
    { event: 'waiting', command: ECHO, occurredAt: '2026-11-21T08:29:20.066Z' },
  ],
  [
    'gemini',
    'gemini-cli/Notification.ToolPermission.edit',
    { event: 'waiting', touches: write(`${P}/w.txt`) },
  ],
  ['gemini', 'gemini-cli/PreCompress', { event: 'unknown' }],
  ['gemini', 'gemini-cli/AfterAgent', { event: 'stop' }],
  ['gemini', 'gemini-cli/SessionEnd', { event: 'session_end' }],
  ['cline', 'cline/agent_start', { event: 'session_start', sessionId: CLINE, roots: [P], cwd: P }],
  ['cline', 'cline/tool_call.editor', { event: 'before_tool', touches: write(`${P}/e.txt`) }],
  [
    'cline',
    'cline/tool_call.run_commands',
    { event: 'before_tool', command: `${ECHO}\npwd`, sessionId: CLINE },
  ],
  ['cline', 'cline/tool_call.read_files', { touches: read(`${P}/w.txt`) }],
  ['cline', 'cline/tool_result.editor', { event: 'after_tool', touches: write(`${P}/e.txt`) }],
  ['cline', 'cline/tool_result.run_commands', { event: 'after_tool', command: `${ECHO}\npwd` }],
  ['cline', 'cline/agent_end', { event: 'stop' }],
]

const FROM_DOCUMENTS: Row[] = [
  [
    'vscode',
    'vscode/SessionStart',
    { client: 'vscode', event: 'session_start', sessionId: 'session-1' },
  ],
  [
    'vscode',
    'vscode/PreToolUse.create_file',
    { touches: write(`${P}/w.txt`), toolUseId: 'tool-1' },
  ],
  [
    'vscode',
    'vscode/PreToolUse.multi_replace_string_in_file',
    { touches: write(`${P}/a.txt`, `${P}/b.txt`) },
  ],
  ['vscode', 'vscode/PreToolUse.apply_patch', { touches: write(`${P}/a.txt`) }],
  ['vscode', 'vscode/PreToolUse.create_directory', { touches: write(`${P}/new`) }],
  ['vscode', 'vscode/PreToolUse.read_file', { touches: read(`${P}/w.txt`) }],
  ['vscode', 'vscode/PreToolUse.run_in_terminal', { command: ECHO }],
  ['vscode', 'vscode/PreToolUse.editFiles', { touches: write('src/main.ts') }],
  ['vscode', 'vscode/Stop', { event: 'stop' }],
  ['cursor', 'cursor/sessionStart', { event: 'session_start', sessionId: 'conv-1', roots: [P] }],
  ['cursor', 'cursor/preToolUse.Write', { touches: write(`${P}/w.txt`), toolUseId: 't1' }],
  ['cursor', 'cursor/preToolUse.StrReplace', { touches: write(`${P}/w.txt`) }],
  ['cursor', 'cursor/preToolUse.Delete', { touches: [{ path: `${P}/w.txt`, touch: 'delete' }] }],
  ['cursor', 'cursor/preToolUse.Shell', { command: ECHO, cwd: `${P}/sub`, roots: [P] }],
  ['cursor', 'cursor/beforeShellExecution', { event: 'before_tool', command: ECHO, cwd: P }],
  [
    'cursor',
    'cursor/beforeMCPExecution',
    { toolName: 'save_note', touches: write(`${P}/note.md`) },
  ],
  [
    'cursor',
    'cursor/beforeReadFile',
    { touches: read(`${P}/secrets.env`), toolInput: { file_path: `${P}/secrets.env` } },
  ],
  ['cursor', 'cursor/afterFileEdit', { event: 'after_tool', touches: write(`${P}/w.txt`) }],
  [
    'agy',
    'agy/PreToolUse.write_to_file',
    { touches: write(`${P}/w.txt`), toolUseId: 'c1:7', roots: [P] },
  ],
  ['agy', 'agy/PreToolUse.replace_file_content.quoted', { touches: write(`${P}/w.txt`) }],
  ['agy', 'agy/PreToolUse.view_file', { touches: read(`${P}/w.txt`), sessionId: 'c1' }],
  ['agy', 'agy/PreToolUse.run_command', { command: ECHO, cwd: `${P}/sub`, roots: [P] }],
  ['agy', 'agy/PreInvocation', { event: 'session_start', rawEvent: 'PreInvocation' }],
  ['qwen', 'qwen/SessionStart', { event: 'session_start', sessionId: 'q1' }],
  ['qwen', 'qwen/PreToolUse.write_file', { touches: write(`${P}/w.txt`), toolUseId: 'toolu_1' }],
  ['qwen', 'qwen/PreToolUse.run_shell_command', { command: ECHO, cwd: `${P}/sub`, roots: [P] }],
  ['qwen', 'qwen/PermissionRequest.run_shell_command', { event: 'permission', command: ECHO }],
  ['droid', 'droid/PreToolUse.Create', { touches: write(`${P}/w.txt`), sessionId: 'd1' }],
  ['droid', 'droid/PreToolUse.Execute', { command: ECHO, permissionMode: 'default' }],
  [
    'droid',
    'droid/PreToolUse.Edit.camel',
    { touches: write(`${P}/w.txt`), permissionMode: 'auto-full' },
  ],
  ['goose', 'goose/SessionStart', { event: 'session_start', sessionId: 'abc-123' }],
  [
    'goose',
    'goose/PreToolUse.developer__write',
    { touches: write(`${P}/w.txt`), toolUseId: 'call_1' },
  ],
  ['goose', 'goose/PreToolUse.developer__shell', { command: ECHO, cwd: P }],
  ['windsurf', 'windsurf/pre_write_code', { event: 'before_tool', touches: write(`${P}/w.txt`) }],
  ['windsurf', 'windsurf/pre_read_code', { touches: read(`${P}/w.txt`), sessionId: 'traj-1' }],
  ['windsurf', 'windsurf/pre_run_command', { command: ECHO, cwd: `${P}/sub` }],
  [
    'windsurf',
    'windsurf/pre_mcp_tool_use',
    { toolName: 'notes/save_note', touches: write(`${P}/note.md`) },
  ],
  ['windsurf', 'windsurf/post_cascade_response', { event: 'stop' }],
  ['cline', 'cline/TaskStart', { event: 'session_start', sessionId: 'task-1', roots: [P], cwd: P }],
  ['cline', 'cline/PreToolUse.write_to_file', { event: 'before_tool', touches: write('w.txt') }],
  ['cline', 'cline/PreToolUse.execute_command', { command: ECHO }],
  [
    'cline',
    'cline/PreToolUse.use_mcp_tool',
    { toolName: 'notes/save_note', touches: write('note.md') },
  ],
]

const ALL: Row[] = [
  ...RECORDED,
  ...FROM_DOCUMENTS.map(
    ([client, file, expected]): Row => [client, `from-documents/${file}`, expected],
  ),
]

test.each(ALL)('%s reads %s', async (name, file, expected) => {
  const client = await loadHookClient(name)
  const call = client?.parse(JSON.parse(fixture(file)), {})
  expect(call).toMatchObject(expected)
})

test.each<[object | string, string]>([
  [{ commands: ['a', 'b'] }, 'a\nb'],
  [{ commands: 'a' }, 'a'],
  [{ commands: '["a", "b"]' }, 'a\nb'],
  [{ commands: [{ command: 'rm', args: ['-r', 'a b'] }] }, "'rm' '-r' 'a b'"],
  [{ commands: { command: 'rm', args: ['a'] } }, "'rm' 'a'"],
  [[{ command: 'rm', args: ['a'] }], "'rm' 'a'"],
  [{ command: 'rm', args: ['a'] }, "'rm' 'a'"],
  [{ command: 'rm a' }, 'rm a'],
  [{ cmd: 'rm a' }, 'rm a'],
  [['rm a', 'rm b'], 'rm a\nrm b'],
  ['rm a', 'rm a'],
])('Cline runs commands in the form %j', async (input, command) => {
  const client = await loadHookClient('cline')
  const event = { hookName: 'tool_call', tool_call: { id: '1', name: 'run_commands', input } }
  expect(client?.parse(event, {})).toMatchObject({ event: 'before_tool', command })
})

test.each<[object | string]>([
  [{ files: [{ path: 'a' }, { path: 'b' }] }],
  [{ files: ['a', 'b'] }],
  [{ files: '[{"path":"a"},{"path":"b"}]' }],
  [{ file_paths: ['a', 'b'] }],
  [{ paths: ['a', { filePath: 'b' }] }],
  [[{ file_path: 'a' }, 'b']],
])('Cline reads files in the form %j', async (input) => {
  const client = await loadHookClient('cline')
  const event = { hookName: 'tool_call', tool_call: { id: '1', name: 'read_files', input } }
  expect(client?.parse(event, {})).toMatchObject({ touches: read('a', 'b') })
})

test('Cline passes the session to our tools, unless the model named one', async () => {
  const client = await loadHookClient('cline')
  const render = (name: string, input: object) => {
    const event = JSON.parse(fixture('cline/tool_call.editor'))
    const call = client?.parse({ ...event, tool_call: { id: '1', name, input } }, {})
    if (!client || !call) throw new Error('there is no such client')
    return JSON.parse(client.render({ is: 'silent' }, call).stdout)
  }
  const args = { question: 'May I?' }
  const overrideInput = { ...args, sessionId: CLINE }
  expect(render('beckon__ask_user', args)).toEqual({ cancel: false, overrideInput })
  expect(render('beckon__ask_user', { ...args, sessionId: 'other' })).toEqual({ cancel: false })
  expect(render('notes__ask_user', args)).toEqual({ cancel: false })
})

test('an event that is not known is the one that the hook was registered for', async () => {
  const client = await loadHookClient('cline')
  const { hookName, ...rest } = JSON.parse(fixture('cline/tool_call.editor'))
  const renamed = { ...rest, hookName: `${hookName}_2` }
  expect(client?.parse(renamed, {}, 'PreToolUse')).toMatchObject({ event: 'before_tool' })
})

test('OpenCode calls through its shim, which says where and when', async () => {
  const client = await loadHookClient('opencode')
  const parseFixture = (file: string, event: string) =>
    client?.parse({ event, cwd: P, roots: [P], ...JSON.parse(fixture(`opencode/${file}`)) }, {})
  const before = 'tool.execute.before'
  expect(parseFixture(`${before}.write`, before)).toMatchObject({
    event: 'before_tool',
    touches: write(`${P}/w.txt`),
    sessionId: OPENCODE,
    toolUseId: 'call_d5278f4d',
    roots: [P],
  })
  expect(parseFixture(`${before}.edit`, before)).toMatchObject({ touches: write(`${P}/w.txt`) })
  expect(parseFixture(`${before}.read`, before)).toMatchObject({ touches: read(`${P}/w.txt`) })
  expect(parseFixture(`${before}.bash`, before)).toMatchObject({ command: ECHO, cwd: P })
  expect(parseFixture('tool.execute.after.write', 'tool.execute.after')).toMatchObject({
    event: 'after_tool',
    touches: write(`${P}/w.txt`),
  })
  expect(parseFixture('event.permission.asked', 'permission.asked')).toMatchObject({
    event: 'permission',
    toolName: 'bash',
    command: ECHO,
    toolUseId: 'call_c658e447',
  })
  expect(parseFixture('event.question.asked', 'question.asked')).toMatchObject({
    event: 'permission',
    toolName: 'question',
    questions: [{ question: 'Which database?', multiSelect: false }],
  })
  expect(parseFixture('event.session.idle', 'session.idle')).toMatchObject({ event: 'stop' })
})

test('the event that the input names wins over the one of the command line', async () => {
  const copilot = await loadHookClient('copilot')
  const permission = JSON.parse(fixture('copilot-cli/permissionRequest.bash'))
  expect(copilot?.parse(permission, {}, 'preToolUse').event).toBe('permission')
  const tool = JSON.parse(fixture('copilot-cli/preToolUse.bash'))
  expect(copilot?.parse(tool, {}, 'postToolUse').event).toBe('after_tool')
})

test('fields that are text of JSON are read, and so is a patch that is the whole input', async () => {
  const copilot = await loadHookClient('copilot')
  const call = (toolName: string, toolArgs: unknown) =>
    copilot?.parse({ sessionId: 's', timestamp: 1, cwd: P, toolName, toolArgs }, {}).touches
  expect(call('create', '{"path":"a.txt"}')).toEqual(write('a.txt'))
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Delete File: b.txt\n*** End Patch'
  const touched = [...write('a.txt'), { path: 'b.txt', touch: 'delete' as const }]
  expect(call('edit', patch)).toEqual(touched)
  expect(call('apply_patch', patch)).toEqual(touched)
  expect(call('apply_patch', { input: patch })).toEqual(touched)
})

test('the folder that the environment names is the root, and the folder of the call is kept', async () => {
  const gemini = await loadHookClient('gemini')
  const shell = { command: 'touch x', dir_path: 'deep' }
  const input = { hook_event_name: 'BeforeTool', cwd: `${P}/sub`, tool_name: 'run_shell_command' }
  const call = gemini?.parse({ ...input, tool_input: shell }, { GEMINI_PROJECT_DIR: P })
  expect(call).toMatchObject({ cwd: `${P}/sub/deep`, roots: [P] })
})

test.each(HOOK_CLIENTS)('the call of %s that --check repeats is read', async (name) => {
  const client = await loadHookClient(name)
  const call = client?.parse(await client.shellCall?.(), {})
  expect(call).toMatchObject({ event: 'before_tool', command: ECHO })
  expect(call?.sessionId).toBeDefined()
})
