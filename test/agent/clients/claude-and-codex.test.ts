import { expect, test } from 'bun:test'
import Ajv from 'ajv'
import type { HookCall, Rendered, Verdict } from '../../../src/agent/calls/tool-call.ts'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import { fixture } from './fixture.ts'

const P = '/home/u/proj'
const CLAUDE = '0b7bef46-da65-4242-81f1-aa383b8f9463'
const CODEX = '01a1fd34-3eae-7752-a518-815f1387efd3'
const PATCH = [
  { path: 'p.txt', touch: 'write' },
  { path: 'old.txt', touch: 'write' },
  { path: 'sub/new.txt', touch: 'write' },
] as const
const ECHO = { toolName: 'Bash', command: 'echo hello > made.txt', touches: [] }
const W = `${P}/w.txt`

const RECORDED: Array<[file: string, expected: Partial<HookCall>]> = [
  ['claude/SessionStart', { event: 'session_start', sessionId: CLAUDE, cwd: P, roots: [P] }],
  ['claude/UserPromptSubmit', { event: 'prompt', permissionMode: 'default' }],
  ['claude/PreToolUse.Bash', { ...ECHO, event: 'before_tool', toolUseId: 'toolu_16bcbea3' }],
  ['claude/PreToolUse.Edit', { event: 'before_tool', touches: [{ path: W, touch: 'write' }] }],
  ['claude/PreToolUse.Write', { event: 'before_tool', touches: [{ path: W, touch: 'write' }] }],
  ['claude/PreToolUse.Read', { event: 'before_tool', touches: [{ path: W, touch: 'read' }] }],
  ['claude/PreToolUse.mcp__svc__ask_user', { event: 'before_tool', touches: [] }],
  ['claude/PreToolUse.mcp__svc__fail_tool', { event: 'before_tool', touches: [] }],
  ['claude/PreToolUse.AskUserQuestion.interactive', { questions: expect.any(Array), touches: [] }],
  ['claude/PermissionRequest.Bash.interactive', { ...ECHO, event: 'permission' }],
  ['claude/PermissionRequest.Bash.print-mode', { ...ECHO, event: 'permission' }],
  ['claude/PermissionRequest.AskUserQuestion.interactive', { event: 'permission' }],
  ['claude/PermissionRequest.mcp__svc__ask_user.interactive', { event: 'permission' }],
  ['claude/PostToolUse.Bash', { event: 'after_tool', toolUseId: 'toolu_16bcbea3' }],
  ['claude/PostToolUse.Edit', { event: 'after_tool' }],
  ['claude/PostToolUse.Read', { event: 'after_tool' }],
  ['claude/PostToolUse.Write', { event: 'after_tool' }],
  ['claude/PostToolUse.mcp__svc__ask_user', { event: 'after_tool' }],
  ['claude/PostToolUseFailure.mcp__svc__fail_tool', { event: 'tool_failed' }],
  ['claude/Notification.permission_prompt.interactive', { event: 'notification' }],
  ['claude/Stop', { event: 'stop' }],
  ['claude/SessionEnd', { event: 'session_end', sessionId: CLAUDE }],
  ['claude/SessionEnd.prompt_input_exit.interactive', { event: 'session_end' }],
  ['codex/SessionStart', { event: 'session_start', sessionId: CODEX, cwd: P, roots: [P] }],
  ['codex/UserPromptSubmit', { event: 'prompt' }],
  ['codex/PreToolUse.Bash', { ...ECHO, event: 'before_tool', toolUseId: 'call_7eb4cbe0' }],
  ['codex/PreToolUse.apply_patch', { event: 'before_tool', touches: [...PATCH] }],
  ['codex/PreToolUse.mcp__svc__ask_user', { event: 'before_tool', touches: [] }],
  ['codex/PreToolUse.mcp__svc__fail_tool', { event: 'before_tool', touches: [] }],
  ['codex/PermissionRequest.mcp__svc__ask_user', { event: 'permission' }],
  ['codex/PostToolUse.Bash', { event: 'after_tool' }],
  ['codex/PostToolUse.apply_patch', { event: 'after_tool' }],
  ['codex/PostToolUse.mcp__svc__ask_user', { event: 'after_tool' }],
  ['codex/Stop', { event: 'stop' }],
  ['codex/SessionEnd', { event: 'session_end' }],
  ['codex/Interrupt.interactive', { event: 'stop' }],
  [
    'codex/PermissionRequest.Bash.interactive',
    { event: 'permission', command: 'echo yes > /home/u/proj/a.txt' },
  ],
]

test.each(RECORDED)('%s is read', async (file, expected) => {
  const name = String(file.split('/')[0])
  const client = await loadHookClient(name)
  const env = name === 'claude' ? JSON.parse(fixture('claude/hook-env')) : {}
  expect(client?.parse(JSON.parse(fixture(file)), env)).toMatchObject(expected)
})

test('the environment of Claude Code says whether somebody sits at the terminal', async () => {
  const claude = await loadHookClient('claude')
  const input = JSON.parse(fixture('claude/PreToolUse.Write'))
  const canAsk = (env: Record<string, string>, more = {}) =>
    claude?.canAsk(claude.parse({ ...input, ...more }, env))
  expect(canAsk({ CLAUDE_CODE_SESSION_ATTENDED: '1' })).toBe(true)
  expect(canAsk({ CLAUDE_CODE_SESSION_ATTENDED: '0' })).toBe(false)
  expect(canAsk({}, { permission_mode: 'bypassPermissions' })).toBe(false)
  expect(canAsk({}, { permission_mode: 'dontAsk' })).toBe(false)
})

const R = 'infra/a.tf is off limits. "Quoted", ünïcode\nand a second line.'
const output = (hookSpecificOutput: object): string => JSON.stringify({ hookSpecificOutput })
const only = (stdout: string): Rendered => ({ stdout, stderr: '', exit: 0 })
const nothing = only('')
const tool = (decision: string) =>
  output({
    hookEventName: 'PreToolUse',
    permissionDecision: decision,
    permissionDecisionReason: R,
  })
const permission = (decision: object) =>
  only(output({ hookEventName: 'PermissionRequest', decision }))
const context = (hookEventName: string) => only(output({ hookEventName, additionalContext: R }))
const denied = { stdout: tool('deny'), stderr: R, exit: 2 } as const
const updatedInput = { questions: [], answers: { 'Which?': 'A' } }
const rules = [{ type: 'addRules', destination: 'session' }]
const answered = only(
  output({ hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput }),
)

const SILENT: Verdict = { is: 'silent' }
const DENY: Verdict = { is: 'deny', reason: R }
const ASK: Verdict = { is: 'ask', reason: R }
const CONTEXT: Verdict = { is: 'context', text: R }

const RENDERED: Array<[client: string, event: string, verdict: Verdict, expected: Rendered]> = [
  ['claude', 'PreToolUse', SILENT, nothing],
  ['claude', 'PreToolUse', DENY, denied],
  ['claude', 'PreToolUse', ASK, only(tool('ask'))],
  ['claude', 'PreToolUse', { is: 'allow' }, nothing],
  ['claude', 'PreToolUse', { is: 'allow', updatedInput }, answered],
  ['claude', 'PermissionRequest', SILENT, nothing],
  ['claude', 'PermissionRequest', DENY, permission({ behavior: 'deny', message: R })],
  ['claude', 'PermissionRequest', ASK, nothing],
  ['claude', 'PermissionRequest', { is: 'allow' }, permission({ behavior: 'allow' })],
  [
    'claude',
    'PermissionRequest',
    { is: 'allow', updatedInput, updatedPermissions: rules },
    permission({ behavior: 'allow', updatedInput, updatedPermissions: rules }),
  ],
  ['claude', 'SessionStart', CONTEXT, context('SessionStart')],
  ['claude', 'PostToolUse', CONTEXT, context('PostToolUse')],
  ['claude', 'Stop', DENY, nothing],
  ['claude', 'Stop', CONTEXT, nothing],
  ['claude', 'SessionEnd', CONTEXT, nothing],
  ['codex', 'PreToolUse', SILENT, nothing],
  ['codex', 'PreToolUse', DENY, denied],
  ['codex', 'PreToolUse', ASK, denied],
  ['codex', 'PreToolUse', { is: 'allow' }, nothing],
  ['codex', 'PreToolUse', { is: 'allow', updatedInput }, answered],
  ['codex', 'PermissionRequest', SILENT, nothing],
  ['codex', 'PermissionRequest', DENY, permission({ behavior: 'deny', message: R })],
  ['codex', 'PermissionRequest', ASK, nothing],
  [
    'codex',
    'PermissionRequest',
    { is: 'allow', updatedInput, updatedPermissions: rules },
    permission({ behavior: 'allow' }),
  ],
  ['codex', 'SessionStart', CONTEXT, context('SessionStart')],
  ['codex', 'PostToolUse', CONTEXT, context('PostToolUse')],
  ['codex', 'Stop', DENY, nothing],
  ['codex', 'SessionEnd', CONTEXT, nothing],
]

test.each(RENDERED)('%s is told at %s', async (name, event, verdict, expected) => {
  const client = await loadHookClient(name)
  const call = client?.parse({ hook_event_name: event, tool_name: 'Bash' }, {})
  expect(call && client?.render(verdict, call)).toEqual(expected)
})

/** What Codex 0.169 takes; a key more, and the tool runs as if there were no hook. */
const strict = (hookEventName: string, properties: object, required: string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required: ['hookSpecificOutput'],
  properties: {
    hookSpecificOutput: {
      type: 'object',
      additionalProperties: false,
      required: ['hookEventName', ...required],
      properties: { hookEventName: { const: hookEventName }, ...properties },
    },
  },
})
const text = { type: 'string', pattern: '\\S' }
const CODEX_SCHEMAS: Record<string, object> = {
  PreToolUse: {
    anyOf: [
      strict(
        'PreToolUse',
        { permissionDecision: { const: 'deny' }, permissionDecisionReason: text },
        ['permissionDecision', 'permissionDecisionReason'],
      ),
      strict('PreToolUse', { permissionDecision: { const: 'allow' }, updatedInput: true }, [
        'permissionDecision',
        'updatedInput',
      ]),
    ],
  },
  PermissionRequest: strict(
    'PermissionRequest',
    {
      decision: {
        type: 'object',
        additionalProperties: false,
        required: ['behavior'],
        properties: { behavior: { enum: ['allow', 'deny'] }, message: text },
      },
    },
    ['decision'],
  ),
  SessionStart: strict('SessionStart', { additionalContext: text }),
  UserPromptSubmit: strict('UserPromptSubmit', { additionalContext: text }),
  PostToolUse: strict('PostToolUse', { additionalContext: text }),
}

const ajv = new Ajv()
const verdicts: Verdict[] = [
  SILENT,
  DENY,
  ASK,
  CONTEXT,
  { is: 'deny', reason: '' },
  { is: 'ask', reason: ' ' },
  { is: 'allow' },
  { is: 'allow', updatedInput, updatedPermissions: rules },
]
const events = [...Object.keys(CODEX_SCHEMAS), 'Stop', 'SessionEnd', 'PreCompact', '']
test.each(events)(
  'what is said to Codex is in its schema, whatever the verdict: %s',
  async (event) => {
    const codex = await loadHookClient('codex')
    const call = codex?.parse({ hook_event_name: event, tool_name: 'Bash' }, {})
    for (const verdict of verdicts) {
      const { stdout = '', stderr, exit } = (call && codex?.render(verdict, call)) ?? {}
      if (exit === 2) expect(stderr).toMatch(/\S/)
      if (stdout === '') continue
      const schema = CODEX_SCHEMAS[event || 'PreToolUse'] ?? {}
      expect([stdout, ajv.validate(schema, JSON.parse(stdout))]).toEqual([stdout, true])
    }
  },
)

const PATCHES: Array<[patch: string, paths: string[]]> = [
  ['*** Begin Patch\r\n*** Add File: a b.txt\r\n+x\r\n*** End Patch\r\n', ['a b.txt']],
  [
    '*** Begin Patch\n*** Update File: /etc/hosts\n*** Move to: ../../out\n',
    ['/etc/hosts', '../../out'],
  ],
  ['*** Begin Patch\n*** Delete File: src/../infra/x\n*** End Patch', ['src/../infra/x']],
  ['*** Begin Patch\n  *** Add File:   spaced  \n', ['spaced']],
  ['*** Add File: \n', []],
  ['no patch', []],
]

test.each(PATCHES)('the paths of the patch %p', async (command, paths) => {
  const codex = await loadHookClient('codex')
  const call = codex?.parse({ tool_name: 'apply_patch', tool_input: { command } }, {})
  expect(call?.touches.map(({ path }) => path)).toEqual(paths)
})

test('a patch that a command is fed counts too, and a command in a list is read', async () => {
  const codex = await loadHookClient('codex')
  const read = (command: unknown) =>
    codex?.parse({ tool_name: 'Bash', tool_input: { command } }, {})
  const patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF"
  expect(read(patch)?.touches).toEqual([{ path: 'a', touch: 'delete' }])
  expect(read(['bash', '-lc', 'rm x'])?.command).toBe('rm x')
  expect(read(['rm', "it's"])?.command).toBe("'rm' 'it'\\''s'")
  expect(read({ rm: 1 })?.command).toBeUndefined()
})
