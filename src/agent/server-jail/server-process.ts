import type { Environment } from '../../platform/config/env.ts'
import { readByteLines } from '../bridge/stdio.ts'

// A server that was told to end and does not.
const END_MS = 2_000

/** A started server, with everything that it starts itself. */
export type ServerProcess = {
  /** Sends a line with its line end. */
  send(line: string | Uint8Array): void
  /** Nothing more is sent to it. */
  closeInput(): void
  signal(signal: NodeJS.Signals): void
  /** Ends it and what it started. */
  end(): Promise<void>
  /** Resolves to how it ended, after the last line was given to `onLine`. */
  exited: Promise<ServerExit>
}

/** The exit code; `signal` ended it, if one did. */
export type ServerExit = { code: number; signal: NodeJS.Signals | undefined }

/** Throws if there is no such command, or none that can be executed. Lines have their line ends. */
export function startServer(
  words: readonly string[],
  onLine: (line: Uint8Array) => void,
  env?: Environment,
): ServerProcess {
  const child = Bun.spawn([...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(env ? { env } : {}),
    // A group of its own, so that its helpers can be ended with it.
    detached: true,
  })
  let isEnded = false
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-child.pid, name)
    } catch {
      // All of the group are gone.
    }
  }
  const reading = (async () => {
    for await (const line of readByteLines(child.stdout)) if (!isEnded && line) onLine(line)
  })()
  const closeInput = () => void Promise.resolve(child.stdin.end()).catch(() => {})
  return {
    send(line) {
      // After its end both fail, which `exited` says.
      try {
        child.stdin.write(line)
        void Promise.resolve(child.stdin.flush()).catch(() => {})
      } catch {}
    },
    closeInput,
    signal,
    async end() {
      isEnded = true
      closeInput()
      signal('SIGTERM')
      const timer = setTimeout(() => signal('SIGKILL'), END_MS)
      await child.exited
      clearTimeout(timer)
      signal('SIGKILL')
    },
    exited: child.exited.then(async (code) => {
      // A process that the server left running may hold its output open.
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, END_MS)
      await Promise.race([reading.catch(() => {}), promise])
      clearTimeout(timer)
      const { signalCode } = child
      return { code, signal: typeof signalCode === 'string' ? signalCode : undefined }
    }),
  }
}
