import { type Agent, callerOf } from '../accounts/agent.ts'
import type { Bucket } from '../http/limits.ts'
import { Failure } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import { cutText } from '../kernel/text.ts'
import { clientName } from './client-name.ts'
import { type Era, eraOf } from './era.ts'
import { INTERNAL, type Refusal, RPC, refusal, refusalOf } from './errors.ts'
import type { ProgressToken } from './event-reply.ts'
import { type Exchanges, type IdleTimer, jsonReply, type Work } from './exchange.ts'
import {
  errorText,
  isFields,
  metaOf,
  type RequestId,
  type RpcRequest,
  replyText,
} from './message.ts'
import { createModernEra } from './modern.ts'
import type { OldEra, ServerInfo } from './server.ts'
import { type CallResult, failed } from './tool.ts'
import type { Toolbox } from './toolbox.ts'

export type EndpointDeps = {
  info: ServerInfo
  exchanges: Exchanges
  log: Log
  /** The agent behind the request's bearer token. Throws `unauthenticated`, `rate_limited`. */
  agentFrom(request: Request): Promise<Agent>
  /** Calls of tools, by token. */
  callLimit: Bucket
}

/** One request with all that came around it. */
type Incoming = { request: Request; server: IdleTimer; asked: RpcRequest; arrivedAt: number }
type Spoken = Exclude<Era, Refusal>

/** Answers the requests of one address, in both eras. */
export type Endpoint = (incoming: Incoming) => Promise<Response>

export function createEndpoint(deps: EndpointDeps, toolbox: Toolbox): Endpoint {
  const { info, exchanges, log } = deps
  const modern = createModernEra(toolbox, info)
  const oldList = JSON.stringify({ tools: toolbox.listed })
  let loading: Promise<OldEra> | undefined

  // The SDK takes its time to load: with the first request that needs it, not at the start.
  function oldEra(): Promise<OldEra> {
    loading ??= import('./server.ts').then(({ createOldEra }) =>
      createOldEra({ info, instructions: toolbox.instructions, log }),
    )
    return loading
  }

  async function answerOld({ asked }: Incoming): Promise<Response> {
    const { id, method, params } = asked
    if (method === 'tools/list') return jsonReply(replyText(id, oldList))
    return jsonReply(await (await oldEra()).answer(id, method, params))
  }

  function answerModern({ asked }: Incoming): Response {
    const { id, method } = asked
    if (method === 'server/discover') return jsonReply(modern.discover(id))
    if (method === 'tools/list') return jsonReply(modern.list(id))
    return refuse(asked, refusal(404, RPC.methodNotFound, `There is no method ${named(method)}.`))
  }

  async function call(incoming: Incoming, era: Spoken): Promise<Response> {
    const { request, server, asked, arrivedAt } = incoming
    const { id, params } = asked
    const agent = await deps.agentFrom(request)
    const caller = callerOf(agent, request.headers, clientName(request.headers, era), arrivedAt)
    const reply = era.kind === 'old' ? oldReply : modern.call
    const tooMany = refusedBy(() => deps.callLimit.take(agent.tokenId))
    // As a result, since clients keep the body of an HTTP error from the model (design: clients-live).
    if (tooMany) return jsonReply(reply(id, failed(tooMany)), 200, refusalOf(tooMany).headers)
    const { name, arguments: args = {} } = params
    if (typeof name !== 'string' || !isFields(args)) return refuse(asked, BAD_PARAMS)
    const runner = toolbox.find(name)
    if (!runner) return refuse(asked, refusal(200, RPC.invalidParams, unknownTool(name)))

    const work: Work = (talk, signal) =>
      replyWith(reply, id, runner.run(args, { caller, talk, signal }, params))
    const waits = runner.waits(args)
    return exchanges.answer(
      {
        id,
        tokenId: agent.tokenId,
        request,
        server,
        waits,
        token: progressToken(asked),
        arrivedAt,
      },
      work,
    )
  }

  return async (incoming) => {
    const { request, asked } = incoming
    const era = eraOf(request.headers, asked)
    if (era.kind === 'refusal') return refuse(asked, era)
    if (!asked.paramsFit) return refuse(asked, BAD_PARAMS)
    try {
      if (asked.method === 'tools/call') return await call(incoming, era)
      return era.kind === 'modern' ? answerModern(incoming) : await answerOld(incoming)
    } catch (thrown) {
      if (thrown instanceof Failure) return refuse(asked, refusalOf(thrown))
      log.error('an MCP request failed', { method: asked.method, error: thrown })
      return refuse(asked, { ...INTERNAL, status: 500 })
    }
  }
}

function oldReply(id: RequestId, result: CallResult): string {
  return replyText(id, JSON.stringify(result))
}

// A function of its own, so that a call that is held does not hold its whole request.
function replyWith(
  reply: (id: RequestId, result: CallResult) => string,
  id: RequestId,
  result: Promise<CallResult>,
): Promise<string> {
  return result.then((done) => reply(id, done))
}

function refusedBy(take: () => void): Failure | undefined {
  try {
    take()
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown
    throw thrown
  }
}

function refuse({ id }: RpcRequest, why: Refusal): Response {
  return jsonReply(errorText(id, why), why.status, why.headers)
}

const BAD_PARAMS = refusal(
  200,
  RPC.invalidParams,
  'params must be an object; tools/call needs "name" as a string and "arguments" as an object.',
)
const SHOWN_MAX = 100

function named(name: string): string {
  return JSON.stringify(cutText(name, SHOWN_MAX))
}

function unknownTool(name: string): string {
  return `There is no tool ${named(name)}; tools/list names them all.`
}

function progressToken(asked: RpcRequest): ProgressToken | undefined {
  const { progressToken: token } = metaOf(asked)
  return typeof token === 'string' || Number.isSafeInteger(token)
    ? (token as ProgressToken)
    : undefined
}
