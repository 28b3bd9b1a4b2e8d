import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { until } from '../../support/until.ts'
import type { ClientWorld } from './world.ts'

/** A client with somebody in front of it: a terminal of its own, on a tmux server of its own. */
export type Terminal = AsyncDisposable & {
  /** Keys as tmux names them; `text` is typed as it is. */
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  screen(): Promise<string>
  /** Ends the client as a crash does, and nothing else. */
  kill(): Promise<void>
  /** The screen as soon as it shows this. */
  shows(pattern: RegExp): Promise<string>
}

/** A program of the client, not a hook or a server that it started. */
function isClient(pid: number): boolean {
  return pid > 0 && /node_modules/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
}

// A first start in a new home, on a machine at its limit.
const PATIENCE_MS = 150_000

let opened = 0

export async function openTerminal(
  world: ClientWorld,
  command: string[],
  env: Record<string, string> = {},
): Promise<Terminal> {
  const socket = `beckon-${process.pid}-${++opened}`
  const tmux = async (...args: string[]) => {
    const ran = await world.run(['tmux', '-L', socket, '-f', '/dev/null', ...args])
    if (ran.code !== 0) throw new Error(`tmux ${args[0]}: ${ran.err}`)
    return ran.out
  }
  const whole = Object.entries({ ...world.env, ...env }).map(([name, value]) => `${name}=${value}`)
  const size = ['-x', '140', '-y', '50']
  const inside = ['env', '-i', ...whole, ...command]
  await tmux('new-session', '-d', '-s', 'one', ...size, '-c', world.project, ...inside)
  const screen = () => tmux('capture-pane', '-p', '-t', 'one')
  return {
    screen,
    async kill() {
      const pid = Number(await tmux('display-message', '-p', '-t', 'one', '#{pane_pid}'))
      // A client may be started by a program of the same package.
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      const same = children.split(' ').map(Number).filter(isClient)
      for (const one of [pid, ...same]) process.kill(one, 'SIGKILL')
    },
    press: async (...keys) => void (await tmux('send-keys', '-t', 'one', ...keys)),
    type: async (text) => void (await tmux('send-keys', '-t', 'one', '-l', text)),
    async shows(pattern) {
      let seen = ''
      await until(async () => {
        seen = await screen()
        return pattern.test(seen)
      }, PATIENCE_MS).catch(() => {
        throw new Error(`${pattern} was never shown:\n${seen}`)
      })
      return seen
    },
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server').catch(() => '')),
  }
}
