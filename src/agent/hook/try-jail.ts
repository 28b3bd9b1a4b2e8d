import { readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { restartWords } from '../../platform/program.ts'
import { ENDS } from '../jail/jail.ts'
import type { HookRequest } from '../session/server.ts'
import { keepFile, readStateFile } from '../state/state-files.ts'

export type Contained = NonNullable<HookRequest['contained']>

// A starting session waits for this; a jail takes about 50 ms, on a very busy machine a second.
const TRY_MS = 3_000
const MOUNTS = '/proc/self/mountinfo'
// The kernel's answer does not change while a machine runs, but its settings may.
const KNOWN_MS = 60 * 60_000

/**
 * How a command would be contained on this machine, found by starting one; undefined if that failed.
 * What was found within the last hour counts, unless `anew`.
 */
export async function tryJail({ state, anew = false }: TryJail): Promise<Contained | undefined> {
  const path = join(state, 'tried-jail')
  const where = whereItRuns()
  const cached = anew ? undefined : readTrial(path, where)
  if (cached !== undefined) return cached
  const containment = await startOne()
  try {
    if (containment !== undefined) keepFile(path, `${Date.now()} ${containment} ${where}`)
  } catch {
    // It is tried again the next time.
  }
  return containment
}

type TryJail = { state: string; anew?: boolean }

function readTrial(path: string, where: string): Contained | undefined {
  try {
    const [at, how, there] = readStateFile(path)?.split(' ') ?? []
    if (there !== where || !(Math.abs(Date.now() - Number(at)) < KNOWN_MS)) return undefined
    return how === 'namespaces' || how === 'landlock' || how === 'none' ? how : undefined
  } catch {
    return undefined
  }
}

/** Another client on this machine may run in a container or a sandbox. */
function whereItRuns(): string {
  try {
    return ['user', 'mnt'].map((name) => readlinkSync(`/proc/self/ns/${name}`)).join()
  } catch {
    return ''
  }
}

/**
 * If namespaces contain the command, the folder it may change is mounted once more. A new namespace
 * alone proves nothing, because mounting in it may have been refused.
 */
async function startOne(): Promise<Contained | undefined> {
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
  const escapedFolder = folder.replace(/[ \t\n\\]/g, (one) => `\\0${one.charCodeAt(0).toString(8)}`)
  return mounts.split('\n').filter((line) => line.split(' ')[4] === escapedFolder).length
}
