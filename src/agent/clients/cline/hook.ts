import { opened, type ToolTable } from '../../hook/read-tool.ts'
import type { HookCall, Rendered, Verdict } from '../../hook/tool-call.ts'
import type { ClientHook, HookEnvironment } from '../client.ts'
import { fieldsOf } from '../client.ts'
import { block, hookOutput } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'

const TOOLS: ToolTable = {
  write_to_file: { touch: 'write', keys: ['path'] },
  replace_in_file: { touch: 'write', keys: ['path'] },
  apply_patch: { patch: 'input' },
  read_file: { touch: 'read', keys: ['path'] },
  list_files: { touch: 'read', keys: ['path'] },
  search_files: { touch: 'read', keys: ['path'] },
  list_code_definition_names: { touch: 'read', keys: ['path'] },
  execute_command: { shell: 'command' },
  ask_followup_question: 'no_paths',
  attempt_completion: 'no_paths',
  plan_mode_respond: 'no_paths',
  web_fetch: 'no_paths',
}

const CLINE: ClientTable = {
  client: 'cline',
  events: {
    TaskStart: 'session_start',
    TaskResume: 'session_start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'before_tool',
    PostToolUse: 'after_tool',
    TaskCancel: 'session_end',
    TaskComplete: 'stop',
  },
  keys: {
    event: ['hookName'],
    session: ['taskId'],
    roots: ['workspaceRoots'],
    tool: ['preToolUse.toolName', 'postToolUse.toolName'],
    input: ['preToolUse.parameters', 'postToolUse.parameters'],
  },
  tools: TOOLS,
}

/** Cline: every hook answers with `cancel`, and always exits with 0. */
export const hook: ClientHook = {
  hostTimeoutMs: 30_000,
  hasOwnLimit: true,
  relays: false,
  canAsk: () => false,
  parse: read,
  render,
}

function read(input: unknown, env: HookEnvironment, event?: string): HookCall {
  const fields = fieldsOf(input)
  const rawEvent = event ?? (fields.preToolUse ? 'PreToolUse' : undefined)
  const tool = firstText(fields, CLINE.keys.tool)
  if (tool !== 'use_mcp_tool') return readByTable(CLINE, input, env, { rawEvent })
  const call = fieldsOf(fieldsOf(fields.preToolUse ?? fields.postToolUse).parameters)
  const text = (name: string) => firstText(call, [name]) ?? ''
  return readByTable(CLINE, input, env, {
    rawEvent,
    toolName: `${text('server_name')}/${text('tool_name')}`,
    toolInput: opened(call.arguments),
  })
}

function render(verdict: Verdict, { event }: HookCall): Rendered {
  const blocks = verdict.is === 'deny' || verdict.is === 'ask'
  if (blocks && event === 'before_tool') {
    const blocked = block(verdict.reason, (reason) => ({ cancel: true, errorMessage: reason }))
    return { ...blocked, stderr: '', exit: 0 }
  }
  const hasPlace = event === 'session_start' || event === 'after_tool'
  if (verdict.is !== 'context' || !hasPlace) return hookOutput({ cancel: false })
  return hookOutput({ cancel: false, contextModification: verdict.text })
}
