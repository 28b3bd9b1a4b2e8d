import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ToolTable } from '../../hook/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../hook/tool-call.ts'
import { deniedTool, onPermission, readClaudeShape, renderIn } from '../claude-shape.ts'
import { type ClientHook, fieldsOf } from '../client.ts'
import { replaceField } from '../say.ts'

const TOOLS: ToolTable = {
  Bash: { shell: 'command' },
  apply_patch: { patch: 'command' },
  update_plan: 'no_paths',
  view_image: { touch: 'read', keys: ['path'] },
  web_search: 'no_paths',
}

/**
 * Codex lets a tool run when the reply has anything that it does not know: another key, `ask`, a bare
 * `allow`. So the reply has only what its schema has.
 */
export const hook: ClientHook = {
  hostTimeoutMs: 600_000,
  relays: true,
  canAsk: () => false,
  parse: (input, _env, event) => {
    const call = readClaudeShape(input, { client: 'codex', tools: TOOLS, headless: false, event })
    const { tool_response: output } = fieldsOf(input)
    return proven(typeof output === 'string' && output !== '' ? { ...call, output } : call, input)
  },
  hasRules: ({ roots }, env) =>
    [env.CODEX_HOME || join(env.HOME ?? '', '.codex'), ...roots.map((root) => join(root, '.codex'))]
      .map((folder) => join(folder, 'rules'))
      .some(forbids),
  withCommands: (call, replace) => replaceField(call, 'command', replace),
  render: renderIn({ deny: denied, ask: denied, permission: ofPermission }),
}

// Rules that allow are written by Codex itself, and one of them can only spare a prompt.
const FORBIDS = /["'](?:forbidden|prompt)["']/

function forbids(folder: string): boolean {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.rules'))
    return names.some((name) => FORBIDS.test(readFileSync(join(folder, name), 'utf8')))
  } catch {
    return false
  }
}

/** Only a prompt can prove that a person is there, so only then the record is read. */
function proven(call: HookCall, input: unknown): HookCall {
  return call.event === 'prompt' && isAttended(input) ? { ...call, attended: true } : call
}

/** Without a reason, or with exit code 2 and nothing on standard error, the tool would run. */
function denied(reason: string): Rendered {
  return deniedTool(said(reason))
}

function ofPermission(verdict: Verdict): Rendered {
  if (verdict.is === 'allow') return onPermission({ behavior: 'allow' })
  if (verdict.is === 'deny')
    return onPermission({ behavior: 'deny', message: said(verdict.reason) })
  return NOTHING
}

function said(reason: string): string {
  return reason.trim() || 'Blocked.'
}

// The first line also holds the model's instructions.
const HEAD_MAX = 512 * 1024

/**
 * Whether a person typed this prompt in Codex's own interface. Neither the input nor the environment
 * of the hook says so, but the first line of the session's record does: `source` is `cli`, or `exec`
 * and the like when a program started it. A session that `codex exec` resumes keeps its first line,
 * but its mode then says that nobody is asked. Never throws.
 */
function isAttended(input: unknown): boolean {
  const { transcript_path: path, permission_mode: mode } = fieldsOf(input)
  if (typeof path !== 'string' || mode === 'bypassPermissions') return false
  try {
    const { type, payload } = fieldsOf(JSON.parse(firstLine(path)))
    return type === 'session_meta' && fieldsOf(payload).source === 'cli'
  } catch {
    return false
  }
}

/** Throws when it is not a file, or its first line is too long. */
function firstLine(path: string): string {
  // Opening a pipe must not wait for its other end.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a file')
    const head = Buffer.alloc(HEAD_MAX)
    const text = head.subarray(0, readSync(file, head, 0, HEAD_MAX, 0)).toString()
    const end = text.indexOf('\n')
    if (end < 0) throw new Error('its first line does not end')
    return text.slice(0, end)
  } finally {
    closeSync(file)
  }
}
