import { addressQuery } from '../../ask/wire/address-form.ts'
import { newBridgeId } from '../../ask/wire/bridge-id.ts'
import { CORRELATION_ID } from '../../ask/wire/limits.ts'
import type { Failure } from '../../platform/failure.ts'
import { META } from '../../platform/mcp/era.ts'
import { INTERNAL, type Refusal, RPC, refusal } from '../../platform/mcp/errors.ts'
import {
  errorText,
  type Fields,
  isFields,
  metaOf,
  type RequestId,
  type RpcRequest,
  readMessage,
} from '../../platform/mcp/message.ts'
import { CLIENTS } from '../clients/clients.ts'
import { clientTitle } from '../clients/mcp-client.ts'
import { deliver, requestHeaders, type Undelivered, type Upstream } from './deliver.ts'
import { type BridgePlace, enriched } from './enrich.ts'
import { type BridgeLimits, waits } from './patience.ts'
import type { Line } from './stdio.ts'
import { createUnresolved } from './unresolved.ts'

/** As much as the server reads of one message, in bytes. */
export const LINE_MAX = 1024 * 1024

// Far above what agents need; a program that sends more is out of control.
const AT_ONCE_MAX = 200

/** Answers a request with this version's own tools, without a server. */
export type AnswerWithoutServer = (
  message: RpcRequest,
  headers: Record<string, string>,
  situation: {
    failure: Failure
    /** No server answers; otherwise the token or the address is wrong. */
    away: boolean
    /** The question that the call had opened before the server went away. */
    correlationId: string | undefined
    asksHuman: boolean
  },
) => Promise<Fields>

export type BridgeDeps = {
  server: Upstream
  limits: BridgeLimits
  place: BridgePlace
  answerWithoutServer: AnswerWithoutServer
  /** One message to the client. */
  write(message: string): void
  /** One sentence for the person who reads the client's log. */
  note(sentence: string): void
}

/** Carries messages between one client and the server; keeps nothing but open calls. */
export type Bridge = {
  take(line: Line): void
  /** Gives open calls `graceMs` to end, and aborts the rest. */
  close(graceMs: number): Promise<void>
}

type Call = { id: RequestId; over: AbortController; done: Promise<void> }

const MCP_ADDRESS = '/api/mcp/mcp'

export function createBridge(deps: BridgeDeps): Bridge {
  const { write, note } = deps
  const calls = new Set<Call>()
  const answer = createAnswers(deps)

  function begin(message: RpcRequest) {
    const over = new AbortController()
    const done = answer(message, over.signal)
      .then(write)
      .catch((thrown) => {
        // A cancelled request gets no reply (MCP, cancellation).
        if (over.signal.aborted) return
        note(`A message could not be answered: ${thrown}.`)
        write(errorText(message.id, INTERNAL))
      })
      .finally(() => calls.delete(call))
    const call: Call = { id: message.id, over, done }
    calls.add(call)
  }

  return {
    take(line) {
      if ('broken' in line) return write(errorText(undefined, BROKEN[line.broken]))
      const body = parsed(line.text)
      if (body === undefined) return
      if (body === BROKEN_JSON) return write(errorText(undefined, BROKEN_JSON))
      const message = readMessage(body)
      if (message.kind === 'refusal') return write(errorText(idOf(body), message))
      if (message.kind === 'notification') return cancel(body, calls)
      if (message.kind === 'response') return
      if (calls.size >= AT_ONCE_MAX) return write(errorText(message.id, TOO_MANY))
      begin(message)
    },
    async close(graceMs) {
      const all = Promise.all([...calls].map(({ done }) => done))
      await Promise.race([all, Bun.sleep(calls.size === 0 ? 0 : graceMs)])
      for (const { over } of calls) over.abort()
      await all
    },
  }
}

/** Answers requests one by one, from the server or without it; each answer is JSON text. */
function createAnswers(deps: BridgeDeps) {
  const { server, place, answerWithoutServer, note } = deps
  const unresolved = createUnresolved()
  // A connection has one client, which introduces itself in the handshake.
  let client: Fields | undefined
  let isAway = false

  function noteAway(why: string) {
    if (!isAway) note(`The server at ${server.url} cannot be reached (${why}); trying again.`)
    isAway = true
  }

  /**
   * With the fields that the model left out; a call that waits also asks for progress, to learn the
   * question's id.
   */
  function completeParams(params: Fields): Fields {
    const placed = enriched(params, place, clientTitle(client), newBridgeId)
    const resumed = unresolved.resumed(params, placed)
    return waits(resumed) ? withProgress(resumed) : resumed
  }

  return async (message: RpcRequest, signal: AbortSignal): Promise<string> => {
    const { id, method, params } = message
    const clientInfo =
      method === 'initialize' ? params.clientInfo : metaOf(message)[META.clientInfo]
    if (isFields(clientInfo)) client = clientInfo
    const sessionClient = CLIENTS.find(
      ({ mcpName }) => mcpName !== undefined && mcpName === client?.name,
    )
    const asksHuman = sessionClient?.hidesAskUser ?? false
    const whole = method === 'tools/call' ? { ...message, params: completeParams(params) } : message
    const token = metaOf(message).progressToken
    const { reply, correlationId } = await send(deps, whole, { asksHuman, token, noteAway }, signal)
    if (!isUndelivered(reply)) {
      isAway = false
      unresolved.drop(params, endedIn(reply))
      return JSON.stringify({ ...(sessionClient ? inOneSentence(reply) : reply), id })
    }
    const { failure, away, arrived } = reply
    if (arrived) unresolved.keep(params, whole.params, correlationId)
    note(failure.message)
    const situation = { failure, away, correlationId, asksHuman }
    const answer = await answerWithoutServer(whole, requestHeaders(message), situation)
    return JSON.stringify({ ...(sessionClient ? inOneSentence(answer) : answer), id })
  }
}

/** Sends a request, passes its progress on, and notes which question it opened. */
async function send(
  { server, limits, write }: BridgeDeps,
  message: RpcRequest,
  by: { asksHuman: boolean; token: unknown; noteAway(why: string): void },
  signal: AbortSignal,
) {
  let correlationId: string | undefined
  const progress = createProgress(by.token, (notification) => write(JSON.stringify(notification)))
  const reply = await deliver(
    {
      server,
      limits,
      address: `${server.url}${MCP_ADDRESS}${addressQuery({ asksHuman: by.asksHuman, lean: true })}`,
      message,
      listen(notification) {
        correlationId ??= questionOf(notification)
        progress.pass(notification)
      },
      away(why) {
        by.noteAway(why)
        const open = correlationId ? `; the question ${correlationId} stays open` : ''
        progress.restart(`The server is away; trying again${open}`)
      },
    },
    signal,
  )
  return { reply, correlationId }
}

/** Without a progress token the server would only name the question at its end. */
function withProgress(params: Fields): Fields {
  const meta = isFields(params._meta) ? params._meta : {}
  const { progressToken: token } = meta
  if (typeof token === 'string' || Number.isSafeInteger(token)) return params
  return { ...params, _meta: { ...meta, progressToken: 'beckon-mcp' } }
}

/** The question that a message from the server is about. */
function questionOf({ params }: Fields): string | undefined {
  const meta = isFields(params) && isFields(params._meta) ? params._meta : {}
  const id = meta[CORRELATION_ID]
  return typeof id === 'string' && /^q_[0-9a-z]{1,60}$/.test(id) ? id : undefined
}

/** The id of the question, when the reply is its end. */
function endedIn({ result }: Fields): string | undefined {
  const content = isFields(result) ? result.structuredContent : undefined
  if (!isFields(content) || content.status === 'pending' || content.status === 'unavailable')
    return undefined
  return typeof content.correlationId === 'string' ? content.correlationId : undefined
}

/**
 * The reply with the sentence alone, for clients that put a result before a model: some show the
 * structured half instead of it, or both. The lean list has no output schemas that ask for that
 * half; programs of other names still read it.
 */
function inOneSentence(reply: Fields): Fields {
  const { result } = reply
  if (!isFields(result)) return reply
  // The end of a task has the result of its call in it.
  if (isFields(result.result)) return { ...reply, result: inOneSentence(result) }
  const { structuredContent: _, ...rest } = result
  const hasText = Array.isArray(rest.content) && rest.content.length > 0
  return hasText ? { ...reply, result: rest } : reply
}

function isUndelivered(reply: Fields | Undelivered): reply is Undelivered {
  return 'failure' in reply
}

/** The call it names ends here; the question stays open, as after any hang-up. */
function cancel(body: unknown, calls: Set<Call>): void {
  const { method, params } = body as Fields
  if (method !== 'notifications/cancelled' || !isFields(params)) return
  for (const call of calls) if (call.id === params.requestId) call.over.abort()
}

const TOO_LONG = refusal(400, RPC.invalidRequest, 'The message is longer than 1 MiB; send less.')
const NOT_UTF8 = refusal(400, RPC.parseError, 'The message is not valid UTF-8.')
const BROKEN = { too_long: TOO_LONG, not_utf8: NOT_UTF8 } as const
const BROKEN_JSON = refusal(400, RPC.parseError, 'The message is not valid JSON.')
const TOO_MANY = refusal(429, 429, 'Too many requests are under way; wait for some of them.')

/** Undefined for an empty line. */
function parsed(text: string): unknown | Refusal {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return BROKEN_JSON
  }
}

function idOf(body: unknown): RequestId | undefined {
  const id = isFields(body) ? body.id : undefined
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined
}

/** The progress of one request, over all of its attempts. */
type ProgressRelay = {
  /** Passes on the server's progress, counted from the first attempt. */
  pass(notification: Fields): void
  /** A new attempt begins; until its first progress, reports why. */
  restart(message: string): void
}

/**
 * The server counts from the arrival of an attempt, but progress must rise (MCP, progress). So the
 * time spent before an attempt is added to what the attempt reports.
 */
function createProgress(token: unknown, say: (notification: Fields) => void): ProgressRelay {
  const startedAt = performance.now()
  let offset = 0
  let last = -1

  function tell(progress: number, more: Fields) {
    if ((typeof token !== 'string' && !Number.isSafeInteger(token)) || progress <= last) return
    last = progress
    const params = { ...more, progressToken: token, progress }
    say({ jsonrpc: '2.0', method: 'notifications/progress', params })
  }

  return {
    pass({ method, params }) {
      if (method !== 'notifications/progress' || !isFields(params)) return
      const { progress, total } = params
      if (typeof progress !== 'number') return
      const moved = typeof total === 'number' ? { total: total + offset } : {}
      tell(progress + offset, { ...params, ...moved })
    },
    restart(message) {
      offset = (performance.now() - startedAt) / 1000
      tell(offset, { message })
    },
  }
}
