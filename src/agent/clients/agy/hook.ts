import type { ToolTable } from '../../calls/read-tool.ts'
import type { HookCall, Rendered, Verdict } from '../../calls/tool-call.ts'
import type { ClientHook, HookEnvironment } from '../client.ts'
import { fieldsOf } from '../client.ts'
import { block, hookOutput } from '../say.ts'
import { type ClientTable, readByTable } from '../table.ts'
import { refusal } from './refusal.ts'

const TOOLS: ToolTable = {
  write_to_file: { touch: 'write', keys: ['TargetFile'] },
  replace_file_content: { touch: 'write', keys: ['TargetFile'] },
  multi_replace_file_content: { touch: 'write', keys: ['TargetFile'] },
  view_file: { touch: 'read', keys: ['AbsolutePath'] },
  list_dir: { touch: 'read', keys: ['DirectoryPath'] },
  grep_search: { touch: 'read', keys: ['SearchPath'] },
  find_by_name: { touch: 'read', keys: ['SearchDirectory'] },
  run_command: { shell: 'CommandLine', in: 'Cwd' },
  command_status: 'no_paths',
  read_url_content: 'no_paths',
  search_web: 'no_paths',
}

const AGY: ClientTable = {
  client: 'agy',
  events: {
    SessionStart: 'session_start',
    PreInvocation: 'prompt',
    PreToolUse: 'before_tool',
    PostToolUse: 'after_tool',
    Stop: 'stop',
  },
  keys: {
    event: ['hookEventName'],
    session: ['conversationId'],
    roots: ['workspacePaths'],
    tool: ['toolCall.name'],
  },
  tools: TOOLS,
}

// The input does not name its event.
const TELLTALES: ReadonlyArray<readonly [field: string, event: string]> = [
  ['toolCall', 'PreToolUse'],
  ['invocationNum', 'PreInvocation'],
]

/**
 * Antigravity CLI. The exit code is always 0. Without a decision it prompts, and `allow` does not skip
 * its own prompt, so `allow` is the silent reply.
 */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: false,
  canAsk: ({ event }) => event === 'before_tool',
  parse: read,
  render,
}

function read(input: unknown, env: HookEnvironment, event?: string): HookCall {
  const fields = fieldsOf(input)
  const call = fieldsOf(fields.toolCall)
  const { conversationId, stepIdx, invocationNum } = fields
  const isStep = typeof stepIdx === 'number' || typeof stepIdx === 'string'
  const read = readByTable(AGY, input, env, {
    rawEvent: event ?? TELLTALES.find(([field]) => Object.hasOwn(fields, field))?.[1],
    toolInput: unquoted(call.args),
    ...(isStep && typeof conversationId === 'string'
      ? { toolUseId: `${conversationId}:${stepIdx}` }
      : {}),
  })
  // It takes text for the model only here, so the first call counts as the start of the session.
  const isFirst = read.event === 'prompt' && typeof invocationNum === 'number' && invocationNum <= 1
  return isFirst ? { ...read, event: 'session_start' } : read
}

/** Some versions write the arguments as JSON texts: `"\"/a/b\""`. */
function unquoted(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' ? bare(value) : value,
    ]),
  )
}

function bare(text: string): string {
  if (!/^".*"$/s.test(text)) return text
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'string' ? read : text
  } catch {
    return text.slice(1, -1)
  }
}

function render(verdict: Verdict, { event, rawEvent }: HookCall): Rendered {
  if (event === 'before_tool') return onTool(verdict)
  if (verdict.is !== 'context' || rawEvent !== 'PreInvocation') return hookOutput({})
  return hookOutput({ injectSteps: [{ ephemeralMessage: verdict.text }] })
}

function onTool(verdict: Verdict): Rendered {
  if (verdict.is === 'ask') return hookOutput({ decision: 'force_ask', reason: verdict.reason })
  if (verdict.is !== 'deny') return hookOutput({ decision: 'allow' })
  const blocked = block(verdict.reason, refusal)
  return { ...blocked, stderr: '', exit: 0 }
}
