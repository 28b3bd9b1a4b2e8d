import { homedir, userInfo } from 'node:os'
import { lastingProgram, wordsOf } from '../../agent/client-files/program.ts'
import { type Environment, wholeEnvironment } from '../../platform/config/env.ts'
import { Failure } from '../../platform/failure.ts'
import type { Machine, Ran, ServiceManager } from './manager.ts'
import { MANAGERS } from './managers.ts'

// A busy machine may have to migrate a large database before it is ready.
const READY_MS = 60_000

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  const env = wholeEnvironment()
  const domain = process.platform === 'win32' && env.USERDOMAIN ? `${env.USERDOMAIN}\\` : ''
  return {
    platform: process.platform,
    env,
    home: homedir(),
    uid: process.getuid?.(),
    user: domain + userName(env),
    cwd: process.cwd(),
    program: () =>
      wordsOf(lastingProgram(env, { who: 'a service', command: 'beckon service install' })),
    run: (words, more) => runTool(words, { ...env, ...more }),
    show: (words) => showTool(words, env),
    readyMs: READY_MS,
  }
}

/** A user without a name, as in some containers, is known by number. */
function userName({ USER, LOGNAME }: Environment): string {
  try {
    const { username, uid } = userInfo()
    return username === 'unknown' ? (USER ?? LOGNAME ?? String(uid)) : username
  } catch {
    return USER ?? LOGNAME ?? String(process.getuid?.())
  }
}

/** Runs a program found in the PATH of `env`; never throws. */
export async function runTool(words: readonly string[], env: Environment): Promise<Ran> {
  const [name = '', ...args] = words
  const path = Bun.which(name, { PATH: env.PATH ?? '' })
  if (!path) return { code: undefined, out: '', err: `${name} is not installed` }
  try {
    const child = Bun.spawn([path, ...args], {
      env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, out, err }
  } catch (error) {
    return { code: undefined, out: '', err: (error as Error).message }
  }
}

/** As `runTool`, but the program's output replaces ours. Throws `Failure` without the program. */
export async function showTool(words: readonly string[], env: Environment): Promise<number> {
  const [name = '', ...args] = words
  const path = Bun.which(name, { PATH: env.PATH ?? '' })
  if (!path) throw new Failure('not_found', `${name} is not installed.`)
  return await Bun.spawn([path, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] }).exited
}

/** The service manager of this machine's system. Throws `Failure` for an unsupported system. */
export function managerOf(machine: Machine): ServiceManager {
  const manager = MANAGERS.find(({ platform }) => platform === machine.platform)
  if (manager) return manager
  const titles = MANAGERS.map(({ title }) => title).join(', ')
  throw new Failure(
    'conflict',
    `beckon service knows ${titles}, and none of them on ${machine.platform}: let what starts other programs here run "beckon serve".`,
  )
}
