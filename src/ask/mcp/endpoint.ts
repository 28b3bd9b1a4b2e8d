import { isUnavailable } from '../../platform/db/storage-failure.ts'
import { Failure } from '../../platform/failure.ts'
import type { Bucket } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import {
  callOf,
  createDispatcher,
  type Dispatcher,
  type Incoming,
  type KnownEra,
  type TaskRequest,
  unknownTool,
  type WriteResult,
} from '../../platform/mcp/dispatcher.ts'
import { type Refusal, Refused, refusalOf } from '../../platform/mcp/errors.ts'
import {
  type Fields,
  jsonReply,
  metaOf,
  type RpcRequest,
  refusalReply,
} from '../../platform/mcp/message.ts'
import type { ServerInfo } from '../../platform/mcp/old-era.ts'
import { declaresTasks, noTask } from '../../platform/mcp/result.ts'
import { type Agent, type CallContext, callerOf, checkServiceEnv } from '../accounts/model/agent.ts'
import { type ClientNames, clientName, rememberName } from '../accounts/model/client-names.ts'
import type { Tasks } from '../tools/tool.ts'
import { HOLD_HEADER, WINDOW_MS } from '../wire/limits.ts'
import {
  type Exchanges,
  type ExchangeWork,
  PASS_THROUGH,
  type ProgressToken,
  takesEvents,
} from './exchange.ts'
import type { Toolbox } from './toolbox.ts'

export type ToolDispatcherDeps = {
  info: ServerInfo
  exchanges: Exchanges
  log: Log
  /** The agent of the request's bearer token. Throws `unauthenticated`, `rate_limited`. */
  agentFrom(request: Request): Promise<Agent>
  /** The limit of tool calls, by token. */
  callLimit: Bucket
  /** Left out where each call names its client. */
  clientNames?: ClientNames
  /** Why an agent whose permissions are limited may not call a tool. */
  refusalFor?(agent: Agent, tool: string): Refusal | undefined
}

/** Answers the requests of one MCP address: its tools are for agents with a token, and may wait. */
export function createToolDispatcher(deps: ToolDispatcherDeps, toolbox: Toolbox): Dispatcher {
  const { info, exchanges, log } = deps
  const { listed, instructions, tasks, failure } = toolbox

  async function call(incoming: Incoming, era: KnownEra, write: WriteResult): Promise<Response> {
    const { request, server, message, arrivedAt } = incoming
    const { id, params } = message
    const agent = await deps.agentFrom(request)
    const { headers } = request
    const client = await clientName(agent, headers, era, deps.clientNames)
    const caller = callerOf(agent, headers, client, arrivedAt)
    const tooMany = refusedBy(() => deps.callLimit.take(agent.tokenId))
    // As a result, since clients do not show the body of an HTTP error to the model.
    if (tooMany) return jsonReply(write(id, failure(tooMany)), 200, refusalOf(tooMany).headers)
    const wrongEnv = refusedBy(() => checkServiceEnv(headers))
    if (wrongEnv) return jsonReply(write(id, failure(wrongEnv)), 200)
    const called = callOf(message)
    if ('kind' in called) return refusalReply(id, called)
    const runner = toolbox.find(called.name)
    if (!runner) return refusalReply(id, unknownTool(called.name))
    const notAllowed = deps.refusalFor?.(agent, called.name)
    if (notAllowed) return refusalReply(id, notAllowed)

    const { args } = called
    const follows = declaresTasks(era)
    const waits = runner.waits(args)
    const clientWaitsMs = waits && !follows ? clientWaits(request) : undefined
    const work: ExchangeWork = (talk, signal) =>
      runner.run(args, { caller, follows, clientWaitsMs, talk, signal }, params)
    const { tokenId } = agent
    const token = progressToken(message)
    const opening = { id, tokenId, request, server, waits, token, arrivedAt, words: runner, write }
    return exchanges.answer(opening, work)
  }

  // Clients poll by themselves, and often. That is not the agent's work, so it does not count as a
  // call.
  async function answerTaskRequest(incoming: Incoming, about: TaskRequest, write: WriteResult) {
    if (!tasks) throw new Refused(noTask())
    const { request, server, message, arrivedAt } = incoming
    const agent = await deps.agentFrom(request)
    const caller = callerOf(agent, request.headers, undefined, arrivedAt)
    const work: ExchangeWork = (talk, signal) =>
      stateOfTask(tasks, about, { caller, talk, signal }, message.params)
    const { id } = message
    const { tokenId } = agent
    const waits = about.method === 'tasks/get'
    const opening = { id, tokenId, request, server, waits, token: undefined, arrivedAt }
    return exchanges.answer({ ...opening, streams: false, words: PASS_THROUGH, write }, work)
  }

  // A handshake needs no token; a name is stored only for one with a valid token.
  async function onHandshake({ request, message }: Incoming): Promise<void> {
    const { clientNames } = deps
    if (!clientNames || !request.headers.has('authorization')) return
    try {
      const agent = await deps.agentFrom(request)
      await rememberName(agent, request.headers, message.params, clientNames)
    } catch (error) {
      if (error instanceof Failure || isUnavailable(error)) return
      log.error('the name of a client was not kept', { error })
    }
  }

  const options = { info, log, listed, instructions, call, onHandshake }
  return createDispatcher(tasks ? { ...options, tasks: answerTaskRequest } : options)
}

async function stateOfTask(
  tasks: Tasks,
  { method, taskId }: TaskRequest,
  call: CallContext,
  params: Fields,
): Promise<object> {
  if (method === 'tasks/get') {
    const task = await tasks.get(taskId, call)
    if (!task) throw new Refused(noTask())
    return task
  }
  const isKnown =
    method === 'tasks/cancel'
      ? await tasks.cancel(taskId, call)
      : await tasks.update(taskId, call, params)
  if (!isKnown) throw new Refused(noTask())
  return {}
}

function refusedBy(take: () => void): Failure | undefined {
  try {
    take()
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown
    throw thrown
  }
}

const HOLD_MAX_S = WINDOW_MS / 1000

/**
 * How long the client waits for this reply, if it said so: a silent reply would be cut by itself
 * and by proxies. A header that does not hold a number of seconds is ignored.
 */
function clientWaits({ headers }: Request): number | undefined {
  const holdHeader = headers.get(HOLD_HEADER)
  if (holdHeader === null || !/^\d{1,6}$/.test(holdHeader) || !takesEvents(headers))
    return undefined
  return Math.min(Number(holdHeader), HOLD_MAX_S) * 1000
}

function progressToken(message: RpcRequest): ProgressToken | undefined {
  const { progressToken: token } = metaOf(message)
  return typeof token === 'string' || Number.isSafeInteger(token)
    ? (token as ProgressToken)
    : undefined
}
