import type { Touch } from '../../scopes/judge.ts'
import { PATCH_BEGIN, pathsOfPatch } from './patch-paths.ts'
import type { HookCall, PathTouch } from './tool-call.ts'

/** How a tool of a client says what it touches: one row of the client's table. */
export type ToolRow =
  /** Fields that hold a path, or a list of paths; `replacements[].filePath` looks into a list. */
  | { touch: Touch; keys: readonly string[] }
  /** The field that holds text for a shell, and the one that names the folder it runs in. */
  | { shell: string; in?: string }
  /** The field that holds a patch of `apply_patch`; the input may also be the patch itself. */
  | { patch: string }
  | 'no_paths'

export type ToolTable = Readonly<Record<string, ToolRow>>

/** What `HookCall` says about a tool call. */
export type ToolReading = Pick<HookCall, 'touches' | 'command' | 'target'>

// Our own tools: what they carry is for the person, and touches nothing.
export const OUR_TOOLS =
  /(^|[_:/-])(ask_user|ask_human|propose_scope|send_notification|wait_for_answer|cancel_question)$/
const PATH_KEY =
  /^(file_?path|paths?|notebook_?path|dir_?path|absolute_?path|target(_?file)?|destination|uri|file_?name)$/i
const READS = /(^|[_.:/-])(read|get|list|ls|search|find|view|show|stat|grep|glob|describe)/i
const SCAN_DEPTH = 4
const SCAN_PATHS = 200

/** Never throws; a tool that is not in the table is searched for fields that are named like paths. */
export function readTool(name: string, input: unknown, table: ToolTable): ToolReading {
  const given = opened(input)
  const row = Object.hasOwn(table, name) ? table[name] : undefined
  if (row === 'no_paths' || (row === undefined && OUR_TOOLS.test(name))) return { touches: [] }
  if (row === undefined) return scanned(name, given)
  if ('shell' in row) return ofShell(field(given, row.shell))
  // A patch also comes as the whole input, and to tools that take a path otherwise.
  if (typeof given === 'string' && given.includes(PATCH_BEGIN)) return ofPatch(given)
  if ('patch' in row) return ofPatch(field(given, row.patch))
  return aimed(row.keys.flatMap((key) => pathsIn(field(given, key), row.touch)))
}

/** Some clients write the fields as text that is JSON. */
export function opened(input: unknown): unknown {
  if (typeof input !== 'string' || !/^\s*[{[]/.test(input)) return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

function ofShell(given: unknown): ToolReading {
  const command = commandText(given)
  if (command === undefined) return { touches: [] }
  // A patch may also come as the text that a command is fed.
  const touches = command.includes(PATCH_BEGIN) ? pathsOfPatch(command) : []
  return { touches, command, target: command }
}

/** Text, or a list of arguments of which the last is the script (`["bash", "-lc", "…"]`). */
function commandText(given: unknown): string | undefined {
  if (typeof given === 'string') return given
  if (!Array.isArray(given) || !given.every((word) => typeof word === 'string')) return undefined
  const [, option = '', script] = given
  if (given.length === 3 && /^-[a-z]*c$/.test(option)) return script
  return given.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

function ofPatch(patch: unknown): ToolReading {
  return typeof patch === 'string' ? aimed(pathsOfPatch(patch)) : { touches: [] }
}

function scanned(name: string, input: unknown): ToolReading {
  const touch: Touch = READS.test(name) ? 'read' : 'write'
  if (typeof input === 'string' && input.includes(PATCH_BEGIN)) return ofPatch(input)
  return aimed(pathsBelow(input, touch, SCAN_DEPTH).slice(0, SCAN_PATHS))
}

function pathsBelow(value: unknown, touch: Touch, depth: number): PathTouch[] {
  if (depth === 0 || value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(PATH_KEY.test(key) ? pathsIn(inner, touch) : []),
    ...pathsBelow(inner, touch, depth - 1),
  ])
}

function pathsIn(value: unknown, touch: Touch): PathTouch[] {
  const all = Array.isArray(value) ? value : [value]
  return all.flatMap((path) => (isPath(path) ? [{ path, touch }] : []))
}

function isPath(value: unknown): value is string {
  // An address of the web is no file; "file://" is.
  return typeof value === 'string' && value.trim() !== '' && !/^(https?|data|ws|wss):/i.test(value)
}

/** What stands at `a.b`; behind `list[]` that of each entry. Undefined where there is nothing. */
export function field(input: unknown, path: string): unknown {
  const dot = path.indexOf('.')
  if (dot !== -1) return field(field(input, path.slice(0, dot)), path.slice(dot + 1))
  if (Array.isArray(input)) return input.map((entry) => field(entry, path))
  if (input === null || typeof input !== 'object') return undefined
  const key = path.endsWith('[]') ? path.slice(0, -2) : path
  return Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined
}

function aimed(touches: PathTouch[]): ToolReading {
  const [first] = touches
  return first === undefined ? { touches } : { touches, target: first.path }
}
