import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { omitUndefined } from '../../../platform/json.ts'
import type { ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../calls/tool-call.ts'
import {
  afterFailure,
  denyTool,
  onPermission,
  promptForTool,
  readClaudeShape,
  renderIn,
} from '../claude-shape.ts'
import { readClaudeTurn } from '../claude-turns.ts'
import type { ClientHook, HookEnvironment } from '../client.ts'
import { fieldsOf } from '../client.ts'
import { hookOutput } from '../say.ts'
import { CLAUDE_TURNS } from './turns.ts'

const TOOLS: ToolTable = {
  Write: { touch: 'write', keys: ['file_path'] },
  Edit: { touch: 'write', keys: ['file_path'] },
  MultiEdit: { touch: 'write', keys: ['file_path'] },
  NotebookEdit: { touch: 'write', keys: ['notebook_path'] },
  Read: { touch: 'read', keys: ['file_path'] },
  NotebookRead: { touch: 'read', keys: ['notebook_path'] },
  Glob: { touch: 'read', keys: ['path'] },
  Grep: { touch: 'read', keys: ['path'] },
  LS: { touch: 'read', keys: ['path'] },
  LSP: { touch: 'read', keys: ['filePath', 'file_path'] },
  EnterWorktree: { touch: 'read', keys: ['path'] },
  Bash: { shell: 'command' },
  PowerShell: { shell: 'command' },
  Monitor: { shell: 'command' },
  Agent: 'no_paths',
  AskUserQuestion: 'no_paths',
  BashOutput: 'no_paths',
  EnterPlanMode: 'no_paths',
  ExitPlanMode: 'no_paths',
  ExitWorktree: 'no_paths',
  KillShell: 'no_paths',
  Skill: 'no_paths',
  SlashCommand: 'no_paths',
  Task: 'no_paths',
  TodoWrite: 'no_paths',
  ToolSearch: 'no_paths',
  WebFetch: 'no_paths',
  WebSearch: 'no_paths',
}

// In these modes no person would see the question.
const NEVER_ASKS = new Set(['bypassPermissions', 'dontAsk'])

export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: true,
  canAsk: ({ event, headless, permissionMode = '' }) =>
    event === 'before_tool' && !headless && !NEVER_ASKS.has(permissionMode),
  hasSandbox: ({ roots }, env) =>
    [
      env.CLAUDE_CONFIG_DIR || join(env.HOME ?? '', '.claude'),
      ...roots.map((root) => join(root, '.claude')),
    ]
      .flatMap((folder) =>
        ['settings.json', 'settings.local.json'].map((name) => join(folder, name)),
      )
      .concat(MANAGED)
      .some(enablesSandbox),
  parse,
  turns: CLAUDE_TURNS,
  render,
}

const MANAGED = '/etc/claude-code/managed-settings.json'
const SANDBOX = /"sandbox"\s*:\s*\{[^}]*"enabled"\s*:\s*true/

function enablesSandbox(settings: string): boolean {
  try {
    return SANDBOX.test(readFileSync(settings, 'utf8'))
  } catch {
    return false
  }
}

const renderShared = renderIn({ deny: denyTool, ask: promptForTool, permission: ofPermission })

/**
 * Unlike a block, this context reaches the model without the sentence that it carries no message
 * of the user. An asynchronous hook wakes an idle session with exit code 2.
 */
function goOn(text: string, { rawEvent }: HookCall): Rendered {
  const words = `${text}\n\nThis is an instruction, and approves nothing that waits for approval.`
  if (rawEvent === 'Notification') return { stdout: '', stderr: words, exit: 2 }
  return hookOutput({
    hookSpecificOutput: { hookEventName: 'Stop', additionalContext: words },
  })
}

/** Unlike other clients it also tells the model about a tool that failed. */
function render(verdict: Verdict, call: HookCall): Rendered {
  if (verdict.is === 'go_on') return goOn(verdict.text, call)
  if (verdict.is === 'context' && call.rawEvent === 'PostToolUseFailure')
    return afterFailure(verdict.text)
  return renderShared(verdict, call)
}

// How a prompt begins that a background task hands in.
const TASK = '<task-notification>'

function parse(input: unknown, env: HookEnvironment, event?: string): HookCall {
  const call = readClaudeShape(input, {
    client: 'claude',
    tools: TOOLS,
    root: env.CLAUDE_PROJECT_DIR || undefined,
    headless: env.CLAUDE_CODE_SESSION_ATTENDED === '0',
    event,
  })
  const turn = readClaudeTurn(input)
  const { prompt } = fieldsOf(input)
  // A person did not type it, and it decides nothing.
  const isOfTask = typeof prompt === 'string' && prompt.trimStart().startsWith(TASK)
  if (call.event === 'prompt' && isOfTask)
    return { ...call, event: 'unknown', ...omitUndefined({ turn }) }
  const output = outputOf(fieldsOf(input))
  return {
    ...call,
    ...(output === '' ? {} : { output }),
    ...(isAttended(env) ? { attended: true } : {}),
    ...omitUndefined({ turn }),
  }
}

/** For a shell command that fails, `error` holds both streams. */
function outputOf({ tool_response: response, error }: Record<string, unknown>): string {
  const { stdout, stderr } = fieldsOf(response)
  return [stdout, stderr, error]
    .filter((one) => typeof one === 'string')
    .join('\n')
    .trim()
}

/** Older versions report only how they were started. */
function isAttended(env: HookEnvironment): boolean {
  const { CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry } = env
  return attended ? attended === '1' : entry === 'cli'
}

function ofPermission(verdict: Verdict): Rendered {
  if (verdict.is === 'deny') {
    const { reason: message, interrupt } = verdict
    return onPermission({ behavior: 'deny', message, ...omitUndefined({ interrupt }) })
  }
  if (verdict.is !== 'allow') return NOTHING
  const { updatedInput, updatedPermissions } = verdict
  return onPermission({ behavior: 'allow', ...omitUndefined({ updatedInput, updatedPermissions }) })
}
