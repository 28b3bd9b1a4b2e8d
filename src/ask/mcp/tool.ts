import type { TObject } from '@sinclair/typebox'
import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { type CallResult, failed, succeeded } from '../../platform/mcp/result.ts'
import type { Task, TaskHandle } from '../../platform/mcp/tasks.ts'
import type { CallContext } from '../accounts/model/call.ts'

/** A tool for agents, the same in both eras of the protocol. */
export type Tool = {
  name: string
  title: string
  /** For a model: when to use it, when not, what comes back, what to do next. */
  description: string
  inputSchema: TObject
  outputSchema: TObject
  annotations: typeof ANNOTATIONS
  /** Whether a call may wait: then its reply is a stream if the client accepts one. */
  waits(args: Fields): boolean
  /**
   * Resolves to a result that matches `outputSchema`, or to a task if the caller can follow one.
   * Throws `invalid_input` naming each wrong field.
   */
  call(args: Fields, call: CallContext): Promise<object>
}

/** A tool as its feature declares it, before it is given what its use case needs. */
export type ToolModule<Deps, Input = unknown, Result extends object = object> = Pick<
  Tool,
  'title' | 'description' | 'inputSchema' | 'outputSchema'
> & {
  /** Throws `invalid_input` naming each wrong field. */
  read(args: Fields): Input
  /** Resolves to a result that matches `outputSchema`, or to a task if `call.follows`. */
  run(deps: Deps, input: Input, call: CallContext): Promise<Result | TaskHandle>
  /** The result while no server can be reached; undefined if the call then fails. */
  withoutServer?(input: Input, known: KnownWithoutServer): Result | undefined
}

/** What the bridge knows of a call that no server answered. */
type KnownWithoutServer = {
  /** The question that the call had opened before the server went away. */
  correlationId: string | undefined
  /** Fields of a result that say that the state of the question cannot be read now. */
  unread: { status: 'unavailable'; answered: false; hint: string; nextAction: 'wait_for_answer' }
}

/** On every tool (QS-WHAT-8). */
export const ANNOTATIONS = {
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
  readOnlyHint: false,
} as const

/**
 * The tool's result, or its failure as plain text, which all clients show. Failures of the server
 * itself are logged with their cause. Bugs are thrown on.
 */
async function runTool(
  tool: Tool,
  args: Fields,
  call: CallContext,
  log: Log,
): Promise<CallResult | TaskHandle> {
  try {
    const result = await tool.call(args, call)
    return isHandle(result) ? result : succeeded(result)
  } catch (raw) {
    const thrown = storageFailure(raw)
    if (!(thrown instanceof Failure)) throw thrown
    if (thrown.status >= 500) log.warn('a tool was refused', { tool: tool.name, error: thrown })
    return failed(thrown)
  }
}

function isHandle(result: object): result is TaskHandle {
  return 'resultType' in result && result.resultType === 'task'
}

const REQUEST_ID_MAX = 200
const SESSION_ID_MAX = 128

/**
 * The arguments, completed from `_meta` where the tool accepts it and the caller left it out: the
 * id of the tool call as `requestId`, and `sessionId`.
 */
function withClientKeys({ inputSchema }: Tool, args: Fields, meta: Fields): Fields {
  const { requestId, sessionId } = inputSchema.properties
  const key = callIdOf(meta)
  const session = short(meta.sessionId, SESSION_ID_MAX)
  const noKey = args.requestId === undefined && args.toolUseId === undefined
  const addKey = requestId !== undefined && key !== undefined && noKey
  const addSession =
    sessionId !== undefined && session !== undefined && args.sessionId === undefined
  if (!addKey && !addSession) return args
  return {
    ...args,
    ...(addKey ? { requestId: key } : {}),
    ...(addSession ? { sessionId: session } : {}),
  }
}

/** The client's id of this tool call, if it sends one. */
function callIdOf(meta: Fields): string | undefined {
  return short(meta['claudecode/toolUseId'] ?? meta.callId, REQUEST_ID_MAX)
}

/** Values that the client added by itself are used if valid, and ignored otherwise. */
function short(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
}

/** A tool as the two eras run it. */
export type Runner = {
  waits(args: Fields): boolean
  /** `params` are all of the request's, including `_meta`. */
  run(args: Fields, call: CallContext, params: Fields): Promise<CallResult | TaskHandle>
}

/** What callers ask about calls that became tasks; undefined and false for an unknown task. */
export type Tasks = {
  /** Resolves when the task changes, or after some seconds without a change. */
  get(taskId: string, call: CallContext): Promise<Task | undefined>
  /** Gives it what it asked for. */
  update(taskId: string, call: CallContext, params: Fields): Promise<boolean>
  cancel(taskId: string, call: CallContext): Promise<boolean>
}

/** The tools of one address. */
export type Toolbox = {
  /** The entries of `tools/list`, in order. */
  listed: object[]
  find(name: string): Runner | undefined
  instructions: string
  tasks?: Tasks | undefined
}

/** `names` renames tools for an address, also in their descriptions. */
export function createToolbox(options: {
  tools: readonly Tool[]
  instructions: string
  log: Log
  tasks?: Tasks | undefined
  names?: Readonly<Record<string, string>>
}): Toolbox {
  const { tools, instructions, log, tasks, names = {} } = options
  const renamed = (text: string) =>
    Object.entries(names).reduce((said, [from, to]) => said.replaceAll(from, to), text)
  const runners = new Map(tools.map((tool) => [renamed(tool.name), runnerOf(tool, log)]))
  return {
    listed: JSON.parse(renamed(JSON.stringify(tools))),
    find: (name) => runners.get(name),
    instructions: renamed(instructions),
    tasks,
  }
}

function runnerOf(tool: Tool, log: Log): Runner {
  return {
    waits: tool.waits,
    run(args, call, { _meta }) {
      const meta = isFields(_meta) ? _meta : {}
      const named = { ...call, id: callIdOf(meta) }
      return runTool(tool, withClientKeys(tool, args, meta), named, log)
    },
  }
}
