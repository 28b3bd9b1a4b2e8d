import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { type AgentHouse, agentHouse } from '../../support/agent-house.ts'
import { executable } from '../../support/executable.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A machine with nothing on it but Beckon: a home, a project, and a server with a person. */
export type ClientWorld = AsyncDisposable & {
  house: AgentHouse
  /** Ends the server, as a crash does unless `signal` says otherwise. */
  killServer(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Ends every process of the client, as a crash does. */
  killClients(): void
  /** Starts it again, on the same port. */
  startServer(): Promise<void>
  home: string
  project: string
  /** The compiled program, on PATH as `beckon` too. */
  beckon: string
  env: Record<string, string>
  run(command: string[], more?: Running): Promise<Ran>
  /** `beckon setup CLIENT`, as a person would run it. */
  setUp(client: string, ...more: string[]): Promise<void>
}
export type Running = { env?: Record<string, string>; stdin?: string; ms?: number }
export type Ran = { code: number; out: string; err: string; ms: number }

export async function clientWorld(): Promise<ClientWorld> {
  const folder = tempFolder()
  const root = realpathSync(folder.path)
  const home = join(root, 'home')
  const project = join(home, 'shop-api')
  const bin = join(root, 'bin')
  for (const one of [join(project, 'src'), join(project, 'secrets'), bin]) {
    mkdirSync(one, { recursive: true })
  }
  const built = await executable(bin)
  const beckon = join(root, 'beckon')
  if (built.startsWith(bin)) renameSync(built, beckon)
  else symlinkSync(built, beckon)
  // What clients start is a link, so that a scenario can put something else in its place.
  symlinkSync(beckon, join(bin, 'beckon'))
  const house = await agentHouse()
  let server: ServerProcess = await house.start()
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }

  async function run(command: string[], more: Running = {}): Promise<Ran> {
    const startedAt = performance.now()
    const child = Bun.spawn(command, {
      cwd: project,
      env: { ...env, ...more.env },
      stdin: more.stdin === undefined ? 'ignore' : new Blob([more.stdin]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), more.ms ?? 120_000)
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    clearTimeout(timer)
    return { code, out, err, ms: Math.round(performance.now() - startedAt) }
  }

  const git = await run(['git', 'init', '-q', '-b', 'main'])
  if (git.code !== 0) throw new Error(git.err)
  return {
    ...{ house, home, project, beckon, env, run },
    killServer: async (signal = 'SIGKILL') => void (await server.end(signal)),
    killClients: () => endAllOf(home),
    async startServer() {
      server = await house.start()
    },
    async setUp(client, ...more) {
      const args = ['setup', client, '--url', house.url, '--token-stdin', '--yes', ...more]
      const done = await run([beckon, ...args], { stdin: house.token })
      if (done.code !== 0) throw new Error(`setup of ${client}: ${done.out}${done.err}`)
    },
    async [Symbol.asyncDispose]() {
      endAllOf(home)
      await server[Symbol.asyncDispose]()
      await house[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** Clients leave helpers behind them: every process that has this home is one of ours. */
function endAllOf(home: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (environment.includes(`HOME=${home}`)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended by itself, or is somebody else's.
    }
  }
}
