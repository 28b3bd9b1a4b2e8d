import { META } from '../../../platform/mcp/era.ts'
import { type Fields, isFields, type RequestId } from '../../../platform/mcp/message.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import type { Agent, Caller } from '../../accounts/model/agent.ts'
import { nameIn } from '../../accounts/model/client-names.ts'
import type { AskUserDeps } from '../../asking/ask-user.ts'
import type { Call } from '../../gate-calls/call.ts'
import type { CallRecorder } from '../../gate-calls/call-recorder.ts'
import { Calls } from '../../gate-calls/calls.ts'
import { type Message, metaIn } from '../../gate-calls/message.ts'
import { refusalLine, WORDS } from '../../gate-calls/refusal.ts'
import { ToolList } from '../../gate-calls/tool-list.ts'
import { WINDOW_MS } from '../../wire/limits.ts'
import type { GateCache } from '../gate-cache.ts'
import { LocalDecider } from '../local-decider.ts'
import { findListing, saveListing } from '../model/listing-store.ts'
import type { Upstream } from '../model/upstream.ts'
import { type GateDeps, reportTools } from '../report-tools.ts'
import { CallExchange, type CallRequest } from './call-exchange.ts'
import { eventOf } from './events.ts'
import { headersForClient, isEvents } from './headers.ts'
import { ownHeaders, resultIn } from './own-request.ts'
import { type Reader, relay, relayIntoEvents, wholeMessage } from './relay.ts'
import type { ReplyBody } from './reply-body.ts'
import { sendOn } from './upstream-client.ts'

export type SessionDeps = AskUserDeps &
  GateDeps & {
    outside: Pick<GuardedFetch, 'open'>
    recorder: CallRecorder<() => Promise<void>>
    cache: GateCache
  }

let requests = 0

/** An id of its own for each request: clients that share a session number theirs alike. */
export function ownId(): string {
  return `beckon-${++requests}`
}

/**
 * The clients of a gate that cannot be told apart: those of one session of the protocol's older era,
 * or all of a token that have none.
 */
export class GateSession {
  readonly calls: Calls
  readonly tools: ToolList
  usedAt: number
  /** The name that the client gave of itself. */
  client: string | undefined

  readonly #deps: SessionDeps
  readonly #agent: Agent
  readonly #upstream: Upstream
  readonly #exchanges = new Map<RequestId, CallExchange>()
  /** The headers of the last request: those of the gate itself need the same. */
  #headers = new Headers()

  /** `key` names the session in the database. */
  constructor(deps: SessionDeps, agent: Agent, upstream: Upstream, key: string) {
    this.#deps = deps
    this.#agent = agent
    this.#upstream = upstream
    this.usedAt = deps.clock.now()
    const { name, url } = upstream
    this.tools = new ToolList({
      server: url,
      request: (id, method, params, ms) => this.#request(id, method, params, ms),
      report: async ({ tools, instructions }) => {
        const report = {
          server: url,
          tools,
          ...(instructions === undefined ? {} : { instructions }),
        }
        await reportTools(deps, name, report, this.#context()).catch(() => {})
      },
      onListed: (fingerprints) => void this.#keep(key, fingerprints),
    })
    const restored = this.#restore(key)
    this.calls = new Calls({
      ...{ name, clock: deps.clock },
      decider: new LocalDecider(deps, {
        ...{ name, server: url, recorder: deps.recorder, cache: deps.cache },
        callerOf: (call) => this.#callerOf(call),
        holdMsOf: (call) => this.#holdMsOf(call),
      }),
      answersForms: true,
      holdMsOf: (call) => this.#holdMsOf(call),
      versionsOf: (tool) => this.tools.versionsOf(tool),
      ready: async () => {
        await restored
        await this.tools.reported()
        return true
      },
      isRunning: () => true,
      forward: (call) => void this.#forward(call),
      write: (line, to) => this.#answer(line, to),
      notify: (line, to) => this.#exchanges.get(to.id)?.notify(line),
    })
  }

  /** What the client was listed before this server was started again. Never throws. */
  async #restore(key: string): Promise<void> {
    const listing = await findListing(this.#deps.db.read, key).catch(() => undefined)
    if (listing) this.tools.restore(listing.tools)
  }

  async #keep(key: string, fingerprints: ReadonlyMap<string, string>): Promise<void> {
    const { db, clock } = this.#deps
    const tools = Object.fromEntries(fingerprints)
    const listing = { key, workspaceId: this.#agent.workspaceId, tools, listedAt: clock.now() }
    // Without it the calls after a restart ask.
    await db.write((tx) => saveListing(tx, listing)).catch(() => {})
  }

  get isIdle(): boolean {
    return this.#exchanges.size === 0
  }

  /** A call of the client; its id is one of `ownId`. */
  take(request: CallRequest): CallExchange {
    const { call } = request
    const exchange = new CallExchange(request, this.#deps.clock, () => this.#leave(call.id))
    this.#exchanges.set(call.id, exchange)
    this.calls.take(call)
    return exchange
  }

  /**
   * `notifications/cancelled` of the client. True if the server has to be told: it has the call, or
   * nobody knows which is meant.
   */
  cancel({ params }: Message): boolean {
    const calls = [...this.#exchanges].filter(
      ([, { request }]) => request.call.message.id === params.requestId,
    )
    const [first] = calls
    if (!first || calls.length > 1) return true
    const [id, exchange] = first
    const running = this.calls.cancel(id)
    if (running === 'unknown') return true
    if (running !== undefined) return true
    exchange.end()
    if (!this.calls.has(id)) this.#exchanges.delete(id)
    return false
  }

  /** The server is closing: nothing is held any longer. */
  close(): void {
    this.calls.release(WORDS.closing)
  }

  /** Reads what the server sends outside of calls. */
  readonly reader: Reader = {
    read: (message) => {
      if (message.method !== undefined) return this.tools.noteReply(message)
      const exchange = [...this.#exchanges.values()].find(
        ({ request }) => request.call.message.id === message.id,
      )
      if (exchange) this.calls.onAnswer({ ...message, id: exchange.request.call.id })
    },
  }

  #answer(line: string, { id }: Call): void {
    this.#exchanges.get(id)?.answer(line)
    this.#exchanges.delete(id)
  }

  async #forward(call: Call): Promise<void> {
    const exchange = this.#exchanges.get(carrierOf(call))
    if (!exchange) return
    exchange.stopWaiting()
    const { headers, search } = exchange.request
    const { signal } = exchange.stop
    const body = new Uint8Array(Buffer.from(call.line))
    const request = { method: 'POST', headers, search, body, signal } as const
    const reply = await sendOn(this.#deps.outside, this.#upstream, request)
    if (reply.is === 'aborted') return this.#lose(call, WORDS.serverLost(this.#upstream.name))
    if (reply.is === 'fault') {
      const end = reply.ran === 'no' ? WORDS.nothingRan : WORDS.lookFirst
      return this.#lose(call, `${reply.why} ${end}`)
    }
    await this.#relay(exchange, call, reply.response).catch(() => {})
  }

  async #relay(exchange: CallExchange, call: Call, response: Response): Promise<void> {
    const { name } = this.#upstream
    const reader = this.#readerOf(call, exchange)
    if (call.answersForms) {
      const message = await wholeMessage(response)
      if (message && reader.take(message)) return await response.body?.cancel()
      if (call.carrier !== undefined && !isEvents(response.headers)) {
        await response.body?.cancel()
        return this.#lose(call, WORDS.unreadAnswer(name))
      }
      if (response.ok && isEvents(response.headers))
        exchange.open(headersForClient(response.headers))
    }
    if (!exchange.body) {
      const body = exchange.pass(response.status, headersForClient(response.headers))
      try {
        const canResume = await relay(response, body, reader)
        if (canResume) this.#awaitElsewhere(call)
        else this.#loseStream(call, response, body)
        body.end()
      } catch (error) {
        this.#loseStream(call, response, body)
        if (isEvents(response.headers)) body.end()
        else body.fail(error)
      }
      return
    }
    if (!response.ok) {
      await response.body?.cancel()
      const why = `The server ${name} did not take the call (HTTP ${response.status}).`
      return this.#lose(
        call,
        `${why} ${response.status < 500 ? WORDS.nothingRan : WORDS.lookFirst}`,
      )
    }
    const canResume = await relayIntoEvents(response, exchange.body, reader).catch(() => false)
    if (reader.hasTaken) return
    if (canResume) {
      exchange.end()
      this.#awaitElsewhere(call)
    } else this.#lose(call, WORDS.serverLost(name))
    exchange.end()
  }

  /** Reads the answers of the server to a call, and takes what is not for the client. */
  #readerOf(call: Call, exchange: CallExchange) {
    const isAnswer = ({ method, id }: Message) => method === undefined && id === call.message.id
    const reader = {
      hasTaken: false,
      take: (message: Message): boolean => {
        if (!isAnswer(message) || !this.calls.takeAnswer({ ...message, id: call.id })) return false
        reader.hasTaken = true
        exchange.wait()
        return true
      },
      read: (message: Message) => {
        this.tools.noteReply({ ...message, id: undefined })
        if (isAnswer(message)) this.calls.onAnswer({ ...message, id: call.id })
      },
      changed: (message: Message) => this.calls.changed(message),
    }
    return reader
  }

  /** A stream that just ends would keep some clients waiting for minutes. */
  #loseStream(call: Call, { headers }: Response, body: ReplyBody): void {
    const words = WORDS.serverLost(this.#upstream.name)
    if (this.calls.has(call.id) && isEvents(headers)) body.write(eventOf(refusalLine(call, words)))
    this.#lose(call, words)
  }

  /** The answer may come over the stream that the client opens again. */
  #awaitElsewhere(call: Call): void {
    const { clock } = this.#deps
    clock.after(WINDOW_MS, () => this.#lose(call, WORDS.serverLost(this.#upstream.name)))
  }

  /** Nobody will answer the call, unless that has happened already. */
  #lose(call: Call, words: string): void {
    this.calls.refuseForwarded(call.id, words)
    this.#exchanges.delete(carrierOf(call))
  }

  #leave(id: RequestId): void {
    const running = this.calls.leave(id, 'client_gone')
    if (running) this.#exchanges.get(carrierOf(running))?.stop.abort()
    else if (!this.calls.has(id)) this.#exchanges.delete(id)
  }

  /** What a message says of its client. */
  note(message: Message, headers: Headers): void {
    this.usedAt = this.#deps.clock.now()
    this.#headers = headers
    const { method, params } = message
    const clientInfo =
      method === 'initialize' ? params.clientInfo : metaIn(message)[META.clientInfo]
    if (isFields(clientInfo)) this.client = nameIn(clientInfo) ?? this.client
  }

  async #request(
    id: string,
    method: string,
    params: Fields,
    ms: number,
  ): Promise<Fields | undefined> {
    const over = new AbortController()
    const forget = this.#deps.clock.after(ms, () => over.abort())
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    try {
      const reply = await sendOn(this.#deps.outside, this.#upstream, {
        method: 'POST',
        headers: ownHeaders(this.#headers, method),
        search: '',
        body: new Uint8Array(Buffer.from(text)),
        signal: over.signal,
      })
      return await resultIn(reply, id)
    } finally {
      forget()
      over.abort()
    }
  }

  #callerOf(call: Call | undefined): Caller {
    const exchange = call && this.#exchanges.get(call.id)
    if (exchange) return exchange.request.caller
    const arrivedAt = this.#deps.clock.now()
    return { ...this.#agent, client: this.client, testConnection: false, arrivedAt }
  }

  #context() {
    return { caller: this.#callerOf(undefined), talk() {}, signal: NEVER }
  }

  #holdMsOf(call: Call): number {
    return this.#exchanges.get(call.id)?.request.holdMs ?? 0
  }
}

/** The id of the request whose reply a call is answered in. */
function carrierOf({ id, carrier = id }: Call): RequestId {
  return carrier
}

const NEVER = new AbortController().signal
