import { omitUndefined } from '../../../platform/json.ts'
import type { ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../calls/tool-call.ts'
import { CLAUDE_EVENTS, onlyAboutTools, onPermission } from '../claude-shape.ts'
import { readClaudeTurn } from '../claude-turns.ts'
import type { ClientHook } from '../client.ts'
import { hookOutput } from '../say.ts'
import { type ClientTable, readByTable } from '../table.ts'
import { QWEN_TURNS } from './turns.ts'

const TOOLS: ToolTable = {
  write_file: { touch: 'write', keys: ['file_path'] },
  edit: { touch: 'write', keys: ['file_path'] },
  replace: { touch: 'write', keys: ['file_path'] },
  notebook_edit: { touch: 'write', keys: ['notebook_path'] },
  read_file: { touch: 'read', keys: ['file_path', 'absolute_path'] },
  read_many_files: { touch: 'read', keys: ['paths', 'include'] },
  list_directory: { touch: 'read', keys: ['path', 'dir_path'] },
  glob: { touch: 'read', keys: ['path'] },
  grep_search: { touch: 'read', keys: ['path'] },
  run_shell_command: { shell: 'command', in: 'directory' },
  ask_user_question: 'no_paths',
  exit_plan_mode: 'no_paths',
  save_memory: 'no_paths',
  task: 'no_paths',
  todo_write: 'no_paths',
  web_fetch: 'no_paths',
  web_search: 'no_paths',
}

const QWEN: ClientTable = {
  client: 'qwen',
  events: CLAUDE_EVENTS,
  keys: {
    event: ['hook_event_name'],
    session: ['session_id'],
    cwd: ['cwd'],
    tool: ['tool_name'],
    input: ['tool_input'],
    callId: ['tool_use_id', 'tool_call_id'],
    mode: ['permission_mode'],
    message: ['message'],
  },
  roots: ['QWEN_PROJECT_DIR'],
  tools: TOOLS,
}

/** Qwen Code: the words of Claude Code, the tools of Gemini CLI. It turns `ask` into a no itself. */
export const hook: ClientHook = {
  // Qwen Code ends every hook then, with a longer timeout in the entry too, and runs the tool.
  hostTimeoutMs: 60_000,
  hasOwnLimit: true,
  relays: true,
  canAsk: ({ event }) => event === 'before_tool',
  parse: (input, env, event) => ({
    ...readByTable(QWEN, input, env, { rawEvent: event }),
    ...omitUndefined({ turn: readClaudeTurn(input) }),
  }),
  turns: QWEN_TURNS,
  render,
}

function render(verdict: Verdict, call: HookCall): Rendered {
  if (verdict.is === 'go_on') return hookOutput({ decision: 'block', reason: verdict.text })
  return call.event === 'permission' ? ofPermission(verdict) : onlyAboutTools(verdict, call)
}

function ofPermission(verdict: Verdict): Rendered {
  if (verdict.is === 'allow') return onPermission({ behavior: 'allow' })
  if (verdict.is === 'deny') return onPermission({ behavior: 'deny', message: verdict.reason })
  return NOTHING
}
