import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type RestWorld, restWorld } from '../../ask/http/rest-world.ts'
import { beckon } from '../../support/beckon.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** A machine of an agent: a home of its own, and a server to set it up for. */
export async function setupWorld() {
  const world = await restWorld()
  return {
    url: world.url,
    token: tokenOf(world),
    /** Of a workspace in which no device is connected. */
    tokenWithoutDevices: tokenOf(world, 'otherAgent'),
    home: () => scratchHome({ url: world.url, token: tokenOf(world) }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

export type ScratchHome = ReturnType<typeof scratchHome>

function tokenOf(world: RestWorld, as: 'agent' | 'otherAgent' = 'agent'): string {
  return (world.headersOf(as).authorization ?? '').replace('Bearer ', '')
}

type RunOptions = { env?: Record<string, string>; stdin?: string }

/** The home of a machine that is connected to a server. */
export function scratchHome({ url, token }: { url: string; token: string }) {
  const folder = tempFolder()
  const { path } = folder
  const machine = {
    HOME: path,
    // Nothing of this machine is found, and nothing of it is written.
    PATH: '/nonexistent',
    XDG_CONFIG_HOME: '',
    XDG_STATE_HOME: '',
    CLAUDE_CONFIG_DIR: '',
    CODEX_HOME: '',
  }
  const connection = { BECKON_URL: url, BECKON_TOKEN: token }
  const run = (args: string[], more: RunOptions = {}) =>
    beckon(args, { cwd: path, ...more, env: { ...machine, ...connection, ...more.env } })
  return {
    path,
    put(file: string, text: string | Uint8Array): string {
      mkdirSync(dirname(join(path, file)), { recursive: true })
      writeFileSync(join(path, file), text)
      return join(path, file)
    },
    read: (file: string) => readFileSync(join(path, file), 'utf8'),
    /** Every file of the home with its bytes and permissions. */
    files: () => snapshot(path),
    setup: (args: string[], more: RunOptions = {}) => run(['setup', ...args], more),
    run,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

function snapshot(root: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    // What Bun keeps for itself when it runs from sources.
    if (name.startsWith('.bun')) continue
    const stat = statSync(join(root, name), { throwIfNoEntry: false })
    if (!stat?.isFile()) continue
    const bytes = readFileSync(join(root, name)).toString('latin1')
    files[name] = `${(stat.mode & 0o777).toString(8)} ${bytes}`
  }
  return files
}
