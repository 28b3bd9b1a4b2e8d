import { stateFolder } from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { workTreeOf } from '../paths/repository.ts'
import { type FoundProgram, findItself, findProgram, withVariables } from './find-program.ts'
import { freshGitView, gitSettings } from './git-view.ts'
import { helperSockets } from './helper-sockets.ts'
import { ENDS, NotStarted, type RequestedScope } from './jail.ts'
import { openLinux, startFreely, startInNamespace, startWithLandlock, TRUNCATES } from './linux.ts'
import { notePlaceholders, sweepPlaceholders } from './placeholder-records.ts'
import type { Placeholder } from './placeholders.ts'
import { requestedAreas } from './requested-areas.ts'
import { deviceFolders } from './state-folders.ts'

/** `given`: variables for the command alone, as `NAME=VALUE` by their names. */
type Command = {
  words: readonly string[]
  cwd: string
  env: Environment
  variables: ReadonlyMap<string, string>
}

/** Called with what is not contained, in a sentence. */
type Say = (line: string) => Promise<void>

/**
 * Becomes the command, contained: the same process, with its streams and its terminal. Throws
 * `NotStarted` if there is no such command, or if it cannot be contained. With `bestEffort` it then
 * runs anyway, and `say` is told what is not contained. Without a request it runs as it is.
 */
export async function startContained(
  request: RequestedScope | undefined,
  command: Command,
  say: Say,
): Promise<never> {
  const program = findProgram(command)
  if (process.platform === 'linux') return await onLinux(request, { command, program, say })
  if (process.platform !== 'darwin' || !request)
    throw new NotStarted(ENDS.notContained, `Programs cannot be contained on ${process.platform}.`)
  const { startInSandbox } = await import('./macos.ts')
  return startInSandbox(requestedAreas(request, command).areas, deviceFolders(), program)
}

type Start = { command: Command; program: FoundProgram; say: Say }

async function onLinux(
  request: RequestedScope | undefined,
  { command, program, say }: Start,
): Promise<never> {
  const linux = openLinux()
  if (!linux) throw new NotStarted(ENDS.notContained, `${process.arch} is not a known machine.`)
  if (!request) return startFreely(linux, program)
  if (linux.version === 0) {
    if (!request.bestEffort) throw new NotStarted(ENDS.notContained, NO_LANDLOCK)
    await say(`${NO_LANDLOCK} The command runs without containment.`)
    return startFreely(linux, program)
  }
  const state = stateFolder(command.env)
  sweepPlaceholders(state)
  const { areas, placeholders } = requestedAreas(request, command)
  if (!request.withoutNamespaces) {
    const tree = workTreeOf(command.cwd)
    const git = tree && (await freshGitView(tree, { areas, placeholders }))
    const inGit = git ? withVariables(program, gitSettings(command.env)) : program
    const again = findItself('jail', '--no-namespaces')
    const sockets = helperSockets(command.env)
    startInNamespace(linux, {
      program: inGit,
      areas,
      again,
      git,
      sockets,
      placeholders,
      makes: areNoted(state, placeholders),
    })
  }
  if (linux.version < TRUNCATES) {
    if (!request.bestEffort) throw new NotStarted(ENDS.notContained, NO_TRUNCATE)
    await say(`${NO_TRUNCATE} The command runs, but could empty files outside.`)
  }
  return startWithLandlock(linux, { program, areas })
}

/**
 * Records placeholders before they are created, because one that is not recorded could not be
 * removed afterwards.
 */
function areNoted(state: string, placeholders: readonly Placeholder[]): boolean {
  if (placeholders.length === 0) return false
  try {
    notePlaceholders(state, placeholders)
    return true
  } catch {
    return false
  }
}

const NO_LANDLOCK =
  'The kernel has no Landlock, or it is switched off: Linux has had it since 5.13; it is on if /sys/kernel/security/lsm lists it.'
const NO_TRUNCATE =
  'There are no namespaces here, and Landlock only stops truncate from Linux 6.2 on.'
