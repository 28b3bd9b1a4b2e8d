import { join } from 'node:path'
import type { BridgeLimits } from '../../src/agent/bridge/patience.ts'
import { PROGRAM } from './program.ts'

const HASTY = join(import.meta.dir, 'hasty-bridge.ts')

type Json = Record<string, unknown>

type BridgeOptions = {
  binary?: string
  /** A copy of the program. */
  main?: string
  /** How long it waits for a server that is away, where that is not what it waits by itself. */
  limits?: Partial<BridgeLimits>
}

/** How to start `beckon mcp`, for clients that start it by themselves. */
export function bridgeCommand(
  env: Record<string, string>,
  { binary, limits, main }: BridgeOptions = {},
) {
  const source = [process.execPath, '--no-env-file']
  const hasty = limits && [...source, HASTY, JSON.stringify(limits)]
  const copy = main && [...source, main, 'mcp']
  const [command = '', ...args] = hasty ?? copy ?? [...(binary ? [binary] : PROGRAM), 'mcp']
  return {
    command,
    args,
    env: { PATH: process.env.PATH ?? '', ...env },
  }
}

/** `beckon mcp` as a process whose lines the test writes and reads. */
export type BridgeProcess = AsyncDisposable & {
  /** Sends a message, or a text as it is. */
  send(message: object | string | Uint8Array): void
  /** Everything on standard output so far: nothing but messages, or this throws. */
  heard(): Json[]
  /** The reply to this id, as soon as it is there. */
  reply(id: unknown): Promise<Json>
  /** The first message that fits. */
  until(fits: (message: Json) => boolean): Promise<Json>
  closeInput(): void
  kill(signal: NodeJS.Signals): void
  ended: Promise<{ code: number; err: string }>
}

export function bridgeProcess(
  env: Record<string, string>,
  more: BridgeOptions & { cwd?: string } = {},
): BridgeProcess {
  const { command, args, env: whole } = bridgeCommand(env, more)
  const child = Bun.spawn([command, ...args], {
    env: whole,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(more.cwd ? { cwd: more.cwd } : {}),
  })
  const err = new Response(child.stderr).text()
  let text = ''
  let wake = Promise.withResolvers<void>()
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      text += decoder.decode(chunk, { stream: true })
      wake.resolve()
      wake = Promise.withResolvers()
    }
  })()
  const ended = (async () => {
    const code = await child.exited
    await reading
    wake.resolve()
    return { code, err: await err }
  })()
  const heard = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Json)

  async function until(fits: (message: Json) => boolean): Promise<Json> {
    for (;;) {
      const next = wake.promise
      const message = heard().find(fits)
      if (message) return message
      if (child.exitCode !== null) throw new Error(`it ended first: ${text}${await err}`)
      await next
    }
  }

  return {
    heard,
    until,
    ended,
    send(message) {
      const isRaw = typeof message === 'string' || message instanceof Uint8Array
      child.stdin.write(isRaw ? message : `${JSON.stringify(message)}\n`)
      child.stdin.flush()
    },
    reply: (id) => until((message) => message.id === id && !('method' in message)),
    closeInput: () => void child.stdin.end(),
    kill: (signal) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
