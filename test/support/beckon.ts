import { PROGRAM } from './program.ts'

export type Outcome = { code: number; out: string; err: string }

/** Runs the program (`main`: a copy of it) as a process of its own, with nothing of this machine's BECKON_ variables. */
export async function beckon(
  args: string[],
  more: { env?: Record<string, string>; stdin?: string; cwd?: string; main?: string } = {},
): Promise<Outcome> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const program = more.main ? [process.execPath, '--no-env-file', more.main] : PROGRAM
  const child = Bun.spawn([...program, ...args], {
    env: { ...Object.fromEntries(inherited), ...more.env },
    stdin: new Blob([more.stdin ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
    ...(more.cwd ? { cwd: more.cwd } : {}),
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}
