import { AGENT_TOOLS } from '../../../ask/agent-tools.ts'
import { omitUndefined } from '../../../platform/json.ts'
import type { ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../calls/tool-call.ts'
import { ancestorsOf, type FindProcess } from '../../processes.ts'
import { type ClientHook, fieldsOf } from '../client.ts'
import { block, hookOutput, replaceField } from '../say.ts'
import { type ClientTable, firstText, readByTable } from '../table.ts'
import { refusal } from './refusal.ts'
import { COPILOT_TURNS } from './stop-hook.ts'
import { readCopilotTurn } from './turns.ts'

// The runtime's names, and the names of the same tools in events that are written in PascalCase.
const TOOLS: ToolTable = {
  create: { touch: 'write', keys: ['path', 'file_path'] },
  edit: { touch: 'write', keys: ['path', 'file_path'] },
  str_replace_editor: { touch: 'write', keys: ['path', 'file_path'] },
  apply_patch: { patch: 'input' },
  view: { touch: 'read', keys: ['path', 'file_path'] },
  grep: { touch: 'read', keys: ['path'] },
  rg: { touch: 'read', keys: ['path', 'paths'] },
  glob: { touch: 'read', keys: ['path'] },
  bash: { shell: 'command' },
  powershell: { shell: 'command' },
  ask_user: 'no_paths',
  task: 'no_paths',
  update_todo: 'no_paths',
  web_fetch: 'no_paths',
  web_search: 'no_paths',
  Write: { touch: 'write', keys: ['path', 'file_path'] },
  Edit: { touch: 'write', keys: ['path', 'file_path'] },
  Read: { touch: 'read', keys: ['path', 'file_path'] },
  Grep: { touch: 'read', keys: ['path', 'paths'] },
  Glob: { touch: 'read', keys: ['path'] },
  Bash: { shell: 'command' },
  Agent: 'no_paths',
  AskUserQuestion: 'no_paths',
  Task: 'no_paths',
  TodoWrite: 'no_paths',
  WebFetch: 'no_paths',
  WebSearch: 'no_paths',
}

const COPILOT: ClientTable = {
  client: 'copilot',
  events: {
    sessionStart: 'session_start',
    userPromptSubmitted: 'prompt',
    preToolUse: 'before_tool',
    permissionRequest: 'permission',
    postToolUse: 'after_tool',
    postToolUseFailure: 'tool_failed',
    notification: 'notification',
    agentStop: 'stop',
    errorOccurred: 'notification',
    sessionEnd: 'session_end',
    SessionStart: 'session_start',
    UserPromptSubmit: 'prompt',
    PreToolUse: 'before_tool',
    PermissionRequest: 'permission',
    PostToolUse: 'after_tool',
    PostToolUseFailure: 'tool_failed',
    Notification: 'notification',
    Stop: 'stop',
    SessionEnd: 'session_end',
  },
  keys: {
    event: ['hook_event_name', 'hookName'],
    session: ['sessionId', 'session_id'],
    cwd: ['cwd'],
    tool: ['toolName', 'tool_name'],
    input: ['toolArgs', 'tool_input', 'toolInput'],
    message: ['message'],
    occurred: ['timestamp'],
  },
  roots: ['COPILOT_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
  tools: TOOLS,
}

// Events in camelCase do not contain their name: the first of these fields that is present
// identifies the event.
const TELLTALES: ReadonlyArray<readonly [field: string, event: string]> = [
  ['toolResult', 'postToolUse'],
  ['errorContext', 'errorOccurred'],
  ['error', 'postToolUseFailure'],
  ['toolArgs', 'preToolUse'],
  ['prompt', 'userPromptSubmitted'],
  ['source', 'sessionStart'],
  ['stopReason', 'agentStop'],
  ['reason', 'sessionEnd'],
]

const OWN_NAMES = new Set(AGENT_TOOLS.map(({ name }) => `beckon/${name}`))

/**
 * Copilot CLI. `permissionRequest` comes for every request, not only for those that it would prompt
 * for: registering it for more than our own tools would send every call to the phone.
 */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: true,
  canAsk: ({ event }) => event === 'before_tool',
  isOurTool: ({ toolName = '' }) => OWN_NAMES.has(toolName),
  parse(input, env, event) {
    const fields = fieldsOf(input)
    const rawEvent = event ?? guessEvent(fields)
    const prompt = promptIn(fields)
    if (!prompt) {
      const call = readByTable(COPILOT, input, env, { rawEvent })
      const output = firstText(fieldsOf(fields.toolResult), ['textResultForLlm'])
      return { ...call, ...omitUndefined({ output, turn: readCopilotTurn(input, call.rawEvent) }) }
    }
    // Without a person it reports prompts too, and declines them itself.
    const call = readByTable(COPILOT, input, env, { ...prompt, rawEvent, headless: isAlone() })
    return { ...call, event: 'waiting' }
  },
  takesCommands: () => judgesNothing(),
  // An event in PascalCase has another form of reply.
  withCommands: (call, replace) =>
    call.rawEvent === 'preToolUse' ? replaceField(call, 'command', replace) : undefined,
  startsBash: true,
  turns: COPILOT_TURNS,
  render,
}

// How a prompt begins, which tool it is about, and what becomes of the rest of the line.
const PROMPTS: ReadonlyArray<
  readonly [begin: string, tool: string, input: (rest: string) => object]
> = [
  ['Run command: ', 'bash', (command) => ({ command })],
  ['Edit file: ', 'edit', (path) => ({ path, diff: '' })],
]
const MCP_TOOL = 'Use MCP tool: '

/** The prompt that a `notification` reports, if it reports one. */
function promptIn(fields: Record<string, unknown>) {
  if (fields.notification_type !== 'permission_prompt') return undefined
  const message = firstText(fields, ['message']) ?? 'a tool'
  for (const [begin, toolName, input] of PROMPTS) {
    if (message.startsWith(begin))
      return { toolName, toolInput: input(message.slice(begin.length)) }
  }
  const toolName = message.startsWith(MCP_TOOL) ? message.slice(MCP_TOOL.length) : message
  return { toolName, toolInput: undefined }
}

function guessEvent(fields: Record<string, unknown>): string | undefined {
  return TELLTALES.find(([field]) => Object.hasOwn(fields, field))?.[1]
}

function render(verdict: Verdict, call: HookCall): Rendered {
  if (verdict.is === 'go_on') return hookOutput({ decision: 'block', reason: verdict.text })
  if (call.event === 'permission') return onPermission(verdict)
  if (call.event === 'before_tool') return onTool(verdict)
  const hasPlace = call.event === 'session_start' || call.event === 'after_tool'
  return verdict.is === 'context' && hasPlace
    ? hookOutput({ additionalContext: verdict.text })
    : NOTHING
}

function onTool(verdict: Verdict): Rendered {
  if (verdict.is === 'deny') {
    return block(verdict.reason, refusal)
  }
  if (verdict.is === 'replace') return hookOutput({ modifiedArgs: verdict.input })
  if (verdict.is !== 'ask') return NOTHING
  return hookOutput({ permissionDecision: 'ask', permissionDecisionReason: verdict.reason })
}

function onPermission(verdict: Verdict): Rendered {
  if (verdict.is === 'allow') return hookOutput({ behavior: 'allow' })
  if (verdict.is === 'deny') return hookOutput({ behavior: 'deny', message: verdict.reason })
  return NOTHING
}

// The two shells around the hook, the client, and its launcher: npm's passes the arguments on.
const LOOK_UP = 4

/**
 * Returns true if Copilot CLI was started with a prompt (`-p`), so that no person is at it. Neither
 * the input nor the environment of a hook says so. False if it cannot be determined: then a person
 * is told of one prompt too many. Never throws.
 */
export function isAlone(find?: FindProcess): boolean {
  return ownWords(find).some(isPrompt)
}

/**
 * Returns true if Copilot CLI was started so that it judges no command itself. Otherwise it would
 * judge the text that a hook puts in place, by its paths and by rules for programs. Never throws.
 */
function judgesNothing(): boolean {
  const words = ownWords()
  if (words.some((word) => word.startsWith('--deny-'))) return false
  return words.some((word) => word === '--allow-all' || word === '--yolo')
}

/** Returns the command line of the client; empty if that cannot be determined. */
function ownWords(find?: FindProcess): string[] {
  const above = ancestorsOf(process.ppid, find).take(LOOK_UP)
  return above.find(({ words }) => isCopilot(words))?.words ?? []
}

/** True for the client's own program, or the launcher that node runs. */
function isCopilot(words: string[]): boolean {
  return words.slice(0, 2).some((word) => /(^|[\\/])copilot(\.js|\.exe)?$/.test(word))
}

function isPrompt(word: string): boolean {
  return word === '-p' || word === '--prompt' || word.startsWith('--prompt=')
}
