import type { ToolTable } from '../../calls/read-tool.ts'
import { CLAUDE_EVENTS, onlyAboutTools } from '../claude-shape.ts'
import { type ClientHook, fieldsOf } from '../client.ts'
import { hookOutput, replaceField } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'

const TOOLS: ToolTable = {
  Create: { touch: 'write', keys: ['file_path'] },
  Write: { touch: 'write', keys: ['file_path'] },
  Edit: { touch: 'write', keys: ['file_path'] },
  MultiEdit: { touch: 'write', keys: ['file_path'] },
  ApplyPatch: { patch: 'input' },
  Read: { touch: 'read', keys: ['file_path'] },
  LS: { touch: 'read', keys: ['directory_path', 'path'] },
  Glob: { touch: 'read', keys: ['folder', 'path'] },
  Grep: { touch: 'read', keys: ['path'] },
  Execute: { shell: 'command' },
  Bash: { shell: 'command' },
  FetchUrl: 'no_paths',
  Task: 'no_paths',
  TodoWrite: 'no_paths',
  WebSearch: 'no_paths',
}

const DROID: ClientTable = {
  client: 'droid',
  events: CLAUDE_EVENTS,
  // Droid's documentation and reports of its users spell the names differently.
  keys: {
    event: ['hook_event_name', 'hookEventName'],
    session: ['session_id', 'sessionId'],
    cwd: ['cwd'],
    tool: ['tool_name', 'toolName'],
    input: ['tool_input', 'toolInput'],
    callId: ['tool_use_id', 'toolUseId'],
    mode: ['permission_mode', 'permissionMode'],
    message: ['message'],
  },
  roots: ['FACTORY_PROJECT_DIR'],
  tools: TOOLS,
}

// In these modes no person would see the question.
const NEVER_ASKS = new Set(['bypassPermissions', 'auto-full'])

const RUNS_EVERYTHING = new Set(['auto-high', 'bypassPermissions', 'auto-full'])

/** Factory Droid: the words of Claude Code, with tools of its own. */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: false,
  canAsk: ({ event, permissionMode = '' }) =>
    event === 'before_tool' && !NEVER_ASKS.has(permissionMode),
  parse(input, env, event) {
    const output = firstText(fieldsOf(input), ['tool_response'])
    const call = readByTable(DROID, input, env, { rawEvent: event })
    return output === undefined ? call : { ...call, output }
  },
  // In every other mode it judges the command itself, and asks about one that it does not know; told to
  // allow the call, it would ask about nothing.
  takesCommands: ({ permissionMode = '' }) => RUNS_EVERYTHING.has(permissionMode),
  withCommands: (call, replace) => replaceField(call, 'command', replace),
  render: (verdict, call) =>
    verdict.is === 'replace' && call.event === 'before_tool'
      ? hookOutput({
          hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: verdict.input },
        })
      : onlyAboutTools(verdict, call),
}
