import { opened, type ToolTable } from '../../calls/read-tool.ts'
import { commandText } from '../../calls/scan-tool.ts'
import type { HookCall, Rendered, Verdict } from '../../calls/tool-call.ts'
import { reportedTool, saysBeckon } from '../../own-tools.ts'
import type { ClientHook, HookEnvironment } from '../client.ts'
import { fieldsOf, isText } from '../client.ts'
import { block, hookOutput } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'
import { refusal } from './refusal.ts'

// The tools of Cline 3 first; the rest are those of the extension before it.
const TOOLS: ToolTable = {
  editor: { touch: 'write', keys: ['path'] },
  // Read below, because each comes in many forms.
  read_files: 'no_paths',
  run_commands: 'no_paths',
  search_codebase: 'no_paths',
  fetch_web_content: 'no_paths',
  ask_question: 'no_paths',
  skills: 'no_paths',
  spawn_agent: 'no_paths',
  submit_and_exit: 'no_paths',
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
    agent_start: 'session_start',
    agent_resume: 'session_start',
    prompt_submit: 'prompt',
    tool_call: 'before_tool',
    tool_result: 'after_tool',
    agent_end: 'stop',
    // The session goes on after both.
    agent_abort: 'stop',
    agent_error: 'stop',
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
    // Agents that it starts have tasks of their own in the same session.
    session: ['sessionContext.rootSessionId', 'taskId'],
    roots: ['workspaceRoots'],
    tool: ['tool_call.name', 'tool_result.name', 'preToolUse.toolName', 'postToolUse.toolName'],
    input: [
      'tool_call.input',
      'tool_result.input',
      'preToolUse.parameters',
      'postToolUse.parameters',
    ],
    callId: ['tool_call.id', 'tool_result.id'],
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
  withCommands({ toolInput }, replace) {
    const commands = commandsIn(toolInput)
    return commands.length === 0 ? undefined : { commands: commands.map(replace) }
  },
  render,
}

function read(input: unknown, env: HookEnvironment, event?: string): HookCall {
  const fields = fieldsOf(input)
  const isBefore = fields.tool_call ?? fields.preToolUse
  const rawEvent = event ?? (isBefore ? 'PreToolUse' : undefined)
  const tool = firstText(fields, CLINE.keys.tool)
  if (tool !== 'use_mcp_tool')
    return inManyForms(readByTable(CLINE, input, env, { rawEvent }), fields)
  const call = fieldsOf(fieldsOf(fields.preToolUse ?? fields.postToolUse).parameters)
  const text = (name: string) => firstText(call, [name]) ?? ''
  return readByTable(CLINE, input, env, {
    rawEvent,
    toolName: `${text('server_name')}/${text('tool_name')}`,
    toolInput: opened(call.arguments),
  })
}

/** Both take text, lists and objects in place of what their schemas say. */
function inManyForms(call: HookCall, input: Record<string, unknown>): HookCall {
  if (call.toolName === 'run_commands') {
    const commands = commandsIn(call.toolInput)
    const command = commands.join('\n')
    const output = outputOf(input)
    return commands.length === 0 ? call : { ...call, command, target: command, ...output }
  }
  if (call.toolName !== 'read_files') return call
  const files = valuesIn(call.toolInput, ['files', 'file_paths', 'paths']).flatMap((one) =>
    typeof one === 'string' ? one : (firstText(fieldsOf(one), PATH_KEYS) ?? []),
  )
  const touches = files.map((path) => ({ path, touch: 'read' as const }))
  return { ...call, touches, ...(files[0] === undefined ? {} : { target: files[0] }) }
}

/** Returns the output of the commands, and how those failed that did. */
function outputOf(input: Record<string, unknown>): { output?: string } {
  const results = [fieldsOf(input.tool_result).output].flat().map(fieldsOf)
  const texts = results.flatMap(({ result, error }) => [result, error]).filter(isText)
  return texts.length === 0 ? {} : { output: texts.join('\n') }
}

function commandsIn(input: unknown): string[] {
  return valuesIn(input, ['commands', 'command', 'cmd']).flatMap((one) => commandOf(one) ?? [])
}

const PATH_KEYS = ['path', 'file_path', 'filePath']

/**
 * Returns the value of a field of these names, else the input itself, as a list; lists may be JSON
 * text.
 */
function valuesIn(input: unknown, names: readonly string[]): unknown[] {
  const whole = opened(input)
  const fields = fieldsOf(whole)
  const values = names.map((name) => fields[name]).filter((one) => one !== undefined)
  // A program with its arguments has its name where others have a whole command.
  const isProgram = fields.args !== undefined
  return (values.length === 0 || isProgram ? [whole] : values).flatMap((one) => opened(one))
}

/** Text for a shell, or a program with its arguments. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const { command, args } = fieldsOf(value)
  if (typeof command !== 'string') return undefined
  const words = Array.isArray(args) ? args.map(String) : []
  return words.length === 0 ? command : commandText([command, ...words])
}

/** Nothing tells the model of its session when that begins, so the hook adds the id to the call. */
function withSession({ toolName = '', toolInput, sessionId }: HookCall): object | undefined {
  const isOurs = saysBeckon(toolName) && reportedTool(toolName)?.fills.includes('sessionId')
  if (sessionId === undefined || !isOurs) return undefined
  const input = fieldsOf(opened(toolInput))
  return input.sessionId === undefined ? { ...input, sessionId } : undefined
}

function render(verdict: Verdict, call: HookCall): Rendered {
  const { event } = call
  const overrideInput =
    event === 'before_tool' && verdict.is === 'silent' ? withSession(call) : undefined
  if (overrideInput) return hookOutput({ cancel: false, overrideInput })
  if (verdict.is === 'replace') return hookOutput({ cancel: false, overrideInput: verdict.input })
  const blocks = verdict.is === 'deny' || verdict.is === 'ask'
  if (blocks && event === 'before_tool') {
    const blocked = block(verdict.reason, refusal)
    return { ...blocked, stderr: '', exit: 0 }
  }
  const hasPlace = event === 'session_start' || event === 'after_tool'
  if (verdict.is !== 'context' || !hasPlace) return hookOutput({ cancel: false })
  return hookOutput({ cancel: false, contextModification: verdict.text })
}
