import type { TObject } from '@sinclair/typebox'
import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import type { Fields } from '../../platform/mcp/message.ts'
import { type CallResult, failed, succeeded } from '../../platform/mcp/result.ts'
import type { Call } from '../accounts/call.ts'

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
  call(args: Fields, call: Call): Promise<object>
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
export async function runTool(tool: Tool, args: Fields, call: Call, log: Log): Promise<CallResult> {
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
export function withClientKeys({ inputSchema }: Tool, args: Fields, meta: Fields): Fields {
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
export function callIdOf(meta: Fields): string | undefined {
  return short(meta['claudecode/toolUseId'] ?? meta.callId, REQUEST_ID_MAX)
}

/** What nobody typed is taken when it fits, and never complained about. */
function short(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= most ? value : undefined
}
