import type { Place } from './client-setup.ts'

/**
 * Variables by which an agent's environment, which a repository may set, reaches into the program
 * before it has begun: it becomes Bun and runs a file or a script of the folder, loads a module, waits
 * for a debugger, prints the token, or believes any certificate. Each was tried with the executable.
 */
const RUNTIME = [
  'BUN_BE_BUN',
  'BUN_OPTIONS',
  'BUN_INSPECT',
  'BUN_CONFIG_VERBOSE_FETCH',
  'NODE_TLS_REJECT_UNAUTHORIZED',
]
/** They name another server than the one that was set up. */
const SERVER = ['BECKON_URL', 'BECKON_URL_FILE', 'BECKON_TOKEN', 'BECKON_TOKEN_FILE']
/** They name another place for what was set up, and for the boundaries that hooks remember. */
const FOLDERS = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME']

// Everywhere but on Windows, and found without PATH.
const ENV = '/usr/bin/env'

/**
 * The environment that entries of clients give the program: the value of each variable, empty for
 * one that is cleared, which is to the program as if it were not there. What is set up for a
 * project is shared, and finds its server by the variables.
 */
export function ownEnvironment({ env, project }: Place): Record<string, string> {
  const folders = FOLDERS.map((name): [string, string] => [name, env[name] ?? ''])
  const own = project
    ? folders.filter(([, value]) => value !== '')
    : [...SERVER.map((name): [string, string] => [name, '']), ...folders]
  return Object.fromEntries([...RUNTIME.map((name): [string, string] => [name, '']), ...own])
}

/**
 * The words that start a command in that environment, for clients whose entries have no place for
 * one. On Windows there is no such command: there the words stay as they are.
 */
export function inOwnEnvironment(place: Place, words: readonly string[]): string[] {
  if (place.platform === 'win32' || !place.has(ENV)) return [...words]
  const entries = Object.entries(ownEnvironment(place))
  const cleared = entries.flatMap(([name, value]) => (value === '' ? [`-u${name}`] : []))
  const given = entries.flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`]))
  return [ENV, ...cleared, ...given, ...words]
}
