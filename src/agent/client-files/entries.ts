import { win32 } from 'node:path'
import { stateFolder } from '../../platform/config/client-file.ts'
import { type InstallRequest, type Place, SERVER_NAME } from './client-setup.ts'
import type { DesiredJson } from './desired-json.ts'
import type { JsonPath } from './json-document.ts'
import { commandLine, wordsOf } from './program.ts'

/** With this option a hook also stops commands that it cannot read to their end. */
export const STRICT = '--strict'

/** An event of a client, and how long the client waits for a hook of it. */
export type HookEvents = ReadonlyArray<readonly [event: string, timeout: number | undefined]>

/** Lists of hooks under `hooks`, one for each event, each with one entry of ours. */
export function hookLists(
  events: HookEvents,
  entry: (event: string, timeout: number | undefined) => unknown,
  under: JsonPath = ['hooks'],
) {
  return events.map(([event, timeout]) => ({
    at: [...under, event],
    items: [entry(event, timeout)],
  }))
}

/**
 * The words that start our hook, however the agent was started; `event` is for clients whose input
 * does not name it.
 */
export function hookWords(
  { program, strict, place }: Pick<InstallRequest, 'program' | 'strict' | 'place'>,
  client: string,
  event?: string,
): string[] {
  const eventWords = event === undefined ? [] : [event]
  const words = wordsOf(program, 'hook', client, ...eventWords, ...(strict ? [STRICT] : []))
  return hasEnv(place) ? inOwnEnvironment(place, words) : [...words, MARK]
}

/** The words of a gate before a server: how it starts, its name, and how long it holds a call. */
export function gateWords(
  { program, place }: Pick<InstallRequest, 'program' | 'place'>,
  name: string,
  holdS: number,
): string[] {
  const words = wordsOf(program, 'gate', name, '--hold', String(holdS), '--')
  return hasEnv(place) && !place.project ? inOwnEnvironment(place, words) : words
}

/** As `hookWords`, for clients that pass a line to a shell. */
export function hookLine(...about: Parameters<typeof hookWords>): string {
  return commandLine(hookWords(...about))
}

/** How our entries for a client are recognised. */
export function ours(client: string): (entry: unknown) => boolean {
  return (entry) => isOurHook(entry, client)
}

/** The words that identify a file of ours. */
export const FILE_MARK = 'Written by `beckon setup'

/** Returns true if a whole file is ours. */
export function isOurFile(text: string): boolean {
  return text.includes(FILE_MARK)
}

/** The option that marks a hook as written by setup, where the cleared environment does not. */
const MARK = '--from=setup'

/**
 * Returns true if an entry of a client runs our hook, whatever the program is called: its command
 * has `hook` and the client's name, and beside them a mark that setup writes. An entry without a
 * mark is ours if it starts `beckon` itself, as people write it by hand.
 */
export function isOurHook(entry: unknown, client: string): boolean {
  if (entry === null || typeof entry !== 'object') return false
  const { hooks } = entry as { hooks?: unknown }
  if (Array.isArray(hooks)) return hooks.length > 0 && hooks.every((one) => isOurHook(one, client))
  return commandsOf(entry).some((words) => isOurCommand(words, client))
}

/** The words of each command that the entry names. */
function commandsOf(entry: object): string[][] {
  const { command, bash, exec, args } = entry as Record<string, unknown>
  const more = Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []
  return [command, bash, exec]
    .filter((one) => typeof one === 'string')
    .map((one) => (more.length > 0 ? [one, ...more] : words(one)))
}

function isOurCommand(words: readonly string[], client: string): boolean {
  const at = words.lastIndexOf('hook')
  if (at < 1 || words[at + 1] !== client) return false
  const isMarked = words.slice(0, at).includes(cleared(FIRST_CLEARED)) || words.includes(MARK)
  return isMarked || /^beckon(-\d[\w.-]*)?(\.exe)?$/.test(win32.basename(words[at - 1] ?? ''))
}

/** The words of a command line, without their quotes. */
function words(line: string): string[] {
  const matches = line.matchAll(/'((?:[^']|'\\'')*)'|"((?:[^"\\]|\\.)*)"|\S+/g)
  return [...matches].map(([whole, single, double]) => {
    if (single !== undefined) return single.replaceAll("'\\''", "'")
    return double === undefined ? whole : double.replace(/\\(.)/g, '$1')
  })
}

/**
 * Variables of an agent's environment, which a repository may set, that change the program before
 * it starts: it becomes Bun and runs a file or a script of the folder, loads a module, waits for a
 * debugger, prints the token, or accepts any certificate. Tests try each with the executable.
 */
const FIRST_CLEARED = 'BUN_BE_BUN'
const RUNTIME = [
  FIRST_CLEARED,
  'BUN_OPTIONS',
  'BUN_INSPECT',
  'BUN_CONFIG_VERBOSE_FETCH',
  'NODE_TLS_REJECT_UNAUTHORIZED',
]
/** These would select another server than the one that was set up. */
const SERVER = ['BECKON_URL', 'BECKON_URL_FILE', 'BECKON_TOKEN', 'BECKON_TOKEN_FILE']
/** These would select another place for the setup, and for the boundaries that hooks remember. */
const FOLDERS = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME']

// This path works everywhere but on Windows, and without PATH.
const ENV = '/usr/bin/env'

/**
 * The environment that clients' entries give the program: a value for each variable, empty for one
 * that is cleared, which the program treats as unset. A project's setup is shared, so it names no
 * folder of this machine and finds its server by the variables.
 */
export function ownEnvironment({ env, project }: Place): Record<string, string> {
  const folders = FOLDERS.map((name): [string, string] => [name, env[name] ?? ''])
  const own = project ? [] : [...SERVER.map((name): [string, string] => [name, '']), ...folders]
  return Object.fromEntries([...RUNTIME.map((name): [string, string] => [name, '']), ...own])
}

/** Returns true if the machine has `env`; Windows does not. */
export function hasEnv({ platform, has }: Place): boolean {
  return platform !== 'win32' && has(ENV)
}

/**
 * The words that start a command in that environment, for clients whose entries have no field for
 * one.
 */
function inOwnEnvironment(place: Place, words: readonly string[]): string[] {
  const entries = Object.entries(ownEnvironment(place))
  const unset = entries.flatMap(([name, value]) => (value === '' ? [cleared(name)] : []))
  const assignments = entries.flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`]))
  return [ENV, ...unset, ...assignments, ...words]
}

function cleared(name: string): string {
  return `-u${name}`
}

/** `stateFolder`, found by a shell on whatever machine it runs. */
const SHARED_STATE = `"\${XDG_STATE_HOME:-$HOME/.local/state}"/beckon`

/** The folder of the hooks' state, as a shell finds it. */
export function stateOf(place: Place): string {
  return place.project ? SHARED_STATE : commandLine([stateFolder(place.env)])
}

/**
 * A file that starts a client's shell command, which it gets as one text: in the scope of the
 * session if any session of the client has one. Variables that are cleared for the program are
 * passed on to the command.
 */
export function shellStarter(
  request: Pick<InstallRequest, 'program' | 'place'>,
  client: string,
): string {
  const { place } = request
  const scopes = `${stateOf(place)}/scope/${client}-`
  return [
    '#!/bin/sh',
    `# ${FILE_MARK} ${client}\`: starts each shell command, in the scope that holds.`,
    'case $1 in *snapshot-zsh-*) shell=zsh ;; *) shell=bash ;; esac',
    `for scope in ${scopes}*.active; do`,
    '  [ -e "$scope" ] || break',
    '  set -- -- "$shell" -c "$1"',
    ...jailLines(request, client).map((line) => `  ${line}`),
    'done',
    'exec "$shell" -c "$1"',
    '',
  ].join('\n')
}

/**
 * A file that starts a command of a session (the first argument) with a shell (the second), in the
 * scope of the session. It is for clients whose hook replaces their commands.
 */
export function sessionStarter(
  request: Pick<InstallRequest, 'program' | 'place'>,
  client: string,
): string {
  return [
    '#!/bin/sh',
    'shell=$2',
    'command -v "$shell" >/dev/null || shell=sh',
    'set -- --session-id "$1" -- "$shell" -c "$3"',
    ...jailLines(request, client),
    '',
  ].join('\n')
}

/**
 * A file that starts an MCP server of a client, which its arguments name, in the scopes that hold
 * for it.
 */
export function serverStarter(
  request: Pick<InstallRequest, 'program' | 'place'>,
  client: string,
): string {
  return [
    '#!/bin/sh',
    `# ${FILE_MARK} ${client}\`: starts an MCP server in the scopes that hold.`,
    'set -- -- "$@"',
    ...jailLines(request, client, '--server'),
    '',
  ].join('\n')
}

/**
 * Our program, as a shell starts it in place of itself: with its own variables for itself and those
 * around it for the command. `env` would be one more program that every command waits for.
 */
function jailLines(
  { program, place }: Pick<InstallRequest, 'program' | 'place'>,
  client: string,
  ...more: string[]
): string[] {
  const own = Object.entries(ownEnvironment(place))
  const handed = own.map(([name]) => `\${${name}+--env} \${${name}+"${name}=$${name}"}`)
  const values = own.filter(([, value]) => value !== '')
  const cleared = own.filter(([, value]) => value === '').map(([name]) => name)
  return [
    `set -- ${handed.join(' ')} "$@"`,
    `unset ${cleared.join(' ')}`,
    ...values.map(([name, value]) => `export ${name}=${commandLine([value])}`),
    `exec ${commandLine(wordsOf(program, 'jail', '--session', client, ...more))} "$@"`,
  ]
}

// Longer than any wait of the server.
export const TIMEOUT_MS = 90_000
export const TIMEOUT_S = 90
/** How long a client waits for a decision of a hook. */
export const DECISION_S = 600
export const DECISION_MS = DECISION_S * 1000
/** For hooks that only report, which takes milliseconds. */
export const REPORT_S = 10
export const REPORT_MS = REPORT_S * 1000

/** How long a client waits that is known to wait for the end of a question, in seconds. */
export const HOLD_S = 600
/** The wait that such a client is given, so that it cuts off no call. */
export const LONG_TIMEOUT_S = 660
export const LONG_TIMEOUT_MS = LONG_TIMEOUT_S * 1000

/**
 * How a client starts the bridge. The token is not in it: the program reads its own file. `holdS`
 * is for clients that wait that long for a call.
 */
export function bridge(
  { program, place }: Pick<InstallRequest, 'program' | 'place'>,
  holdS?: number,
) {
  const hold = holdS === undefined ? [] : ['--hold', String(holdS)]
  const [command, ...args] = wordsOf(program, 'mcp', ...hold)
  return { command, args, env: ownEnvironment(place) }
}

/** The header that carries the token over HTTP; in shared files `said` replaces the token. */
export function authorization({ token, place, signIn }: InstallRequest, placeholder?: string) {
  if (signIn) return {}
  const tokenText = place.project && placeholder !== undefined ? placeholder : token
  return { Authorization: `Bearer ${tokenText}` }
}

/** The header that says over HTTP how long a client waits, as `--hold` does over the bridge. */
export function holding(holdS: number) {
  return { 'X-Beckon-Hold': String(holdS) }
}

/** The server's entry in the list of servers, in the form that most clients use. */
export function mcpServer(value: object, under = 'mcpServers') {
  return [{ at: [under, SERVER_NAME], value }]
}

/** A JSON file of a client with the server and nothing else of ours. */
export function serverFile(
  client: string,
  path: string,
  value: object,
  { under, strict }: { under?: string; strict?: boolean } = {},
): DesiredJson {
  return {
    kind: 'json',
    path,
    ...(strict ? { strict } : {}),
    values: mcpServer(value, under),
    lists: [],
    isOurs: ours(client),
  }
}
