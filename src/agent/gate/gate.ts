import { type Call, readCall } from '../../ask/gate-calls/call.ts'
import { Calls } from '../../ask/gate-calls/calls.ts'
import { Elicitations } from '../../ask/gate-calls/elicitations.ts'
import { withValue } from '../../ask/gate-calls/json-text.ts'
import { isAmbiguous, type Message, metaIn, readMessages } from '../../ask/gate-calls/message.ts'
import { refusalLine, WORDS } from '../../ask/gate-calls/refusal.ts'
import { ToolList } from '../../ask/gate-calls/tool-list.ts'
import type { Clock } from '../../platform/clock.ts'
import { META } from '../../platform/mcp/era.ts'
import type { RequestId } from '../../platform/mcp/message.ts'
import type { ServerExit } from '../server-jail/server-process.ts'
import { errorLine, type Id } from '../server-jail/traffic.ts'
import type { BeckonServer } from './beckon-server.ts'
import { type Start, Upstream } from './upstream.ts'

export type GateSettings = {
  name: string
  /** Identifies the server: its command line. */
  server: string
  holdMs: number
  clock: Clock
  beckon: BeckonServer
  start: Start
  /** Sends a line to the client. */
  write(line: string | Uint8Array): void
  /** Says something to the person who looks after the server. */
  note(line: string): void
  /** What the client says of itself. */
  onClient(clientInfo: unknown): void
}

/**
 * Stands between a client and an MCP server. Every line is passed as it came, but for tool calls:
 * each is passed once a rule or a person allows it.
 */
export class Gate {
  readonly #upstream: Upstream
  readonly #tools: ToolList
  readonly #calls: Calls
  readonly #elicitations: Elicitations
  readonly #over = Promise.withResolvers<ServerExit>()
  #wasInitialized = false

  readonly #settings: GateSettings

  constructor(settings: GateSettings) {
    this.#settings = settings
    const { start, clock, beckon, server, write } = settings
    this.#upstream = new Upstream(start, clock, {
      pass: write,
      read: (message) => this.#read(message),
      take: (message) => this.#elicitations.take(message) || this.#calls.takeAnswer(message),
      mustReadFirst: () => this.#calls.mayChange() || this.#elicitations.isOn,
      changed: (message) => this.#calls.changed(message),
      onStart: () => this.#onStart(),
      onEnd: (lost) => this.#onEnd(lost),
      onFailure: (lost) => this.#refuseAll(lost, WORDS.notStarted),
      onOver: this.#over.resolve,
    })
    this.#tools = new ToolList({
      server,
      request: (...request) => this.#upstream.request(...request),
      report: (list) => beckon.report(list),
    })
    this.#calls = new Calls({
      ...settings,
      ...{ decider: beckon, answersForms: beckon.canAsk },
      notify: write,
      holdMsOf: () => settings.holdMs,
      versionsOf: (tool) => this.#tools.versionsOf(tool),
      ready: async () => {
        const isRunning = await this.#upstream.ready()
        await this.#tools.reported()
        return isRunning
      },
      isRunning: () => this.#upstream.isRunning(),
      forward: ({ message, line }) => this.#upstream.forward(message, line),
    })
    this.#elicitations = this.#elicitationsOf(settings)
  }

  #begin(message: Message, line: Uint8Array): void {
    const text = this.#settings.beckon.canAsk ? this.#elicitations.declare(message) : undefined
    if (text === undefined) this.#upstream.forward(message, line)
    else this.#upstream.forward({ ...message, text }, `${text}\n`)
  }

  #elicitationsOf({ name, holdMs, clock, beckon }: GateSettings): Elicitations {
    return new Elicitations({
      ...{ name, holdMs, clock },
      ask: (...question) => beckon.ask(...question),
      sayWaiting: () => this.#calls.sayWaiting(),
      reply: (id, result) => this.#upstream.reply(id, result),
      note: (words) => this.#note(words),
    })
  }

  /** Starts the server. Throws if that is not possible. */
  run(): void {
    this.#upstream.run()
  }

  /** How the server ended, once it does so with its client. */
  get exited(): Promise<ServerExit> {
    return this.#over.promise
  }

  /** A line of the client, with its line end. */
  take(line: Uint8Array): void {
    const reading = readMessages(line)
    if (reading.is !== 'other' && isAmbiguous(Buffer.from(line).toString(), reading.value)) {
      for (const one of reading.is === 'one' ? [reading.message] : reading.messages)
        this.#refuseUnread(one)
    } else if (reading.is === 'one') this.#takeOne(reading.message, line)
    else if (reading.is === 'batch') this.#takeBatch(reading.messages, line)
    else if (!mayCall(reading.text)) this.#upstream.forwardLine(line, [])
    // A careless server may read it as a call.
    else this.#note('a line that is no JSON, but may be a call, was not passed on')
  }

  /** The client has closed its end. */
  async closeInput(): Promise<void> {
    await this.#calls.close()
    this.#elicitations.abort()
    this.#upstream.closeInput()
  }

  signal(signal: NodeJS.Signals): void {
    this.abort()
    this.#upstream.signal(signal)
  }

  /** The client is gone: what is held is withdrawn. */
  abort(): void {
    this.#calls.abort()
    this.#elicitations.abort()
  }

  /** Resolves once Beckon's server was told of everything. */
  async toldAll(): Promise<void> {
    await Promise.all([this.#calls.toldAll(), this.#elicitations.settled()])
  }

  #takeOne(message: Message, line: Uint8Array): void {
    this.#noteRequest(message)
    if (message.method === 'notifications/cancelled') this.#cancel(message, line)
    else if (message.method === 'initialize') this.#begin(message, line)
    else if (message.method !== CALL) this.#upstream.forward(message, line)
    else {
      const call = this.#callIn(message, line)
      if (call) this.#calls.take(call)
    }
  }

  /** The server gets it only if it has the call, by the id that it has for it. */
  #cancel(message: Message, line: Uint8Array): void {
    const { requestId } = message.params
    const call = this.#calls.cancel(requestId as RequestId)
    if (call === undefined) return
    if (call === 'unknown' || call.id === requestId) this.#upstream.forward(message, line)
    else {
      const text = withValue(message.text, ['params', 'requestId'], call.id)
      this.#upstream.forward({ ...message, text }, `${text}\n`)
    }
  }

  #takeBatch(messages: readonly Message[], line: Uint8Array): void {
    for (const message of messages) this.#noteRequest(message)
    const rest = messages.filter(({ method }) => method !== CALL)
    const calls = messages
      .filter(({ method }) => method === CALL)
      .flatMap((message) => this.#callIn(message, `${message.text}\n`) ?? [])
    const isWhole = calls.length + rest.length === messages.length
    const passRest = () => {
      const text = `[${rest.map((one) => one.text).join(',')}]\n`
      if (rest.length > 0) this.#upstream.forwardLine(text, rest)
    }
    const passWhole = () => {
      if (isWhole) this.#upstream.forwardLine(line, messages)
      else passRest()
      for (const call of isWhole ? [] : calls) this.#upstream.forward(call.message, call.line)
    }
    if (calls.length === 0) passWhole()
    else void this.#calls.takeTogether(calls, { passWhole, passRest })
  }

  #noteRequest(message: Message): void {
    this.#tools.noteRequest(message)
    const { method, params } = message
    if (method === 'initialize') this.#wasInitialized = true
    const clientInfo =
      method === 'initialize' ? params.clientInfo : metaIn(message)[META.clientInfo]
    if (clientInfo !== undefined) this.#settings.onClient(clientInfo)
  }

  /** Empty for a call that nobody can judge; it is refused. */
  #callIn(message: Message, line: Uint8Array | string): Call | undefined {
    const call = readCall(message, line)
    if (!call) this.#refuseUnread(message)
    return call
  }

  #refuseUnread(message: Message): void {
    const { id, method } = message
    const { write } = this.#settings
    if (id === undefined || method === undefined)
      this.#note(
        'a message that can be read in two ways, or a call without an id, was not passed on',
      )
    else if (method === CALL) write(refusalLine({ message, modern: false }, WORDS.unread))
    else write(`${errorLine(id, WORDS.unread)}\n`)
  }

  #read(message: Message): void {
    this.#tools.noteReply(message)
    if (message.method === undefined) this.#calls.onAnswer(message)
  }

  #onEnd(lost: readonly Id[]): void {
    this.#elicitations.abort()
    this.#refuseAll(this.#calls.onServerEnd(lost), WORDS.serverEnded)
  }

  #onStart(): void {
    this.#tools.listAgain()
    // Clients of the newer era listen on a request, which ended with the server.
    if (this.#wasInitialized) this.#settings.write(LIST_CHANGED)
  }

  #refuseAll(ids: readonly Id[], words: (name: string) => string): void {
    const { write, name } = this.#settings
    for (const id of ids) write(`${errorLine(id, words(name))}\n`)
  }

  #note(words: string): void {
    const { note, name } = this.#settings
    note(`beckon gate ${name}: ${words}.`)
  }
}

const CALL = 'tools/call'
const LIST_CHANGED = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n`

/** Returns true if a careless server may find a call in a line that is no JSON. */
function mayCall(text: string): boolean {
  const plain = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/')
  return plain.includes(CALL)
}
