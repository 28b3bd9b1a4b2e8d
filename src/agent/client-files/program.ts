import { accessSync, constants, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import type { Environment } from '../../platform/config/env.ts'
import { Failure } from '../../platform/failure.ts'
import { isExecutable, VERSION } from '../../platform/program.ts'

/**
 * How a client starts this program: by an absolute path that stays the same after an upgrade in
 * place.
 */
export type Program = { command: string; args: readonly string[] }

/** The running program: the executable, or Bun with the main file of a clone. */
export function ownProgram(): Program {
  if (isExecutable()) return { command: stableName(process.execPath), args: [] }
  // Bun reads settings of the folder that it runs in, and runs code that they name: it must not be
  // the agent's folder.
  const own = ['--no-env-file', `--config=${join(import.meta.dir, '../../../bunfig.toml')}`]
  return { command: process.execPath, args: [...own, join(Bun.main)] }
}

// Where npx, bunx, pnpm dlx and yarn dlx keep programs that they run once.
const CACHES =
  /[\\/](_npx|\.npm|bunx-[^\\/]+|dlx(-[^\\/]+)?)[\\/]|[\\/]\.bun[\\/]install[\\/]cache[\\/]/
const VERSION_MS = 5_000

/**
 * The program that is written into clients' files. Normally `ownProgram`. If that runs from a cache
 * of npx or bunx, which is emptied at times, it is the `beckon` of the same version in PATH; if PATH
 * has none of this version, this throws a `Failure` that says what to install. `purpose`: who starts
 * it, and the command to run then.
 */
export function lastingProgram(
  env: Environment,
  { who, command }: { who: string; command: string } = { who: 'clients', command: 'beckon setup' },
): Program {
  const own = ownProgram()
  const cached = wordsOf(own).find(isCached)
  if (cached === undefined) return own
  const others = installed(env).map((path) => ({ path, version: versionOf(path, env) }))
  const same = others.find(({ version }) => version === VERSION)
  if (same) return { command: same.path, args: [] }
  const [other] = others
  const there = other ? `; ${other.path} is ${other.version ?? 'something else'}` : ''
  const main = own.args.at(-1)
  const isClone = main !== undefined && !isCached(main)
  throw new Failure(
    'conflict',
    `This beckon runs from a cache that is emptied at times (${cached}), and ${who} must not start it from there: ${isClone ? `build the executable in ${join(dirname(main), '..')} with "npx -y bun@${Bun.version} run build", and run "./dist/${command}" there; or ` : ''}install beckon ${VERSION} where PATH leads${there}, and run its "${command}".`,
  )
}

function isCached(path: string): boolean {
  return CACHES.test(path) || CACHES.test(realPath(path) ?? '')
}

/** Each `beckon` in PATH that is not in a cache itself, because npx puts its own first. */
function installed({ PATH = '' }: Environment): string[] {
  const paths = PATH.split(delimiter).filter((folder) => folder !== '')
  return paths
    .map((folder) => resolve(folder, 'beckon'))
    .filter((path) => {
      try {
        accessSync(path, constants.X_OK)
        return !isCached(path)
      } catch {
        return false
      }
    })
}

function versionOf(path: string, env: Environment): string | undefined {
  try {
    const ran = Bun.spawnSync([path, '--version'], {
      env,
      stdin: 'ignore',
      stderr: 'ignore',
      timeout: VERSION_MS,
    })
    return /^beckon (\S+)\s*$/.exec(ran.stdout.toString())?.[1]
  } catch {
    return undefined
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/**
 * The program in files that people share, such as those of a project: its name, because every
 * machine has it in another place.
 */
export const SHARED_PROGRAM: Program = { command: 'beckon', args: [] }

/** A sentence if the name that shared files start leads nowhere on this machine. */
export function missingSharedProgram(place: { onPath(name: string): boolean }): string | undefined {
  if (place.onPath(SHARED_PROGRAM.command)) return undefined
  return 'Shared files start beckon by its name, and PATH has no beckon here: put it, or a link with that name, into a folder of PATH.'
}

/** The link in PATH that leads to `path`, because an upgrade keeps it; otherwise `path` itself. */
function stableName(path: string): string {
  const real = realPath(path)
  // A wrapper, as Nix makes one, starts the program that has its name within a hidden one.
  const wrapped = real && join(dirname(real), basename(real).replace(/^\.(.+)-wrapped$/, '$1'))
  const names = ['beckon', basename(path)].flatMap((name) => Bun.which(name) ?? [])
  return names.find((candidate) => [real, wrapped].includes(realPath(candidate))) ?? path
}

/** The words of one of our commands. */
export function wordsOf({ command, args }: Program, ...more: string[]): [string, ...string[]] {
  return [command, ...args, ...more]
}

/** The words as one command line for a POSIX shell. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
