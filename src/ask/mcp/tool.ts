import type { TObject } from '@sinclair/typebox'
import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { type CallResult, failed, succeeded } from '../../platform/mcp/result.ts'
import type { CallContext } from '../accounts/model/call.ts'

/** One thing that agents can do, the same in both eras of the protocol. */
export type Tool = {
  name: string
  title: string
  /** For a model: when to use it, when not, what comes back, what to do next. */
  description: string
  inputSchema: TObject
  outputSchema: TObject
  annotations: typeof ANNOTATIONS
  /** Whether a call may last: then its reply is a stream where the client takes one. */
  waits(args: Fields): boolean
  /** Resolves to what fits `outputSchema`. Throws `invalid_input` that names each wrong field. */
  call(args: Fields, call: CallContext): Promise<object>
}

/** A tool as its feature declares it, before it has what its use case needs. */
export type ToolModule<Deps, Input = unknown, Result extends object = object> = Pick<
  Tool,
  'title' | 'description' | 'inputSchema' | 'outputSchema'
> & {
  /** Throws `invalid_input` that names each wrong field. */
  read(args: Fields): Input
  /** Resolves to what fits `outputSchema`. */
  run(deps: Deps, input: Input, call: CallContext): Promise<Result>
  /** The result while no server can be reached; undefined where the call fails then. */
  withoutServer?(input: Input, known: KnownWithoutServer): Result | undefined
}

/** What the bridge knows of a call that no server answered. */
type KnownWithoutServer = {
  /** The question that the call had opened before the server went away. */
  correlationId: string | undefined
  /** Fields of a result: the state of the question cannot be read now. */
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
 * The tool's result, or its failure as text alone, which all clients show. What the server itself
 * cannot do is logged with its cause. Bugs are thrown on.
 */
async function runTool(tool: Tool, args: Fields, call: CallContext, log: Log): Promise<CallResult> {
  try {
    return succeeded(await tool.call(args, call))
  } catch (raw) {
    const thrown = storageFailure(raw)
    if (!(thrown instanceof Failure)) throw thrown
    if (thrown.status >= 500) log.warn('a tool was refused', { tool: tool.name, error: thrown })
    return failed(thrown)
  }
}

const REQUEST_ID_MAX = 200
const SESSION_ID_MAX = 128

/**
 * The arguments with what the client says of the call in `_meta`, where the tool takes it and the
 * caller left it out: the id of the tool call as `requestId`, and `sessionId`.
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

/** What the client calls this call of a tool, where it says so. */
function callIdOf(meta: Fields): string | undefined {
  return short(meta['claudecode/toolUseId'] ?? meta.callId, REQUEST_ID_MAX)
}

/** What nobody typed is taken when it fits, and never complained about. */
function short(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
}

/** A tool as the two eras run it. */
export type Runner = {
  waits(args: Fields): boolean
  /** `params` is the whole of the request's, `_meta` included. */
  run(args: Fields, call: CallContext, params: Fields): Promise<CallResult>
}

/** What one address offers. */
export type Toolbox = {
  /** The entries of `tools/list`, in their order. */
  listed: object[]
  find(name: string): Runner | undefined
  instructions: string
}

/** `names` renames tools for an address, in their descriptions too. */
export function createToolbox(options: {
  tools: readonly Tool[]
  instructions: string
  log: Log
  names?: Readonly<Record<string, string>>
}): Toolbox {
  const { tools, instructions, log, names = {} } = options
  const renamed = (text: string) =>
    Object.entries(names).reduce((said, [from, to]) => said.replaceAll(from, to), text)
  const runners = new Map(tools.map((tool) => [renamed(tool.name), runnerOf(tool, log)]))
  return {
    listed: JSON.parse(renamed(JSON.stringify(tools))),
    find: (name) => runners.get(name),
    instructions: renamed(instructions),
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
