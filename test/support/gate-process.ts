import { join } from 'node:path'
import { PROGRAM } from './program.ts'

type Json = Record<string, unknown>

/** The server behind a gate in tests. */
export const TOY = [process.execPath, join(import.meta.dir, '../agent/gate/toy-server.ts')]

/** An MCP server as a process, with or without a gate, whose lines the test writes and reads. */
export type GateProcess = AsyncDisposable & {
  pid: number
  /** Sends a message, or bytes as they are. */
  send(message: object | string | Uint8Array): void
  /** Sends a request and resolves to its answer. */
  request(method: string, params?: Json, id?: unknown): Promise<Json>
  /** Calls a tool; resolves to its answer. */
  call(tool: string, args?: Json, more?: Json): Promise<Json>
  /** Says hello in the era with a handshake. */
  begin(): Promise<void>
  /** All bytes on standard output so far. */
  out(): Uint8Array
  /** All messages so far. */
  heard(): Json[]
  /** The first message that fits, as soon as it is there. */
  until(fits: (message: Json) => boolean): Promise<Json>
  closeInput(): void
  kill(signal: NodeJS.Signals): void
  ended: Promise<{ code: number; signal: string | null; err: string }>
}

type Options = { env?: Record<string, string>; cwd?: string; clientInfo?: Json }

/** `beckon gate` before a server. */
export function gateProcess(
  { name = 'toy', hold, ...more }: Options & { name?: string; hold?: number },
  words: readonly string[] = TOY,
): GateProcess {
  const options = hold === undefined ? [] : ['--hold', String(hold)]
  return lineProcess([...PROGRAM, 'gate', name, ...options, '--', ...words], more)
}

/** Any MCP server. */
export function lineProcess(words: readonly string[], options: Options = {}): GateProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const child = Bun.spawn([...words], {
    env: { ...Object.fromEntries(inherited), ...options.env },
    ...(options.cwd ? { cwd: options.cwd } : {}),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const err = new Response(child.stderr).text()
  const chunks: Uint8Array[] = []
  const messages: Json[] = []
  let wake = Promise.withResolvers<void>()
  let rest = ''
  let ids = 0
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      chunks.push(chunk.slice())
      const text = decoder.decode(chunk, { stream: true })
      const lines = text.includes('\n') ? (rest + text).split('\n') : []
      rest = lines.pop() ?? rest + text
      for (const line of lines) if (/^[[{]/.test(line)) messages.push(...[JSON.parse(line)].flat())
      wake.resolve()
      wake = Promise.withResolvers()
    }
  })()
  const ended = child.exited.then(async (code) => {
    await reading
    wake.resolve()
    return { code, signal: child.signalCode as string | null, err: await err }
  })

  async function until(fits: (message: Json) => boolean): Promise<Json> {
    for (;;) {
      const next = wake.promise
      const message = messages.find(fits)
      if (message) return message
      if (child.exitCode !== null || child.signalCode !== null) {
        await reading
        const last = messages.find(fits)
        if (last) return last
        throw new Error(`it ended first (${child.exitCode}): ${await err}`)
      }
      await next
    }
  }
  const self: GateProcess = {
    pid: child.pid,
    send(message) {
      const isRaw = typeof message === 'string' || message instanceof Uint8Array
      child.stdin.write(isRaw ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      void child.stdin.flush()
    },
    async request(method, params = {}, id = `t${++ids}`) {
      self.send({ id, method, params })
      return await until((message) => message.id === id && !('method' in message))
    },
    call: (tool, args = {}, more = {}) =>
      self.request('tools/call', { name: tool, arguments: args, ...more }),
    async begin() {
      const { clientInfo = { name: 'test', version: '1' } } = options
      // It shows the questions of servers itself.
      const capabilities = { elicitation: {} }
      const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
      await self.request('initialize', params)
      self.send({ method: 'notifications/initialized' })
      await self.request('tools/list')
    },
    out: () => Buffer.concat(chunks),
    heard: () => messages,
    until,
    closeInput: () => void child.stdin.end(),
    kill: (signal) => child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
  return self
}

/** What the model reads of a result. */
export function textOf(answer: Json): string {
  const { content = [] } = (answer.result ?? {}) as { content?: { text?: string }[] }
  return content.map(({ text = '' }) => text).join('')
}
