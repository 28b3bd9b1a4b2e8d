import { existsSync, mkdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../platform/config/env.ts'
import { isAt } from './areas.ts'

/**
 * What programs may change wherever they run. `docs/jail.md` lists the same; a test compares them.
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

// A program that is installed but never ran would fail to make its own.
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

/** Where devices are: nobody is asked about them. */
export function deviceFolders(): readonly string[] {
  return STATE_FOLDERS.devices
}

/**
 * Temporary folders, caches and what toolchains keep, some of which may not exist. A variable counts
 * only when its value is the path of a cache or of temporary files.
 */
export function stateFolders(env: Environment): string[] {
  const { temporary, caches, toolchains } = STATE_FOLDERS
  const home = env.HOME
  const named = [...temporary, ...caches, ...toolchains].flatMap((name) => {
    if (name.startsWith('$')) return fromVariable(env[name.slice(1)], home)
    if (!name.startsWith('~')) return [name]
    return home && isAbsolute(home) ? [join(home, name.slice(2))] : []
  })
  return [...new Set(named)]
}

/** Makes the folders of programs that are installed here and never ran. Never throws. */
export function makeStateFolders(env: Environment): void {
  const { HOME: home, PATH = '' } = env
  if (!home || !isAbsolute(home)) return
  for (const [program, name] of MADE) {
    const folder = join(home, name.slice(2))
    try {
      if (!existsSync(folder) && Bun.which(program, { PATH }))
        mkdirSync(folder, { recursive: true })
    } catch {
      // The program reports what it misses.
    }
  }
}

function fromVariable(value: string | undefined, home: string | undefined): string[] {
  if (!value || !isAbsolute(value) || !NAMES_A_CACHE.test(value)) return []
  return home && isAt(home, value) ? [] : [value]
}
