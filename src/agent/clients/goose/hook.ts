import type { ToolTable } from '../../calls/read-tool.ts'
import { NOTHING } from '../../calls/tool-call.ts'
import type { ClientHook } from '../client.ts'
import { block } from '../say.ts'
import { type ClientTable, readByTable } from '../table.ts'

const TOOLS: ToolTable = {
  developer__write: { touch: 'write', keys: ['path'] },
  developer__edit: { touch: 'write', keys: ['path'] },
  developer__text_editor: { touch: 'write', keys: ['path'] },
  developer__tree: { touch: 'read', keys: ['path'] },
  developer__read_image: { touch: 'read', keys: ['source'] },
  developer__shell: { shell: 'command' },
}

const GOOSE: ClientTable = {
  client: 'goose',
  events: {
    SessionStart: 'session_start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'before_tool',
    PostToolUse: 'after_tool',
    PostToolUseFailure: 'tool_failed',
    Stop: 'stop',
    SessionEnd: 'session_end',
  },
  keys: {
    event: ['event'],
    session: ['session_id'],
    cwd: ['working_dir'],
    tool: ['tool_name'],
    input: ['tool_input'],
    callId: ['tool_call_id'],
    message: ['message'],
  },
  tools: TOOLS,
}

/** Goose understands only a block; empty output with exit code 0 lets the tool run. */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: false,
  canAsk: () => false,
  parse: (input, env, event) => readByTable(GOOSE, input, env, { rawEvent: event }),
  render(verdict, call) {
    const blocks = verdict.is === 'deny' || verdict.is === 'ask'
    if (!blocks || call.event !== 'before_tool') return NOTHING
    return block(verdict.reason, (reason) => ({ decision: 'block', reason }))
  },
}
