import { expandBraces } from '../../ask/wire/matcher/braces.ts'
import type { Touch } from '../../ask/wire/matcher/judge.ts'
import { reportedTool, saysBeckon } from '../own-tools.ts'
import {
  commandText,
  PATCH_BEGIN,
  pathFields,
  pathsIn,
  pathsOfPatch,
  scanTool,
} from './scan-tool.ts'
import type { HookCall, PathTouch } from './tool-call.ts'

/** Names the fields of a client's tool that hold paths: one row of the client's table. */
type ToolRow =
  /** Fields that hold a path, or a list of paths; `replacements[].filePath` looks into a list. */
  | { touch: Touch; keys: readonly string[] }
  /** The field that holds text for a shell, and the one that names the folder it runs in. */
  | { shell: string; in?: string }
  /** The field that holds a patch of `apply_patch`; the input may also be the patch itself. */
  | { patch: string }
  | 'no_paths'

export type ToolTable = Readonly<Record<string, ToolRow>>

/** The part of `HookCall` that says what a tool call touches. */
export type ToolReading = Pick<
  HookCall,
  'touches' | 'command' | 'target' | 'mentions' | 'scripts' | 'unread' | 'changesNothing'
>

// Fields in which a reading tool names the files it looks into.
const GLOB_KEY = /^(glob|globs|glob_?pattern|include|includes|include_?pattern|file_?pattern)$/i
const CHOICES_MAX = 64
// Tools without paths that send something away.
const SENDS = /web|fetch|url|command/i
const MILD = { changesNothing: true } as const

/** Never throws; a tool that is not in the table is searched for fields that are named like paths. */
export function readTool(name: string, input: unknown, table: ToolTable): ToolReading {
  const parsedInput = opened(input)
  const row = Object.hasOwn(table, name) ? table[name] : undefined
  if (row === 'no_paths') return { touches: [], ...(SENDS.test(name) ? {} : MILD) }
  if (row === undefined && reportedTool(name)) return ofOwn(name, parsedInput)
  if (row === undefined) return scanned(name, parsedInput)
  if ('shell' in row) return ofShell(inputField(parsedInput, row.shell))
  // A patch may also be the whole input, or come to tools that otherwise take a path.
  if (typeof parsedInput === 'string' && parsedInput.includes(PATCH_BEGIN))
    return ofPatch(parsedInput)
  if ('patch' in row) {
    const patch = inputField(parsedInput, row.patch)
    return typeof patch === 'string' ? ofPatch(patch) : scanned(name, parsedInput)
  }
  const touches = row.keys.flatMap((key) => pathsIn(inputField(parsedInput, key), row.touch))
  if (row.touch === 'read')
    return { ...aimed(touches), ...globsOf(name, parsedInput, touches), ...MILD }
  return touches.length > 0 ? aimed(touches) : scanned(name, parsedInput)
}

/** Some clients send the fields as JSON text. */
export function opened(input: unknown): unknown {
  if (typeof input !== 'string' || !/^\s*[{[]/.test(input)) return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/**
 * The fields of Beckon's own tools are for the person, and touch nothing. A server under another name
 * may have a tool of the same name that does: it is judged by the fields that ours do not have.
 */
function ofOwn(name: string, toolInput: unknown): ToolReading {
  return saysBeckon(name) ? { touches: [] } : scanned(name, pathFields(toolInput))
}

function ofShell(toolInput: unknown): ToolReading {
  const command = commandText(toolInput)
  if (command === undefined) return { touches: [] }
  // A patch may also come as the text that a command is fed.
  const touches = command.includes(PATCH_BEGIN) ? pathsOfPatch(command) : []
  return { touches, command, target: command }
}

function ofPatch(patch: string): ToolReading {
  return aimed(pathsOfPatch(patch))
}

function scanned(name: string, input: unknown): ToolReading {
  const { touches, mentions, scripts, unread } = scanTool(name, input)
  return {
    ...aimed(touches),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(scripts.length > 0 ? { scripts } : {}),
    ...(unread ? { unread } : {}),
  }
}

/** `{"glob": "infra/**"}` names `infra/**`, from where the tool looks. */
function globsOf(name: string, input: unknown, touches: readonly PathTouch[]) {
  if (input === null || typeof input !== 'object') return {}
  const fields = Object.entries(input).filter(
    ([key]) => GLOB_KEY.test(key) || (key === 'pattern' && /glob/i.test(name)),
  )
  const globs = fields.flatMap(([, value]) => pathsIn(value, 'read').map(({ path }) => path))
  const all = globs.flatMap((glob) => expandBraces(glob, CHOICES_MAX) ?? [glob])
  const below = touches.flatMap(({ path }) => all.map((glob) => `${path}/${glob}`))
  return all.length > 0 ? { mentions: [...all, ...below] } : {}
}

/** The value at `a.b`; at `list[]`, the values of all entries. Undefined for an absent path. */
export function inputField(input: unknown, path: string): unknown {
  const dot = path.indexOf('.')
  if (dot !== -1) return inputField(inputField(input, path.slice(0, dot)), path.slice(dot + 1))
  if (Array.isArray(input)) return input.map((entry) => inputField(entry, path))
  if (input === null || typeof input !== 'object') return undefined
  const key = path.endsWith('[]') ? path.slice(0, -2) : path
  return Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined
}

function aimed(touches: PathTouch[]): ToolReading {
  const [first] = touches
  return first === undefined ? { touches } : { touches, target: first.path }
}
