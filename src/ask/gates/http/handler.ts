import type { Clock } from '../../../platform/clock.ts'
import { isOwnOrigin } from '../../../platform/config/origins.ts'
import { storageFailure } from '../../../platform/db/storage-failure.ts'
import { Failure } from '../../../platform/failure.ts'
import type { Bucket } from '../../../platform/http/limits.ts'
import { requestAddress } from '../../../platform/http/request.ts'
import type { Log } from '../../../platform/log.ts'
import type { IdleTimer } from '../../../platform/mcp/dispatcher.ts'
import { INTERNAL, type Refusal, RPC, refusal, refusalOf } from '../../../platform/mcp/errors.ts'
import { jsonReply, refusalReply } from '../../../platform/mcp/message.ts'
import { type Agent, callerOf, checkServiceEnv } from '../../accounts/model/agent.ts'
import type { HeldTokens } from '../../accounts/model/agents.ts'
import { productOf } from '../../accounts/model/client-names.ts'
import { readCall } from '../../gate-calls/call.ts'
import { CallRecorder } from '../../gate-calls/call-recorder.ts'
import { isAmbiguous, type Message, readMessages } from '../../gate-calls/message.ts'
import { refusalLine, WORDS } from '../../gate-calls/refusal.ts'
import { HOLD_HEADER, WINDOW_MS } from '../../wire/limits.ts'
import { createGateCache, type GateCache } from '../gate-cache.ts'
import type { Upstream } from '../model/upstream.ts'
import { headersForClient, takesEvents } from './headers.ts'
import { readBody } from './read-body.ts'
import { type Reader, relay } from './relay.ts'
import { ReplyBody } from './reply-body.ts'
import { type GateSession, ownId, type SessionDeps } from './session.ts'
import { GateSessions } from './sessions.ts'
import { sendOn, type UpstreamMethod } from './upstream-client.ts'

export type HttpGateDeps = Omit<SessionDeps, 'recorder' | 'cache'> & {
  clock: Clock
  log: Log
  allowedOrigins: readonly string[]
  callLimit: Bucket
  held: HeldTokens
  /** The agent of the request's bearer token. Throws `unauthenticated`, `rate_limited`. */
  agentFrom(request: Request): Promise<Agent>
}

/** The gates of this server over HTTP. */
export type HttpGates = {
  /** Answers a request to the gate of a name; never throws. */
  fetch(request: Request, name: string, server: IdleTimer): Promise<Response>
  /** Answers what is held. Resolves once everything is stored. */
  close(): Promise<void>
}

/** One request, with what is known of it. */
type Incoming = {
  request: Request
  agent: Agent
  upstream: Upstream
  search: string
  /** Aborts when the client is gone, or its token is revoked. */
  gone: AbortController
}

// With more, calls wait to be stored before they run.
const UNRECORDED_MAX = 1_000

const SESSION = 'mcp-session-id'
const METHODS = new Set(['GET', 'POST', 'DELETE'])

export function createHttpGates(deps: HttpGateDeps): HttpGates {
  const recorder = new CallRecorder<() => Promise<void>>(deps.clock, UNRECORDED_MAX, (works) =>
    Promise.all(works.map((work) => work())),
  )
  const cache = createGateCache(deps)
  const sessions = new GateSessions({ ...deps, recorder, cache })
  const door = new HttpGateDoor({ ...deps, cache }, sessions)
  return {
    async fetch(request, name, server) {
      try {
        return await door.answer(request, name, server)
      } catch (raw) {
        const thrown = storageFailure(raw)
        if (thrown instanceof Failure) return refusalReply(undefined, refusalOf(thrown))
        deps.log.error('a request to a gate failed', { error: thrown })
        return refusalReply(undefined, { ...INTERNAL, status: 500 })
      }
    },
    async close() {
      sessions.close()
      await recorder.flush()
      cache[Symbol.dispose]()
    },
  }
}

class HttpGateDoor {
  readonly #deps: HttpGateDeps & { cache: GateCache }
  readonly #sessions: GateSessions

  constructor(deps: HttpGateDeps & { cache: GateCache }, sessions: GateSessions) {
    this.#deps = deps
    this.#sessions = sessions
  }

  async answer(request: Request, name: string, server: IdleTimer): Promise<Response> {
    const { cache, callLimit, agentFrom } = this.#deps
    if (!this.#mayCall(request)) return refusalReply(undefined, FOREIGN_ORIGIN)
    if (!METHODS.has(request.method)) return refusalReply(undefined, OTHER_METHOD)
    const agent = await agentFrom(request)
    checkServiceEnv(request.headers)
    callLimit.take(agent.tokenId)
    const upstream = await cache.upstream(agent.workspaceId, name)
    if (!upstream) return refusalReply(undefined, NO_GATE)
    server?.timeout(request, 0)
    const gone = new AbortController()
    request.signal.addEventListener('abort', () => gone.abort(), { once: true })
    const { search } = requestAddress(request.url)
    const incoming = { request, agent, upstream, search, gone }
    const { held } = this.#deps
    const holder = { cut: () => gone.abort() }
    held.add(agent.tokenId, holder)
    const { response, over } = await this.#answerTo(incoming)
    void over.finally(() => held.remove(agent.tokenId, holder)).catch(() => {})
    return response
  }

  async #answerTo(incoming: Incoming): Promise<Answer> {
    const { method } = incoming.request
    if (method === 'POST') return await this.#post(incoming)
    return await this.#pass(incoming, method === 'GET' ? 'GET' : 'DELETE')
  }

  async #post(incoming: Incoming): Promise<Answer> {
    const { request } = incoming
    const body = await readBody(request)
    if ('kind' in body) return refused(body)
    const reading = readMessages(body)
    if (reading.is === 'other') return refused(NO_JSON)
    const messages = reading.is === 'one' ? [reading.message] : reading.messages
    if (isAmbiguous(Buffer.from(body).toString(), reading.value)) {
      return refused(AMBIGUOUS)
    }
    if (messages.every(({ method }) => method !== CALL)) {
      return await this.#pass(incoming, 'POST', { body, messages })
    }
    const [message] = messages
    return reading.is === 'one' && message
      ? await this.#call(incoming, message, body)
      : refused(CALL_IN_BATCH)
  }

  async #call(
    { request, agent, upstream, search, gone }: Incoming,
    message: Message,
    body: Uint8Array<ArrayBuffer>,
  ): Promise<Answer> {
    const { headers } = request
    const read = readCall(message, body)
    if (!read && message.id !== undefined) {
      return whole(jsonReply(refusalLine({ message, modern: false }, WORDS.unread).trimEnd()))
    }
    if (!read) return refused(NO_ID)
    const session = this.#sessions.of(agent, upstream, headers.get(SESSION))
    session.note(message, headers)
    const client = session.client ?? productOf(headers)
    const exchange = session.take({
      call: { ...read, id: ownId() },
      caller: callerOf(agent, headers, client, this.#deps.clock.now()),
      ...{ headers, search, holdMs: holdMsOf(headers) },
    })
    const onGone = () => exchange.leave()
    gone.signal.addEventListener('abort', onGone, { once: true })
    if (gone.signal.aborted) onGone()
    return { response: await exchange.response, over: exchange.over }
  }

  /** Passes a request on that is no call, and what comes back. */
  async #pass(
    { request, agent, upstream, search, gone }: Incoming,
    method: UpstreamMethod,
    { body, messages }: Posted = { messages: [] },
  ): Promise<Answer> {
    const { headers } = request
    const sessionId = headers.get(SESSION)
    const [first] = messages
    if (first?.method === CANCELLED && messages.length === 1) {
      const mustTell = this.#sessions.of(agent, upstream, sessionId).cancel(first)
      if (!mustTell) return whole(new Response(null, { status: 202 }))
    }
    const { signal } = gone
    const about = { method, headers, search, signal, ...(body ? { body } : {}) }
    const reply = await sendOn(this.#deps.outside, upstream, about)
    if (reply.is === 'aborted') return whole(new Response(null, { status: 499 }))
    if (reply.is === 'fault') {
      return whole(refusalReply(first?.id, refusal(502, UNREACHABLE, reply.why)))
    }
    const { response } = reply
    const begins = messages.some((message) => message.method === 'initialize')
    const id = begins ? response.headers.get(SESSION) : sessionId
    if (method === 'DELETE' && id !== null) this.#sessions.forget(agent, upstream, id)
    const session = this.#sessions.of(agent, upstream, id)
    return answerWith(response, readerFor(session, messages, headers), gone)
  }

  #mayCall({ headers }: Request): boolean {
    const { baseUrl, allowedOrigins } = this.#deps
    const origin = headers.get('origin')
    if (origin === null || allowedOrigins.includes(origin)) return true
    return isOwnOrigin(origin, baseUrl, headers.get('host'))
  }
}

/** A reply, and the moment from which nothing more comes of it. */
type Answer = { response: Response; over: Promise<unknown> }

function whole(response: Response): Answer {
  return { response, over: Promise.resolve() }
}

function refused(why: Refusal): Answer {
  return whole(refusalReply(undefined, why))
}

type Posted = { body?: Uint8Array<ArrayBuffer>; messages: readonly Message[] }

/** Notes requests, and the answers to them. */
function readerFor(session: GateSession, messages: readonly Message[], headers: Headers): Reader {
  const ids = new Map(messages.map((message) => [message.id, ownId()]))
  for (const message of messages) {
    session.note(message, headers)
    const id = message.id === undefined ? undefined : ids.get(message.id)
    session.tools.noteRequest({ ...message, id })
  }
  return {
    read(message) {
      const id = message.method === undefined ? ids.get(message.id) : undefined
      if (id === undefined) session.reader.read(message)
      else session.tools.noteReply({ ...message, id })
    },
    // Calls whose stream was cut go on here.
    changed: (message) => session.calls.changed(message),
  }
}

/** The answer of a server as it comes. */
function answerWith(response: Response, reader: Reader, gone: AbortController): Answer {
  const { status } = response
  const headers = headersForClient(response.headers)
  if (!response.body || NO_BODY.has(status)) return whole(new Response(null, { status, headers }))
  const body = new ReplyBody(() => gone.abort())
  const over = relay(response, body, reader).then(
    () => body.end(),
    (error) => body.fail(error),
  )
  return { response: new Response(body.stream, { status, headers }), over }
}

const NO_BODY = new Set([204, 205, 304])

// Codex ends a call after 300 s; the other clients go on for as long as there is progress.
const HOLD_MS = 280_000
// Clients and proxies give up a silent reply after a minute.
const SILENT_MS = 50_000

/** How long a call may be held: as long as its client waits, if it says so. */
function holdMsOf(headers: Headers): number {
  const seconds = headers.get(HOLD_HEADER) ?? ''
  const holdMs = /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : HOLD_MS
  const mostMs = takesEvents(headers) ? WINDOW_MS : SILENT_MS
  return Math.min(holdMs, mostMs)
}

const CALL = 'tools/call'
const CANCELLED = 'notifications/cancelled'
// As the errors of the protocol that a server defines itself.
const UNREACHABLE = -32000

const FOREIGN_ORIGIN = refusal(
  403,
  403,
  'Pages of this origin may not call this server; only its own may.',
)
const OTHER_METHOD: Refusal = {
  ...refusal(405, 405, 'A gate takes GET, POST and DELETE.'),
  headers: { allow: 'DELETE, GET, POST' },
}
const NO_GATE = refusal(
  404,
  404,
  'This workspace has no gate of this name over HTTP. An owner adds one under Settings, Gates.',
)
const NO_JSON = refusal(
  400,
  RPC.parseError,
  'The body is not JSON, so the gate does not pass it on.',
)
const AMBIGUOUS = refusal(
  400,
  RPC.invalidRequest,
  'The message has a member twice, or with capitals, so what a server would read is not known. It was not passed on.',
)
const CALL_IN_BATCH = refusal(
  400,
  RPC.invalidRequest,
  'A tool call in a batch is not passed on. Nothing was run. Send each message by itself.',
)
const NO_ID = refusal(400, RPC.invalidRequest, 'A tool call needs an id. It was not passed on.')
