import { inputField, type ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING } from '../../calls/tool-call.ts'
import type { ClientHook, HookEnvironment } from '../client.ts'
import { fieldsOf } from '../client.ts'
import { block } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'

// Events do not name a tool: the part after `pre_` and `post_` is its name.
const TOOLS: ToolTable = {
  write_code: { touch: 'write', keys: ['file_path'] },
  read_code: { touch: 'read', keys: ['file_path'] },
  run_command: { shell: 'command_line', in: 'cwd' },
}

const WINDSURF: ClientTable = {
  client: 'windsurf',
  events: {
    pre_user_prompt: 'prompt',
    pre_write_code: 'before_tool',
    pre_read_code: 'before_tool',
    pre_run_command: 'before_tool',
    pre_mcp_tool_use: 'before_tool',
    post_write_code: 'after_tool',
    post_read_code: 'after_tool',
    post_run_command: 'after_tool',
    post_mcp_tool_use: 'after_tool',
    post_cascade_response: 'stop',
  },
  // The folder of the workspace is the one that hooks are started in.
  keys: { event: ['agent_action_name'], session: ['trajectory_id'] },
  tools: TOOLS,
}

/** Windsurf (Devin Desktop) reads only exit code 2 and standard error. */
export const hook: ClientHook = {
  // Windsurf's documentation names no limit.
  hostTimeoutMs: 60_000,
  hasOwnLimit: true,
  relays: false,
  canAsk: () => false,
  parse: read,
  render(verdict, call) {
    const blocks = verdict.is === 'deny' || verdict.is === 'ask'
    if (!blocks || call.event !== 'before_tool') return NOTHING
    return { ...block(verdict.reason, () => ({})), stdout: '' }
  },
}

function read(input: unknown, env: HookEnvironment, event?: string): HookCall {
  const rawEvent = firstText(fieldsOf(input), WINDSURF.keys.event) ?? event ?? ''
  const info = fieldsOf(fieldsOf(input).tool_info)
  const [, action] = /^(?:pre|post)_(.+)$/.exec(rawEvent) ?? []
  const isMcp = action === 'mcp_tool_use'
  const text = (name: string) => firstText(info, [name]) ?? ''
  const toolName = isMcp ? `${text('mcp_server_name')}/${text('mcp_tool_name')}` : action
  const toolInput = isMcp ? inputField(info, 'mcp_tool_arguments') : info
  const toolFields = action && WINDSURF.events[rawEvent] !== 'prompt' ? { toolName, toolInput } : {}
  return readByTable(WINDSURF, input, env, { rawEvent, ...toolFields })
}
