import { existsSync, mkdirSync } from 'node:fs'
import type { Environment } from '../../platform/config/env.ts'
import { normalise } from '../paths/path-text.ts'
import { isAt } from './areas.ts'

/**
 * Folders that programs may change wherever they run. `docs/jail.md` has the same list; a test
 * compares them.
 */
export const STATE_FOLDERS = {
  temporary: ['/tmp', '/var/tmp', '/dev/shm', '$TMPDIR'],
  devices: [
    '/dev/null',
    '/dev/zero',
    '/dev/full',
    '/dev/random',
    '/dev/urandom',
    '/dev/tty',
    '/dev/ptmx',
    '/dev/pts',
  ],
  caches: ['~/.cache', '~/Library/Caches', '$XDG_CACHE_HOME'],
  toolchains: [
    '~/.npm',
    '$npm_config_cache',
    '~/.bun/install/cache',
    '$BUN_INSTALL_CACHE_DIR',
    '~/.local/share/pnpm/store',
    '~/.pnpm-store',
    '~/.yarn/berry/cache',
    '~/.cargo/registry',
    '~/.cargo/git',
    '~/go/pkg',
    '$GOCACHE',
    '$GOMODCACHE',
    '~/.gradle/caches',
    '~/.gradle/daemon',
    '~/.m2/repository',
    '~/.ivy2/cache',
    '~/.nuget/packages',
    '~/.composer/cache',
    '~/.bundle/cache',
    '~/.hex/packages',
    '~/.pub-cache/hosted',
    '$PIP_CACHE_DIR',
    '$UV_CACHE_DIR',
  ],
} as const

// A program that is installed but never ran would fail to create its own folder.
const MADE: ReadonlyArray<readonly [program: string, folder: string]> = [
  ['sh', '~/.cache'],
  ['npm', '~/.npm'],
  ['bun', '~/.bun/install/cache'],
  ['cargo', '~/.cargo/registry'],
  ['go', '~/go/pkg'],
  ['mvn', '~/.m2/repository'],
]

// The environment may come from a repository: it names a cache, not just any folder.
const NAMES_A_CACHE = /(^|\/)\.?([\w-]*cache|caches|tmp|temp|T|mod)(\/|$)/i

/** The folders of devices, which need no permission. */
export function deviceFolders(): readonly string[] {
  return STATE_FOLDERS.devices
}

/**
 * Temporary folders, caches and toolchain folders, some of which may not exist. A variable counts
 * only if its value is the path of a cache or of temporary files.
 */
export function stateFolders(env: Environment): string[] {
  const { temporary, caches, toolchains } = STATE_FOLDERS
  const home = env.HOME?.startsWith('/') ? normalise(env.HOME) : undefined
  const folders = new Set<string>()
  // Every start runs this once, before anything is compiled, so it is one loop without functions.
  for (const name of [...temporary, ...caches, ...toolchains]) {
    if (name.startsWith('$')) {
      const value = env[name.slice(1)]
      if (value && isCache(value, env.HOME)) folders.add(value)
    } else if (!name.startsWith('~')) folders.add(name)
    else if (home !== undefined) folders.add(`${home === '/' ? '' : home}${name.slice(1)}`)
  }
  return [...folders]
}

/** The folders of temporary files, in which programs may change everything. */
export function temporaryFolders(env: Environment): string[] {
  const { temporary } = STATE_FOLDERS
  const all = new Set(stateFolders(env))
  const folders = temporary.map((name) => (name.startsWith('$') ? env[name.slice(1)] : name))
  return folders.filter((folder) => folder !== undefined && all.has(folder)) as string[]
}

/** Creates the folders of programs that are installed here but never ran. Never throws. */
export function makeStateFolders(env: Environment): void {
  const { HOME: home, PATH = '' } = env
  if (!home?.startsWith('/')) return
  for (const [program, name] of MADE) {
    const folder = `${home}${name.slice(1)}`
    try {
      if (!existsSync(folder) && Bun.which(program, { PATH }))
        mkdirSync(folder, { recursive: true })
    } catch {
      // The program itself reports what is missing.
    }
  }
}

function isCache(value: string, home: string | undefined): boolean {
  if (!value.startsWith('/') || !NAMES_A_CACHE.test(value)) return false
  return !home || !isAt(home, value)
}
