import { storageFailure } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import type { TaskHandle } from '../../platform/mcp/result.ts'
import { type CallResult, failed, succeeded } from '../../platform/mcp/result.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { AGENT_TOOLS } from '../agent-tools.ts'
import type { Tasks, Tool } from '../tools/tool.ts'
import type { AddressForm } from '../wire/address-form.ts'
import { INSTRUCTIONS, LEAN_INSTRUCTIONS } from '../wire/instructions.ts'
import { sayFailure } from '../wire/sentence.ts'
import type { ReplyFormatter } from './exchange.ts'

/** How an address words the text of its results; the structured half is always the same. */
type ResultFormat = {
  result(tool: Pick<Tool, 'say'>, result: object): CallResult
  failure(failure: Failure): CallResult
}

/** As specified: the same JSON again. */
const JSON_FORMAT: ResultFormat = {
  result: (_, result) => succeeded(result),
  failure: failed,
}

/** One sentence, for models that read nothing but the text. */
const SENTENCE_FORMAT: ResultFormat = {
  result: (tool, result) => succeeded(result, tool.say(result)),
  failure: (failure) => ({ content: [{ type: 'text', text: sayFailure(failure) }], isError: true }),
}

type FormatDeps = { log: Log; format: ResultFormat; called: OnCallEnded }

/** A call of `tool` ended with `ok`, or with the code of the failure that it threw. */
export type OnCallEnded = (tool: string, outcome: string) => void

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
  // `null` is not given.
  const noKey = (args.requestId ?? args.toolUseId ?? undefined) === undefined
  const addKey = requestId !== undefined && key !== undefined && noKey
  const addSession =
    sessionId !== undefined && session !== undefined && (args.sessionId ?? undefined) === undefined
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
export type Runner = ReplyFormatter & {
  waits(args: Fields): boolean
  /** `params` are all of the request's, including `_meta`. */
  run(args: Fields, call: CallContext, params: Fields): Promise<object>
}

/** The tools of one address. */
export type Toolbox = {
  /** The entries of `tools/list`, in order. */
  listed: object[]
  find(name: string): Runner | undefined
  instructions: string
  tasks?: Tasks | undefined
  /** A call that was refused before its tool was looked at. */
  failure: ResultFormat['failure']
}

/** The tools as an address with this form has them. */
export function createToolbox(
  options: {
    tools: readonly Tool[]
    log: Log
    tasks?: Tasks | undefined
    /** Called after every call. */
    called?: OnCallEnded | undefined
  } & AddressForm,
): Toolbox {
  const { tools, log, tasks, asksHuman, lean, called = () => {} } = options
  const names = asksHuman ? HUMAN_NAMES : []
  const renamed = (text: string) =>
    names.reduce((result, [from, to]) => result.replaceAll(from, to), text)
  const format = lean ? SENTENCE_FORMAT : JSON_FORMAT
  const formatting = { log, format, called }
  const runners = new Map(tools.map((tool) => [renamed(tool.name), runnerOf(tool, formatting)]))
  return {
    listed: JSON.parse(renamed(JSON.stringify(tools.map(lean ? leanEntry : fullEntry)))),
    find: (name) => runners.get(name),
    instructions: renamed(lean ? LEAN_INSTRUCTIONS : INSTRUCTIONS),
    tasks: tasks && tasksIn(format, tasks, tools),
    failure: format.failure,
  }
}

/** Names of tools at the address that asks for them, also in their descriptions. */
const HUMAN_NAMES = AGENT_TOOLS.flatMap((tool): [string, string][] =>
  'alias' in tool ? [[tool.name, tool.alias]] : [],
)

function fullEntry(tool: Tool): object {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  return { name, title, description, inputSchema, outputSchema, annotations }
}

// Without output schemas: they are as long as everything else, and every client can do without them
// (MCP, tools).
function leanEntry({ name, title, lean, annotations }: Tool): object {
  return { name, title, ...lean, annotations }
}

/**
 * Runs the tool; its failure becomes plain text, which all clients show. Failures of the server
 * itself are logged with their cause. Bugs are thrown on.
 */
function runnerOf(tool: Tool, { log, format, called }: FormatDeps): Runner {
  return {
    waits: tool.waits,
    run(args, call, { _meta }) {
      const meta = isFields(_meta) ? _meta : {}
      const callContext = { ...call, id: callIdOf(meta) }
      return begin(tool, withClientKeys(tool, args, meta), callContext)
    },
    result(result) {
      called(tool.name, 'ok')
      return isHandle(result) ? result : format.result(tool, result)
    },
    error(raw) {
      const thrown = storageFailure(raw)
      const isExpected = thrown instanceof Failure
      called(tool.name, isExpected ? thrown.code : 'internal')
      if (!isExpected) throw thrown
      if (thrown.status >= 500) log.warn('a tool was refused', { tool: tool.name, error: thrown })
      return format.failure(thrown)
    },
  }
}

// Not an async function: one more promise would stay in memory with every held call.
function begin(tool: Tool, args: Fields, call: CallContext): Promise<object> {
  try {
    return tool.call(args, call)
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}

/** The tool whose calls become tasks. */
const FOLLOWED = 'ask_user'

/** A task ends with the result of its call, in the same words. */
function tasksIn(format: ResultFormat, tasks: Tasks, tools: readonly Tool[]): Tasks {
  const tool = tools.find(({ name }) => name === FOLLOWED)
  if (!tool) return tasks
  return {
    ...tasks,
    async get(taskId, call) {
      const task = await tasks.get(taskId, call)
      const content = task?.result?.structuredContent
      return content ? { ...task, result: format.result(tool, content) } : task
    },
  }
}
