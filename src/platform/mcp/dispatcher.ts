import { storageFailure } from '../db/storage-failure.ts'
import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import { loadOnce } from '../once.ts'
import { cutText } from '../text.ts'
import { type Era, eraOf, META, MODERN_VERSIONS } from './era.ts'
import { INTERNAL, type Refusal, RPC, refusal, refusalOf } from './errors.ts'
import {
  type Fields,
  isFields,
  jsonReply,
  type RequestId,
  type RpcRequest,
  readyReply,
  refusalReply,
  replyText,
} from './message.ts'
import type { ServerInfo } from './old-era.ts'
import { TASKS, type TaskMethod, taskOf } from './result.ts'

/** The part of Bun's server that a reply needs: lifts the idle timeout of one request. */
export type IdleTimer = { timeout(request: Request, seconds: number): void } | null | undefined

/** One request with its context. */
export type Incoming = {
  request: Request
  server: IdleTimer
  message: RpcRequest
  arrivedAt: number
}

/** An era in which a request was understood. */
export type KnownEra = Exclude<Era, Refusal>

/** The options of one address, the same in both eras. */
export type DispatcherOptions = {
  info: ServerInfo
  /** The entries of `tools/list`, in their order. */
  listed: readonly object[]
  instructions: string
  log: Log
  /**
   * Answers `tools/call`; `write` makes a reply to its id, in the format of its era, and is the same
   * function for all calls, so that a held one keeps none of its own. May throw a `Failure`, which
   * becomes a refusal.
   */
  call(incoming: Incoming, era: KnownEra, write: WriteResult): Response | Promise<Response>
  /** Answers requests about calls that became tasks; without it no call does. */
  tasks?(incoming: Incoming, task: TaskRequest, write: WriteResult): Response | Promise<Response>
  /** Called with every handshake before it is answered; never throws. */
  onHandshake?(incoming: Incoming): Promise<void>
}

/** Makes the reply to `id` of a result or of the state of a task. */
export type WriteResult = (id: RequestId, result: object) => string
export type TaskRequest = { method: TaskMethod; taskId: string }

/** Answers the requests of one address, in both eras. */
export type Dispatcher = (incoming: Incoming) => Promise<Response>

/** Three methods and a handshake: everything that a server of tools needs. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { info, log, instructions } = options
  const modern = createModernEra(options)
  const oldList = readyReply(JSON.stringify({ tools: options.listed }))
  // The SDK is slow to load, so it is loaded with the first request that needs it, not at the
  // start.
  const oldEra = loadOnce(async () =>
    (await import('./old-era.ts')).createOldEra({ info, instructions, log }),
  )

  async function answerOld(incoming: Incoming): Promise<Response> {
    const { id, method, params } = incoming.message
    if (method === 'initialize') await options.onHandshake?.(incoming)
    if (method === 'tools/list') return jsonReply(oldList(id))
    return jsonReply(await (await oldEra()).answer(id, method, params))
  }

  function answerModern({ id, method }: RpcRequest): Response {
    if (method === 'server/discover') return jsonReply(modern.discover(id))
    if (method === 'tools/list') return jsonReply(modern.list(id))
    const unknown = `There is no method ${quote(method)}.`
    return refusalReply(id, refusal(404, RPC.methodNotFound, unknown))
  }

  return async (incoming) => {
    const { request, message } = incoming
    const { id, method } = message
    const era = eraOf(request.headers, message)
    if (era.kind === 'refusal') return refusalReply(id, era)
    if (!message.paramsFit) return refusalReply(id, BAD_PARAMS)
    try {
      if (method === 'tools/call') {
        return await options.call(incoming, era, era.kind === 'old' ? oldReply : modern.call)
      }
      if (era.kind === 'old') return await answerOld(incoming)
      const task = options.tasks && taskOf(message, era)
      if (!options.tasks || !task) return answerModern(message)
      if ('kind' in task) return refusalReply(id, task)
      return await options.tasks(incoming, task, modern.call)
    } catch (raw) {
      const thrown = storageFailure(raw)
      if (thrown instanceof Failure) return refusalReply(id, refusalOf(thrown))
      log.error('an MCP request failed', { method, error: thrown })
      return refusalReply(id, { ...INTERNAL, status: 500 })
    }
  }
}

/** The tool that a call names, or why the call is not valid. */
export function callOf({ params }: RpcRequest): { name: string; args: Fields } | Refusal {
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string' || !isFields(args)) return BAD_PARAMS
  return { name, args }
}

/** A tool that `tools/list` does not name. */
export function unknownTool(name: string): Refusal {
  const sentence = `There is no tool ${quote(name)}; tools/list names them all.`
  return refusal(200, RPC.invalidParams, sentence)
}

function oldReply(id: RequestId, result: object): string {
  return replyText(id, JSON.stringify(result))
}

const BAD_PARAMS = refusal(
  200,
  RPC.invalidParams,
  'params must be an object; tools/call needs "name" as a string and "arguments" as an object.',
)
const SHOWN_MAX = 100

function quote(name: string): string {
  return JSON.stringify(cutText(name, SHOWN_MAX))
}

/** The era without a handshake (2026-07-28): three methods, two of them with prepared texts. */
type ModernEra = {
  discover(id: RequestId): string
  list(id: RequestId): Blob
  /** `result` may set its own `resultType`, and more in `_meta`. */
  call(id: RequestId, result: { _meta?: object }): string
}

// The tools only change with the program, and five minutes after an update every client knows them.
const CACHED = { ttlMs: 300_000, cacheScope: 'public' } as const

function createModernEra(options: {
  info: ServerInfo
  listed: readonly object[]
  instructions: string
  tasks?: unknown
}): ModernEra {
  const _meta = { [META.serverInfo]: options.info }
  const complete = { resultType: 'complete', _meta }
  const tools = JSON.stringify({ ...complete, ...CACHED, tools: options.listed })
  const discovery = JSON.stringify({
    ...complete,
    ...CACHED,
    supportedVersions: MODERN_VERSIONS,
    capabilities: { tools: {}, ...(options.tasks ? { extensions: { [TASKS]: {} } } : {}) },
    instructions: options.instructions,
  })
  return {
    discover: (id) => replyText(id, discovery),
    list: readyReply(tools),
    call(id, result) {
      const meta = result._meta ? { _meta: { ..._meta, ...result._meta } } : {}
      return replyText(id, JSON.stringify({ ...complete, ...result, ...meta }))
    },
  }
}
