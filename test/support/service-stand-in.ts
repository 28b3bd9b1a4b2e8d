import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, showTool } from '../../src/cli/service/machine.ts'
import type { Machine } from '../../src/cli/service/manager.ts'
import { bundled } from './bundled.ts'
import { BUILT, PROGRAM } from './program.ts'
import { runCommand } from './run-command.ts'

const TOOLS = ['systemctl', 'loginctl', 'journalctl', 'launchctl', 'schtasks']
const TOOL = join(import.meta.dir, 'service-tool.ts')

/**
 * A machine whose service managers are stand-ins on its PATH: they record each call, start and stop
 * what the file says, and fail where they are told to. `folder` holds all of it.
 */
export function standInMachine(folder: string, platform: NodeJS.Platform): StandIn {
  const bin = join(folder, 'bin')
  const home = join(folder, 'home')
  for (const folder of [bin, home]) mkdirSync(folder, { recursive: true })
  for (const name of TOOLS) {
    const tool = join(bin, name)
    // `serviceCommand` has them already, and does not know where TOOL is once it is in one file.
    if (existsSync(tool)) continue
    writeFileSync(
      tool,
      `#!/bin/sh\nexec '${process.execPath}' '${TOOL}' '${folder}' ${name} "$@"\n`,
    )
    chmodSync(tool, 0o755)
  }
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, LOCALAPPDATA: join(home, 'Local') }
  const machine: Machine = {
    platform,
    env,
    home,
    uid: 1000,
    user: 'ada',
    cwd: home,
    program: () => PROGRAM,
    run: (words, more) => runTool(words, { ...env, ...more }),
    show: (words) => showTool(words, env),
    readyMs: 20_000,
  }
  const calls = join(folder, 'calls')
  return {
    machine,
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : []),
    failAt: (pattern) => writeFileSync(join(folder, 'fail'), pattern),
    log: () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''),
    say: (name, text) => writeFileSync(join(folder, `${name}.says`), text),
    async [Symbol.asyncDispose]() {
      await runTool([join(bin, 'systemctl'), 'stop'], env)
    },
  }
}

const COMMAND = join(import.meta.dir, 'service-command.ts')

/** `beckon service` on a stand-in machine, as a process; `more` is what differs on it. */
export async function serviceCommand(folder: string, args: readonly string[], more: object = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  // In one file it knows the executable only, not the sources that would stand for it.
  const command = BUILT ? await bundled(COMMAND) : COMMAND
  // What is written to a relative path (one of Windows, for this system) stays in the folder.
  return await runCommand([process.execPath, command, folder, JSON.stringify(more), ...args], {
    cwd: folder,
    env: Object.fromEntries(inherited),
  })
}

export type StandIn = AsyncDisposable & {
  machine: Machine
  /** What was run, a line a call. */
  calls(): string[]
  /** Calls that match fail from now on; an empty pattern ends that. */
  failAt(pattern: string): void
  /** What the server has written. */
  log(): string
  /** What the tool of this name prints instead. */
  say(name: string, text: string): void
}
