import { isAbsolute, resolve } from 'node:path'
import { omitUndefined } from '../../platform/json.ts'
import { inputField, opened, readTool, type ToolTable } from '../calls/read-tool.ts'
import type { HookCall, HookEvent } from '../calls/tool-call.ts'
import type { HookEnvironment } from './client.ts'
import { fieldsOf } from './client.ts'

/** The names of one agent client. When it renames something, one line here changes. */
export type ClientTable = {
  client: string
  /** The client's events; all others are ignored. */
  events: Readonly<Record<string, HookEvent>>
  /** Where a fact is in the input, the likeliest place first. */
  keys: Readonly<Partial<Record<Fact, readonly string[]>>>
  /** Variables of the environment that hold the folder the session began in. */
  roots?: readonly string[]
  tools: ToolTable
}

type Fact =
  | 'event'
  | 'session'
  | 'cwd'
  | 'roots'
  | 'tool'
  | 'input'
  | 'callId'
  | 'mode'
  | 'message'
  | 'occurred'

/** Values that a client's own code reads because its table cannot express them. */
export type CallOverrides = {
  rawEvent?: string | undefined
  toolName?: string | undefined
  toolInput?: unknown
  toolUseId?: string | undefined
  questions?: unknown
  headless?: boolean
}

/**
 * Reads the input of a hook by its client's table. The event in the input wins over the event on
 * the command line, if it is known. Never throws.
 */
export function readByTable(
  table: ClientTable,
  input: unknown,
  env: HookEnvironment,
  overrides: CallOverrides = {},
): HookCall {
  const fields = fieldsOf(input)
  const text = (fact: Fact) => firstText(fields, table.keys[fact])
  const rawEvent = eventName(table, text('event'), overrides.rawEvent)
  const toolName = overrides.toolName ?? text('tool')
  const toolInput =
    'toolInput' in overrides ? overrides.toolInput : firstOf(fields, table.keys.input)
  const { cwd, roots, hasOwnCwd } = placeOf(table, fields, env)
  const reading = toolName === undefined ? undefined : readTool(toolName, toolInput, table.tools)
  return {
    client: table.client,
    event: eventOf(table, rawEvent, toolName),
    rawEvent,
    cwd: toolName === undefined ? cwd : folderOf(table, toolName, toolInput, cwd),
    ...(hasOwnCwd ? { hasOwnCwd } : {}),
    roots,
    headless: overrides.headless ?? false,
    touches: [],
    ...reading,
    ...omitUndefined({
      sessionId: text('session'),
      toolName,
      toolInput,
      toolUseId: overrides.toolUseId ?? text('callId'),
      permissionMode: text('mode'),
      questions: overrides.questions,
      message: text('message'),
      occurredAt: momentOf(firstOf(fields, table.keys.occurred)),
    }),
  }
}

/** A client that renames its events still starts the hook that was registered for the old name. */
function eventName(table: ClientTable, inInput: string | undefined, override: string | undefined) {
  const isKnown = inInput !== undefined && Object.hasOwn(table.events, inInput)
  return (isKnown ? inInput : (override ?? inInput)) ?? ''
}

function momentOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** A tool call without an event counts as one that has not run yet. */
function eventOf(table: ClientTable, rawEvent: string, toolName: string | undefined): HookEvent {
  if (rawEvent === '' && toolName !== undefined) return 'before_tool'
  return (Object.hasOwn(table.events, rawEvent) && table.events[rawEvent]) || 'unknown'
}

/** The first of these places that holds text. */
export function firstText(
  fields: Record<string, unknown>,
  places: readonly string[] = [],
): string | undefined {
  for (const place of places) {
    const value = inputField(fields, place)
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function firstOf(fields: Record<string, unknown>, places: readonly string[] = []): unknown {
  return places.map((place) => inputField(fields, place)).find((value) => value !== undefined)
}

function placeOf(
  table: ClientTable,
  fields: Record<string, unknown>,
  env: HookEnvironment,
): Pick<HookCall, 'cwd' | 'roots' | 'hasOwnCwd'> {
  const listed = [firstOf(fields, table.keys.roots)].flat().filter(isFolder)
  const folders = (table.roots ?? []).map((name) => env[name]).filter(isFolder)
  const roots = listed.length > 0 ? listed : folders.slice(0, 1)
  const inputCwd = firstText(fields, table.keys.cwd)
  const cwd = isFolder(inputCwd) ? inputCwd : (roots[0] ?? process.cwd())
  const place = { cwd, roots: roots.length > 0 ? roots : [cwd] }
  return cwd === inputCwd ? { ...place, hasOwnCwd: true } : place
}

function isFolder(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path)
}

/** Some shells of clients are started in a folder that the call names. */
function folderOf(table: ClientTable, tool: string, input: unknown, cwd: string): string {
  const row = Object.hasOwn(table.tools, tool) ? table.tools[tool] : undefined
  if (row === undefined || row === 'no_paths' || !('shell' in row) || !row.in) return cwd
  const folder = inputField(opened(input), row.in)
  return typeof folder === 'string' && folder !== '' ? resolve(cwd, folder) : cwd
}
