import type { ToolTable } from '../../calls/read-tool.ts'
import { CLAUDE_EVENTS, onlyAboutTools } from '../claude-shape.ts'
import type { ClientHook } from '../client.ts'
import { type ClientTable, readByTable } from '../table.ts'

const TOOLS: ToolTable = {
  create_file: { touch: 'write', keys: ['filePath'] },
  replace_string_in_file: { touch: 'write', keys: ['filePath'] },
  insert_edit_into_file: { touch: 'write', keys: ['filePath'] },
  edit_notebook_file: { touch: 'write', keys: ['filePath'] },
  multi_replace_string_in_file: { touch: 'write', keys: ['replacements[].filePath', 'filePath'] },
  editFiles: { touch: 'write', keys: ['files'] },
  createFile: { touch: 'write', keys: ['path', 'filePath'] },
  deleteFile: { touch: 'delete', keys: ['path', 'filePath'] },
  apply_patch: { patch: 'input' },
  create_directory: { touch: 'write', keys: ['dirPath'] },
  read_file: { touch: 'read', keys: ['filePath'] },
  list_dir: { touch: 'read', keys: ['path'] },
  run_in_terminal: { shell: 'command' },
  runTerminalCommand: { shell: 'command' },
  get_terminal_output: 'no_paths',
  manage_todo_list: 'no_paths',
  fetch_webpage: 'no_paths',
}

const VS_CODE: ClientTable = {
  client: 'vscode',
  events: CLAUDE_EVENTS,
  keys: {
    event: ['hookEventName', 'hook_event_name'],
    session: ['sessionId', 'session_id'],
    cwd: ['cwd'],
    tool: ['tool_name'],
    input: ['tool_input'],
    callId: ['tool_use_id'],
    message: ['message'],
  },
  tools: TOOLS,
}

/** Copilot in VS Code: the format of Claude Code, with tools of its own. */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: false,
  canAsk: ({ event }) => event === 'before_tool',
  parse: (input, env, event) => readByTable(VS_CODE, input, env, { rawEvent: event }),
  render: onlyAboutTools,
}
