import { PROGRAM } from './program.ts'
import { type Ran, runCommand } from './run-command.ts'

/** Runs the program (`main`: a copy of it) as a process of its own, with nothing of this machine's BECKON_ variables. */
export async function beckon(
  args: string[],
  more: { env?: Record<string, string>; stdin?: string; cwd?: string; main?: string } = {},
): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const program = more.main ? [process.execPath, '--no-env-file', more.main] : PROGRAM
  return await runCommand([...program, ...args], {
    env: { ...Object.fromEntries(inherited), ...more.env },
    stdin: more.stdin ?? '',
    cwd: more.cwd,
  })
}
