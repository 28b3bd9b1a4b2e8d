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
import { omitUndefined } from '../../../platform/json.ts'
import type { ToolTable } from '../../calls/read-tool.ts'
import { type HookCall, NOTHING, type Rendered, type Verdict } from '../../calls/tool-call.ts'
import { denyTool, onPermission, readClaudeShape, renderIn } from '../claude-shape.ts'
import { readClaudeTurn } from '../claude-turns.ts'
import { type ClientHook, fieldsOf, isText } from '../client.ts'
import { replaceField } from '../say.ts'
import { CODEX_TURNS } from './turns.ts'

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
    const { tool_response: output, transcript_path: record } = fieldsOf(input)
    return proven({
      ...call,
      ...(isText(output) ? { output } : {}),
      ...(isText(record) ? { record } : {}),
      ...omitUndefined({ turn: readClaudeTurn(input) }),
    })
  },
  hasSandbox: ({ record }) => record === undefined || !runsFreely(record),
  hasRules: ({ roots }, env) =>
    [env.CODEX_HOME || join(env.HOME ?? '', '.codex'), ...roots.map((root) => join(root, '.codex'))]
      .map((folder) => join(folder, 'rules'))
      .some(forbids),
  withCommands: (call, replace) => replaceField(call, 'command', replace),
  turns: CODEX_TURNS,
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
function proven(call: HookCall): HookCall {
  return call.event === 'prompt' && isAttended(call) ? { ...call, attended: true } : call
}

/** Without a reason, or with exit code 2 and nothing on standard error, the tool would run. */
function denied(reason: string): Rendered {
  return denyTool(sentence(reason))
}

function ofPermission(verdict: Verdict): Rendered {
  if (verdict.is === 'allow') return onPermission({ behavior: 'allow' })
  if (verdict.is === 'deny')
    return onPermission({ behavior: 'deny', message: sentence(verdict.reason) })
  return NOTHING
}

function sentence(reason: string): string {
  return reason.trim() || 'Blocked.'
}

// The first line also holds the model's instructions.
const HEAD_MAX = 512 * 1024

/**
 * Returns true if a person typed this prompt in Codex's own interface. Neither the input nor the
 * environment of the hook says so, but the first line of the session's record does: `source` is
 * `cli`, or `exec` and the like when a program started it. A session that `codex exec` resumes
 * keeps its first line, but its mode then says that nobody is asked. Never throws.
 */
function isAttended({ record, permissionMode }: HookCall): boolean {
  if (record === undefined || permissionMode === 'bypassPermissions') return false
  try {
    const { type, payload } = fieldsOf(JSON.parse(firstLine(record)))
    return type === 'session_meta' && fieldsOf(payload).source === 'cli'
  } catch {
    return false
  }
}

/** Throws when it is not a file, or its first line is too long. */
function firstLine(path: string): string {
  const text = partOf(path, () => ({ at: 0, size: HEAD_MAX }))
  const end = text.indexOf('\n')
  if (end < 0) throw new Error('its first line does not end')
  return text.slice(0, end)
}

// Each turn begins with its settings; of a longer one they are not known.
const TAIL_MAX = 512 * 1024
// In a text of the model or of a command the quotes would have a backslash before them.
const POLICY = /"sandbox_policy":\{"type":"([\w-]+)"/g

/** Returns true if the record says that the turn has no sandbox. Never throws. */
function runsFreely(record: string): boolean {
  try {
    const tail = partOf(record, (size) => ({ at: Math.max(0, size - TAIL_MAX), size: TAIL_MAX }))
    return [...tail.matchAll(POLICY)].at(-1)?.[1] === 'danger-full-access'
  } catch {
    return false
  }
}

/** Throws when it is not a file. */
function partOf(path: string, part: (size: number) => { at: number; size: number }): string {
  // Opening a pipe must not wait for its other end.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error('it is not a file')
    const { at, size } = part(stat.size)
    const bytes = Buffer.alloc(Math.min(size, stat.size))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at)).toString()
  } finally {
    closeSync(file)
  }
}
