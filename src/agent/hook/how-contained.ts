import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { restartWords } from '../../platform/program.ts'
import { ENDS } from '../jail/jail.ts'
import { type HookContext, type SessionPlace, sessionOf } from './context.ts'
import type { Outside } from './judge-call.ts'
import type { HookRequest } from './server.ts'
import { canReplace, replacesCommands } from './start-in-scope.ts'
import { keepFile, readKept } from './state.ts'

type Contained = NonNullable<HookRequest['contained']>

/** The variable in which `beckon setup` names the file that starts the commands of a client. */
const STARTER_IN: Readonly<Record<string, string>> = { claude: 'CLAUDE_CODE_SHELL_PREFIX' }

// A starting session waits for this; a jail takes about 50 ms.
const TRY_MS = 1_000
const MOUNTS = '/proc/self/mountinfo'

/** Whether the commands of this client are started in the scope, as setup configured it or by the hook. */
export function startsInScope(context: Pick<HookContext, 'client' | 'call'>): boolean {
  return replacesCommands(context) || isConfigured(context.call.client)
}

function isConfigured(client: string): boolean {
  const starter = wholeEnvironment()[STARTER_IN[client] ?? '']
  return /[/\\]beckon-shell$/.test(starter ?? '')
}

/**
 * How the commands of this session are contained while a scope holds, as a field of a report. For a
 * client that starts them in a jail, one is tried. Where the project is too large to find all that
 * its scope forbids they are not contained. Empty if nothing is known. Never throws.
 */
export async function howContained(
  context: HookContext,
  place: SessionPlace,
): Promise<{ contained?: Contained }> {
  if (!startsInScope(context)) return { contained: 'none' }
  try {
    const contained = await tryJail()
    if (!(await coversAll(place, context.call.cwd))) return { contained: 'none' }
    return contained === undefined ? {} : { contained }
  } catch {
    return {}
  }
}

/** Whether a jail keeps commands from everything that the scope of the session forbids. */
export async function coversAll(place: SessionPlace, cwd: string): Promise<boolean> {
  const jail = await import('../jail/session-wish.ts')
  return jail.coversAll(place, cwd, wholeEnvironment())
}

// The kernel's answer does not change while a machine runs, but its settings may.
const KNOWN_MS = 60 * 60_000

/**
 * Whether the command of this call will run in a jail. What a trial showed is kept for an hour,
 * because every command that is not understood needs it. Never throws.
 */
export async function runsContained(context: HookContext): Promise<boolean> {
  const { call, state } = context
  try {
    // Other tools do not start their commands as setup configured it.
    const isStarted = call.toolName === 'Bash' && isConfigured(call.client)
    if (!isStarted && !(await canReplace(context))) return false
    const place = sessionOf(context)
    if (!place || !(await coversAll(place, call.cwd))) return false
    const path = join(state, `contained-${call.client}`)
    const [at, how] = readKept(path)?.split(' ') ?? []
    if (how !== undefined && Math.abs(Date.now() - Number(at)) < KNOWN_MS) return how !== 'none'
    const found = await tryJail()
    if (found === undefined) return false
    keepFile(path, `${Date.now()} ${found}`)
    return found !== 'none'
  } catch {
    return false
  }
}

/**
 * Without the places in temporary folders, where a jail lets every command write. Other clients
 * have nothing that says where a command may write.
 */
export async function withoutTemporary(
  context: HookContext,
  places: readonly Outside[],
  roots: readonly string[],
): Promise<Outside[]> {
  const { call } = context
  const { temporaryFolders } = await import('../jail/state-folders.ts')
  const folders = temporaryFolders(wholeEnvironment())
  const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`)
  const others = places.filter(
    ({ absolute }) =>
      !folders.some((folder) => isIn(absolute, folder)) ||
      roots.some((root) => absolute === root || isIn(absolute, root)),
  )
  if (others.length === places.length) return others
  const isFree = call.command === undefined ? startsInScope(context) : await runsContained(context)
  return isFree ? others : [...places]
}

/**
 * If namespaces contain the command, the folder it may change is mounted once more. A new namespace
 * alone proves nothing, because mounting in it may have been refused.
 */
export async function tryJail(): Promise<Contained | undefined> {
  const folder = dirname(process.execPath)
  const outside = mountsAt(folder, readFileSync(MOUNTS, 'utf8'))
  const words = ['jail', '--no-state', '--write', folder, '--', 'cat', MOUNTS]
  const child = Bun.spawn([...restartWords(), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // Not the project: Bun would read its settings.
    cwd: folder,
    timeout: TRY_MS,
    killSignal: 'SIGKILL',
  })
  const inside = await new Response(child.stdout).text()
  const code = await child.exited
  if (code === ENDS.notContained) return 'none'
  if (code !== 0 || inside === '') return undefined
  return mountsAt(folder, inside) > outside ? 'namespaces' : 'landlock'
}

/** How often something is mounted there. */
function mountsAt(folder: string, mounts: string): number {
  const named = folder.replace(/[ \t\n\\]/g, (one) => `\\0${one.charCodeAt(0).toString(8)}`)
  return mounts.split('\n').filter((line) => line.split(' ')[4] === named).length
}
