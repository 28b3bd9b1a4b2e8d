import { type Message, readMessages } from '../../ask/gate-calls/message.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Fields } from '../../platform/mcp/message.ts'
import type { ServerExit, ServerProcess } from '../server-jail/server-process.ts'
import { createTraffic, type Id } from '../server-jail/traffic.ts'

// A server that ends again and again is left alone for a while.
const STARTS_MAX = 3
const STARTS_WITHIN_MS = 60_000
// A server that does not answer to being started again is used as it is.
const BEGIN_MS = 30_000

/** Starts the server. Throws if that is not possible. */
export type Start = (onLine: (line: Uint8Array) => void) => ServerProcess

/** What becomes of the lines of the server, and of its end. */
export type UpstreamEvents = {
  /** A line for the client. */
  pass(line: Uint8Array | string): void
  /** What a line says, after it was passed. */
  read(message: Message): void
  /** True for a message that is not for the client: it was taken. */
  take(message: Message): boolean
  /** True if lines are read before they are passed, because one may have to be changed. */
  mustReadFirst(): boolean
  /** The message for the client, if not as it is. */
  changed(message: Message): string | undefined
  /** The server ended by itself; nobody will answer these requests. */
  onEnd(lost: readonly Id[]): void
  /** It was started again. */
  onStart(): void
  /** It could not be started again; these requests were not passed on. */
  onFailure(lost: readonly Id[]): void
  /** Nothing more comes: the client has closed its input, or the server never answered. */
  onOver(exit: ServerExit): void
}

type Line = { content: Uint8Array | string; id: Id | undefined }

/**
 * The server behind the gate. It is started again by the next request after it ended by itself; the
 * client sees one server.
 */
export class Upstream {
  readonly #traffic = createTraffic()
  /** Requests of the gate itself. */
  readonly #own = new Map<Id, (message: Message) => void>()
  readonly #starts: number[] = []
  #running: ServerProcess | undefined
  /** What another process is sent first. */
  #next: Omit<ReturnType<ReturnType<typeof createTraffic>['startAgain']>, 'lost'> | undefined
  /** Lines for a process that is being started. */
  #waiting: Line[] | undefined
  #starting: Promise<boolean> | undefined
  #hasAnswered = false
  #isClosing = false
  #exit: ServerExit = { code: 0, signal: undefined }

  readonly #start: Start
  readonly #clock: Clock
  readonly #on: UpstreamEvents

  constructor(start: Start, clock: Clock, on: UpstreamEvents) {
    this.#start = start
    this.#clock = clock
    this.#on = on
  }

  /** Starts it. Throws as `Start` does. */
  run(): ServerProcess {
    const server = this.#start((line) => this.#fromServer(line))
    this.#running = server
    void server.exited.then((exit) => this.#onExit(server, exit))
    return server
  }

  /** Resolves to true once it runs: it is started again if it has ended, and that is possible. */
  async ready(): Promise<boolean> {
    if (this.#running && !this.#starting) return true
    this.#waiting ??= []
    return await this.#begin()
  }

  isRunning(): boolean {
    return this.#running !== undefined && this.#starting === undefined
  }

  /** Passes a message of the client on, as `line` unless the server of now needs it otherwise. */
  forward(message: Message, line: Uint8Array | string): void {
    const text = this.#traffic.fromClient(message.text, message)
    if (text === undefined) return
    const id = message.method === undefined ? undefined : message.id
    this.#send({ content: text === message.text ? line : `${text}\n`, id })
  }

  /** Passes a line on that is no single message. */
  forwardLine(content: Uint8Array | string, messages: readonly Message[]): void {
    for (const one of messages) this.#traffic.fromClient(one.text, one)
    const request = messages.find(({ id, method }) => id !== undefined && method !== undefined)
    this.#send({ content, id: request?.id })
  }

  /** A request of the gate; resolves to its result, undefined without one. */
  request(id: string, method: string, params: Fields, ms: number): Promise<Fields | undefined> {
    if (!this.#running || this.#waiting) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<Fields | undefined>()
    const forget = this.#clock.after(ms, () => resolve(undefined))
    this.#own.set(id, ({ result }) => resolve(result))
    this.#running.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return promise.finally(forget)
  }

  /** The answer of the gate itself to a request of the server. */
  reply(id: Id, result: object): void {
    this.#running?.send(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  }

  closeInput(): void {
    this.#isClosing = true
    if (this.#running) this.#running.closeInput()
    else this.#on.onOver(this.#exit)
  }

  signal(name: NodeJS.Signals): void {
    this.#isClosing = true
    if (this.#running) this.#running.signal(name)
    else this.#on.onOver({ ...this.#exit, signal: name })
  }

  #fromServer(line: Uint8Array): void {
    const on = this.#on
    const isAsItIs = this.#starts.length === 0 && this.#own.size === 0 && !on.mustReadFirst()
    if (isAsItIs) on.pass(line)
    const reading = readMessages(line)
    if (reading.is !== 'one' && !isAsItIs) on.pass(line)
    if (reading.is === 'other') return
    const messages = reading.is === 'one' ? [reading.message] : reading.messages
    for (const message of messages) {
      const text = this.#forClient(message)
      if (text === undefined) continue
      if (!isAsItIs && reading.is === 'one') on.pass(text === message.text ? line : `${text}\n`)
      on.read(message)
    }
  }

  /** Undefined for what is not for the client. */
  #forClient(message: Message): string | undefined {
    const { id, method, text } = message
    const isAnswer = id !== undefined && method === undefined
    const own = isAnswer ? this.#own.get(id) : undefined
    if (isAnswer) this.#hasAnswered = true
    if (own && isAnswer) {
      this.#own.delete(id)
      own(message)
      return undefined
    }
    const line = this.#traffic.fromServer(text, message)
    if (line === undefined || this.#on.take(message)) return undefined
    return line === text ? (this.#on.changed(message) ?? text) : line
  }

  #onExit(server: ServerProcess, exit: ServerExit): void {
    if (this.#running !== server) return
    this.#exit = exit
    this.#running = undefined
    if (this.#isClosing || !this.#hasAnswered) {
      this.#on.onOver(exit)
      return
    }
    const { lost, ...next } = this.#traffic.startAgain()
    this.#next = next
    for (const answer of this.#own.values()) answer(NO_ANSWER)
    this.#own.clear()
    // Those that were not passed on yet are answered by `#begin`.
    this.#on.onEnd(lost.filter((id) => !this.#waiting?.some((line) => line.id === id)))
  }

  #send(line: Line): void {
    if (this.#waiting) this.#waiting.push(line)
    else if (this.#running) this.#running.send(line.content)
    else if (line.id !== undefined) {
      this.#waiting = [line]
      void this.#begin()
    }
  }

  #begin(): Promise<boolean> {
    this.#starting ??= this.#startAgain().then((isRunning) => {
      this.#starting = undefined
      if (!isRunning) this.#fail()
      return isRunning
    })
    return this.#starting
  }

  /** Resolves to false if that is not possible, or if it has ended meanwhile. */
  async #startAgain(): Promise<boolean> {
    const server = this.#startWithinLimits()
    if (!server) return false
    const { first, answer, last } = this.#next ?? { first: [], last: [] }
    for (const line of first) server.send(`${line}\n`)
    if (answer !== undefined) await this.#answerTo(answer)
    if (this.#running !== server) return false
    for (const line of last) server.send(`${line}\n`)
    const lines = this.#waiting ?? []
    this.#waiting = undefined
    this.#on.onStart()
    for (const { content } of lines) server.send(content)
    return true
  }

  #startWithinLimits(): ServerProcess | undefined {
    const now = this.#clock.elapsed()
    const recent = this.#starts.filter((at) => now - at < STARTS_WITHIN_MS)
    if (recent.length >= STARTS_MAX) return undefined
    this.#starts.push(now)
    try {
      return this.run()
    } catch {
      return undefined
    }
  }

  #answerTo(id: Id): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const forget = this.#clock.after(BEGIN_MS, resolve)
    this.#own.set(id, () => resolve())
    return promise.finally(forget)
  }

  #fail(): void {
    const lines = this.#waiting ?? []
    this.#waiting = undefined
    this.#on.onFailure(lines.flatMap(({ id }) => (id === undefined ? [] : [id])))
  }
}

const NO_ANSWER: Message = {
  text: '',
  id: undefined,
  method: undefined,
  params: {},
  result: undefined,
}
