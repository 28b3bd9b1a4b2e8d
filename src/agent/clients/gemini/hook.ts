import { omitUndefined } from '../../../platform/json.ts'
import type { ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../calls/tool-call.ts'
import type { ClientHook } from '../client.ts'
import { fieldsOf } from '../client.ts'
import { block, hookOutput, replaceField } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'
import { GEMINI_TURNS, readGeminiTurn } from './turns.ts'

const TOOLS: ToolTable = {
  write_file: { touch: 'write', keys: ['file_path'] },
  replace: { touch: 'write', keys: ['file_path'] },
  read_file: { touch: 'read', keys: ['file_path'] },
  read_many_files: { touch: 'read', keys: ['include', 'paths'] },
  list_directory: { touch: 'read', keys: ['dir_path', 'path'] },
  glob: { touch: 'read', keys: ['dir_path', 'path'] },
  grep_search: { touch: 'read', keys: ['dir_path', 'path'] },
  search_file_content: { touch: 'read', keys: ['dir_path', 'path'] },
  run_shell_command: { shell: 'command', in: 'dir_path' },
  ask_user: 'no_paths',
  google_web_search: 'no_paths',
  save_memory: 'no_paths',
  web_fetch: 'no_paths',
  write_todos: 'no_paths',
}

const GEMINI: ClientTable = {
  client: 'gemini',
  events: {
    SessionStart: 'session_start',
    BeforeAgent: 'prompt',
    BeforeTool: 'before_tool',
    AfterTool: 'after_tool',
    Notification: 'notification',
    AfterAgent: 'stop',
    SessionEnd: 'session_end',
  },
  keys: {
    event: ['hook_event_name'],
    session: ['session_id'],
    cwd: ['cwd'],
    tool: ['tool_name'],
    input: ['tool_input'],
    message: ['message'],
    occurred: ['timestamp'],
  },
  roots: ['GEMINI_PROJECT_DIR'],
  tools: TOOLS,
}

/**
 * Gemini CLI. A hook cannot see whether a person is there, and `ask` without one hangs until the run
 * is killed, so it is never used. Standard error next to an empty standard output is read as a
 * decision, so nothing is written there.
 */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: false,
  canAsk: () => false,
  parse(input, env, event) {
    const prompt = promptIn(fieldsOf(input))
    const call = readByTable(GEMINI, input, env, { rawEvent: event, ...prompt })
    const output = firstText(fieldsOf(input), ['tool_response.llmContent'])
    if (prompt) return { ...call, event: 'waiting' }
    return { ...call, ...omitUndefined({ output, turn: readGeminiTurn(input) }) }
  },
  withCommands: (call, replace) => replaceField(call, 'command', replace),
  startsBash: true,
  turns: GEMINI_TURNS,
  render,
}

/** The prompt that a `Notification` reports, if it does; without a person it never does. */
function promptIn({ notification_type, details }: Record<string, unknown>) {
  if (notification_type !== 'ToolPermission') return undefined
  const fields = fieldsOf(details)
  const text = (name: string) => firstText(fields, [name])
  switch (fields.type) {
    case 'exec':
      return { toolName: 'run_shell_command', toolInput: { command: text('command') } }
    case 'edit':
      return {
        toolName: 'replace',
        toolInput: {
          file_path: text('filePath') ?? text('fileName'),
          diff: text('fileDiff') ?? '',
        },
      }
    case 'mcp': {
      const name = [text('serverName'), text('toolName')].filter(Boolean).join('/')
      return { toolName: name || 'a tool', toolInput: undefined }
    }
    default:
      return { toolName: text('title') ?? 'a tool', toolInput: text('prompt') }
  }
}

function render(verdict: Verdict, { event, rawEvent }: HookCall): Rendered {
  if (verdict.is === 'go_on') return hookOutput({ decision: 'deny', reason: verdict.text })
  if (event === 'before_tool' && (verdict.is === 'deny' || verdict.is === 'ask')) {
    return block(verdict.reason, (reason) => ({ decision: 'deny', reason }))
  }
  if (event === 'before_tool' && verdict.is === 'replace') {
    return hookOutput({
      hookSpecificOutput: { hookEventName: rawEvent, tool_input: verdict.input },
    })
  }
  const hasPlace = event === 'session_start' || event === 'after_tool'
  if (verdict.is !== 'context' || !hasPlace) return NOTHING
  return hookOutput({
    hookSpecificOutput: { hookEventName: rawEvent, additionalContext: verdict.text },
  })
}
