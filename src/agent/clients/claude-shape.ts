import { isAbsolute } from 'node:path'
import { omitUndefined } from '../../platform/json.ts'
import { readTool, type ToolTable } from '../calls/read-tool.ts'
import {
  type HookCall,
  type HookEvent,
  NOTHING,
  type Rendered,
  type Verdict,
} from '../calls/tool-call.ts'
import { type ClientHook, fieldsOf } from './client.ts'

/** Differences between the clients whose hooks get the same input as those of Claude Code. */
export type ClaudeShape = {
  client: string
  tools: ToolTable
  /** The folder the session began in, where the environment has it. */
  root?: string | undefined
  headless: boolean
  /** The event of the command line, for input that does not name one. */
  event?: string | undefined
}

export const CLAUDE_EVENTS: Readonly<Record<string, HookEvent>> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'before_tool',
  PermissionRequest: 'permission',
  PostToolUse: 'after_tool',
  PostToolUseFailure: 'tool_failed',
  PermissionDenied: 'tool_failed',
  Notification: 'notification',
  Stop: 'stop',
  StopFailure: 'stop',
  // Only Codex sends it, after it has killed the waiting hook.
  Interrupt: 'stop',
  SessionEnd: 'session_end',
}

/** Reads `session_id`, `hook_event_name`, `tool_name` and their like. Never throws. */
export function readClaudeShape(input: unknown, shape: ClaudeShape): HookCall {
  const fields = fieldsOf(input)
  const text = (key: string) => textOf(fields[key])
  const rawEvent = text('hook_event_name') ?? shape.event ?? ''
  const inputCwd = text('cwd')
  const cwd = inputCwd && isAbsolute(inputCwd) ? inputCwd : (shape.root ?? process.cwd())
  const toolName = text('tool_name')
  const toolInput = fields.tool_input
  return {
    client: shape.client,
    event: eventOf(rawEvent, toolName),
    rawEvent,
    cwd,
    ...(cwd === inputCwd ? { hasOwnCwd: true } : {}),
    roots: [shape.root ?? cwd],
    headless: shape.headless,
    touches: [],
    ...(toolName === undefined ? {} : readTool(toolName, toolInput, shape.tools)),
    ...omitUndefined({
      sessionId: text('session_id'),
      toolName,
      toolInput,
      toolUseId: text('tool_use_id'),
      permissionMode: text('permission_mode'),
      questions: toolName === 'AskUserQuestion' ? fieldsOf(toolInput).questions : undefined,
      suggestions: fields.permission_suggestions,
      message: text('message'),
    }),
  }
}

/** A tool call without an event counts as one that has not run yet. */
function eventOf(rawEvent: string, toolName: string | undefined): HookEvent {
  if (rawEvent === '' && toolName !== undefined) return 'before_tool'
  return (Object.hasOwn(CLAUDE_EVENTS, rawEvent) && CLAUDE_EVENTS[rawEvent]) || 'unknown'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Where the replies of these clients differ; the rest of Claude Code's shape is the same for all. */
export type Wording = {
  deny(reason: string): Rendered
  ask(reason: string): Rendered
  /** The reply to PermissionRequest. */
  permission(verdict: Verdict): Rendered
}

/** The reply for clients that also relay their prompts and the questions of tools. */
export function renderIn({ deny, ask, permission }: Wording): ClientHook['render'] {
  return (verdict, call) => {
    if (call.event === 'permission') return permission(verdict)
    if (verdict.is === 'context') {
      return call.event === 'before_tool' ? NOTHING : onContext(verdict.text, call)
    }
    if (call.event !== 'before_tool') return NOTHING
    switch (verdict.is) {
      case 'deny':
        return deny(verdict.reason)
      case 'ask':
        return ask(verdict.reason)
      case 'allow':
        // An answer to what the tool asks; without one the client's own prompt decides.
        if (verdict.updatedInput === undefined) return NOTHING
        return onTool({ permissionDecision: 'allow', updatedInput: verdict.updatedInput })
      case 'replace':
        // Codex takes an input only with this; its approvals and its sandbox hold all the same.
        return onTool({ permissionDecision: 'allow', updatedInput: verdict.input })
      default:
        return NOTHING
    }
  }
}

/** A block that every version understands: the reason is in the JSON and on standard error. */
export function denyTool(reason: string): Rendered {
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason }
  return { ...onTool(decision), stderr: reason, exit: 2 }
}

/** The client's own prompt is shown for the call. */
export function promptForTool(reason: string): Rendered {
  return onTool({ permissionDecision: 'ask', permissionDecisionReason: reason })
}

/** The output of PreToolUse. */
function onTool(fields: object): Rendered {
  return printed({ hookEventName: 'PreToolUse', ...fields })
}

/**
 * The reply for clients that accept decisions about tools and text for the model, and nothing else.
 */
export function onlyAboutTools(verdict: Verdict, call: HookCall): Rendered {
  if (verdict.is === 'context') return onContext(verdict.text, call)
  if (call.event !== 'before_tool') return NOTHING
  if (verdict.is === 'deny') return denyTool(verdict.reason.trim() || 'Blocked.')
  if (verdict.is !== 'ask') return NOTHING
  return promptForTool(verdict.reason)
}

/** The output of PermissionRequest, which ignores exit code 2. */
export function onPermission(decision: object): Rendered {
  return printed({ hookEventName: 'PermissionRequest', decision })
}

/** Text for the model about a tool that failed. */
export function afterFailure(additionalContext: string): Rendered {
  return printed({ hookEventName: 'PostToolUseFailure', additionalContext })
}

/** Text for the model, where the event has a place for it. */
function onContext(additionalContext: string, { event, rawEvent }: HookCall): Rendered {
  if (event !== 'session_start' && event !== 'after_tool' && event !== 'prompt') return NOTHING
  return printed({ hookEventName: rawEvent, additionalContext })
}

function printed(hookSpecificOutput: object): Rendered {
  return { ...NOTHING, stdout: JSON.stringify({ hookSpecificOutput }) }
}
