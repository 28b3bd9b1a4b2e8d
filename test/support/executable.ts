import { join } from 'node:path'
import packageJson from '../../package.json'
import { BUILT } from './program.ts'
import { type Ran, runCommand } from './run-command.ts'

const ROOT = join(import.meta.dir, '../..')

/** Runs `command` to its end; throws with what it said when it fails. */
async function succeed(command: string[], env: Record<string, string | undefined>) {
  const { code, out, err } = await runCommand(command, { cwd: ROOT, env })
  if (code !== 0) throw new Error(`${out}\n${err}`)
}

/**
 * The executable: the one that BINARY names or `bun run test` has built, else one built into `folder` by the very command of
 * `bun run build`, installation apart.
 */
export async function executable(folder: string): Promise<string> {
  const file = process.env.BINARY ?? BUILT
  if (file) return file
  const path = join(folder, 'beckon')
  const steps = packageJson.scripts.build.split(' && ')
  const build = steps.find((step) => step.startsWith('bun build')) ?? ''
  const [, ...args] = build.replace('dist/beckon', path).split(' ')
  await succeed([process.execPath, ...args], process.env)
  return path
}

/** A server that runs as a process of its own. */
export type Process = AsyncDisposable & {
  /** What it wrote to standard output so far. */
  said(): string
  /** Sends the signal and resolves to the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number>
}

/** The executable in `folder`, with nothing of this machine's around it. */
export function inFolder(binary: string, folder: string) {
  const env = { HOME: folder, PATH: '' }

  async function run(args: string[], more: { stdin?: string; env?: object } = {}): Promise<Ran> {
    const around = { ...env, ...more.env }
    return await runCommand([binary, ...args], { cwd: folder, env: around, stdin: more.stdin })
  }

  /** `beckon serve` until it says that it listens. */
  async function serve(args: string[], more: { env?: object } = {}): Promise<Process> {
    const child = Bun.spawn([binary, 'serve', ...args], {
      cwd: folder,
      env: { ...env, ...more.env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const errors = new Response(child.stderr).text()
    let text = ''
    const listening = Promise.withResolvers<void>()
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of child.stdout) {
        text += decoder.decode(chunk, { stream: true })
        if (/listens on .*\n.*\n/.test(text)) listening.resolve()
      }
      listening.reject(new Error(`the server ended: ${text}${await errors}`))
    })()
    listening.promise.catch(() => {})
    await listening.promise
    return {
      said: () => text,
      async end(signal) {
        child.kill(signal)
        const code = await child.exited
        await reading
        return code
      },
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL')
        await child.exited
      },
    }
  }

  return { run, serve }
}
