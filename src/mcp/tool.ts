import type { TObject } from '@sinclair/typebox'
import type { Call } from '../flows/call.ts'
import { Failure, type WrongField } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import { cutText } from '../kernel/text.ts'
import type { Fields } from './message.ts'

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

/** On every tool (spec: What the service does, 8). */
export const ANNOTATIONS = {
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
  readOnlyHint: false,
} as const

/** The result of `tools/call`, as far as this server uses it. */
export type CallResult = {
  content: Fields[]
  structuredContent?: object
  isError?: boolean
  resultType?: string
}

/**
 * The tool's result said twice, since some clients show the model only the structured half and
 * others only the text; a failure is text alone, which all of them show. What the server itself
 * cannot do is logged with its cause. Bugs are thrown on.
 */
export async function runTool(tool: Tool, args: Fields, call: Call, log: Log): Promise<CallResult> {
  try {
    const result = await tool.call(args, call)
    return { content: [text(JSON.stringify(result))], structuredContent: result }
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    if (thrown.status >= 500) log.warn('a tool was refused', { tool: tool.name, error: thrown })
    return failed(thrown)
  }
}

/** A failure as a result: text that a model can act on. */
export function failed(failure: Failure): CallResult {
  return { content: [text(sentence(failure))], isError: true }
}

function text(said: string): Fields {
  return { type: 'text', text: said }
}

function sentence(failure: Failure): string {
  if (failure.fields.length > 0) return wrongArguments(failure.fields)
  return `${failure.message} (${failure.code})`
}

// Enough to correct a call; a hostile one does not get its own size back.
const NAMED_MAX = 20
const FIELD_MAX = 100

function wrongArguments(fields: WrongField[]): string {
  const named = fields.slice(0, NAMED_MAX).map(({ field, must }) => {
    return `- ${cutText(field, FIELD_MAX)} ${must}`
  })
  const more = fields.length - named.length
  if (more > 0) named.push(`- and ${more} more`)
  return `Some arguments are not valid, so nothing was done:\n${named.join('\n')}\nCorrect them and call again.`
}

const REQUEST_ID_MAX = 200
const SESSION_ID_MAX = 128

/**
 * The arguments with what the client says of the call in `_meta`, where the tool takes it and the
 * caller left it out (design: MCP face): the id of the tool call as `requestId`, and `sessionId`.
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
