import type { ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../calls/tool-call.ts'
import type { ClientHook, HookEnvironment } from '../client.ts'
import { fieldsOf } from '../client.ts'
import { block, hookOutput } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'
import { refusal } from './refusal.ts'

const TOOLS: ToolTable = {
  Write: { touch: 'write', keys: ['path', 'file_path'] },
  StrReplace: { touch: 'write', keys: ['path', 'file_path'] },
  Edit: { touch: 'write', keys: ['path', 'file_path'] },
  EditNotebook: { touch: 'write', keys: ['target_notebook', 'path'] },
  Delete: { touch: 'delete', keys: ['path', 'file_path'] },
  ApplyPatch: { patch: 'input' },
  Read: { touch: 'read', keys: ['path', 'file_path'] },
  Grep: { touch: 'read', keys: ['path'] },
  Glob: { touch: 'read', keys: ['target_directory', 'path'] },
  LS: { touch: 'read', keys: ['target_directory', 'path'] },
  Shell: { shell: 'command', in: 'working_directory' },
  Task: 'no_paths',
  TodoWrite: 'no_paths',
  WebFetch: 'no_paths',
  WebSearch: 'no_paths',
}

const CURSOR: ClientTable = {
  client: 'cursor',
  events: {
    sessionStart: 'session_start',
    beforeSubmitPrompt: 'prompt',
    preToolUse: 'before_tool',
    beforeShellExecution: 'before_tool',
    beforeMCPExecution: 'before_tool',
    beforeReadFile: 'before_tool',
    postToolUse: 'after_tool',
    afterShellExecution: 'after_tool',
    afterMCPExecution: 'after_tool',
    afterFileEdit: 'after_tool',
    postToolUseFailure: 'tool_failed',
    stop: 'stop',
    sessionEnd: 'session_end',
    // As it names them to hooks that it found in the settings of Claude Code.
    SessionStart: 'session_start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'before_tool',
    PostToolUse: 'after_tool',
    Stop: 'stop',
    SessionEnd: 'session_end',
  },
  keys: {
    event: ['hook_event_name'],
    session: ['conversation_id', 'session_id'],
    cwd: ['cwd'],
    roots: ['workspace_roots'],
    tool: ['tool_name'],
    input: ['tool_input'],
    callId: ['tool_use_id'],
  },
  roots: ['CURSOR_PROJECT_DIR'],
  tools: TOOLS,
}

// The contents of the file are sent along but not needed.
const TOOL_OF: Readonly<Record<string, { tool: string; fields: readonly string[] }>> = {
  beforeShellExecution: { tool: 'Shell', fields: ['command'] },
  afterShellExecution: { tool: 'Shell', fields: ['command'] },
  // The contents of the file come along and are not looked at.
  beforeReadFile: { tool: 'Read', fields: ['file_path'] },
  afterFileEdit: { tool: 'Write', fields: ['file_path'] },
}

/**
 * Cursor: only a block is reliable; its own approvals override everything else. Where the entry has
 * `failClosed`, no output blocks, so consent must be explicit.
 */
export const hook: ClientHook = {
  // The default of Cursor: with a timeout in the entry, it was seen to ignore blocks.
  hostTimeoutMs: 60_000,
  hasOwnLimit: true,
  relays: false,
  canAsk: () => false,
  parse: read,
  render,
}

function read(input: unknown, env: HookEnvironment, event?: string): HookCall {
  const fields = fieldsOf(input)
  const rawEvent = firstText(fields, CURSOR.keys.event) ?? event
  const about = rawEvent !== undefined && Object.hasOwn(TOOL_OF, rawEvent) && TOOL_OF[rawEvent]
  const headless = fields.is_background_agent === true
  if (!about) return readByTable(CURSOR, input, env, { rawEvent, headless })
  const toolInput = Object.fromEntries(about.fields.map((name) => [name, fields[name]]))
  return readByTable(CURSOR, input, env, { rawEvent, headless, toolName: about.tool, toolInput })
}

function render(verdict: Verdict, { event, explicitAllow }: HookCall): Rendered {
  if (verdict.is === 'context') return onContext(verdict.text, event)
  if (event !== 'before_tool') return NOTHING
  if (verdict.is === 'deny' || verdict.is === 'ask') {
    return block(verdict.reason, refusal)
  }
  return explicitAllow ? hookOutput({ permission: 'allow' }) : NOTHING
}

function onContext(text: string, event: HookCall['event']): Rendered {
  const hasPlace = event === 'session_start' || event === 'after_tool'
  return hasPlace ? hookOutput({ additional_context: text }) : NOTHING
}
