import { PROGRAM } from './program.ts'

export type ServerProcess = AsyncDisposable & {
  /** Where it listens. */
  url: string
  port: number
  pid: number
  /** Everything on standard output so far. */
  out(): string
  /** Sends a signal and resolves to the exit code and what was logged. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<{ code: number; err: string }>
}

/** `beckon serve` as a process of its own, once it listens; `program` runs another build of it. */
export async function serverProcess(
  data: string,
  port = 0,
  {
    program,
    env = {},
    ...more
  }: { cwd?: string; program?: readonly string[]; env?: Record<string, string> } = {},
): Promise<ServerProcess> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const args = ['serve', '--data', data, '--port', String(port)]
  const child = Bun.spawn([...(program ?? PROGRAM), ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    ...more,
  })
  const err = new Response(child.stderr).text()
  let out = ''
  const listening = Promise.withResolvers<string>()
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      out += decoder.decode(chunk, { stream: true })
      // The second line says where to open it.
      const url = /listens on (\S+)\n.*\n/.exec(out)?.[1]
      if (url) listening.resolve(url)
    }
    listening.reject(new Error(`it never listened: ${out}${await err}`))
  })()
  const url = await listening.promise

  async function end(signal: NodeJS.Signals) {
    child.kill(signal)
    const code = await child.exited
    await reading
    return { code, err: await err }
  }
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    out: () => out,
    end,
    async [Symbol.asyncDispose]() {
      listening.promise.catch(() => {})
      await end('SIGKILL')
    },
  }
}
