/** How a process ended, and what it wrote. */
export type Ran = { code: number; out: string; err: string }

type How = {
  cwd?: string | undefined
  env?: Record<string, string | undefined> | undefined
  /** Without it, the process reads nothing. */
  stdin?: string | undefined
  /** Milliseconds after which the process is ended. */
  timeout?: number
}

/** Runs a command to its end. */
export async function runCommand(command: readonly string[], how: How = {}): Promise<Ran> {
  const { stdin, cwd, env = process.env, timeout } = how
  const child = Bun.spawn([...command], {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeout === undefined ? {} : { timeout }),
    stdin: stdin === undefined ? 'ignore' : new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}
