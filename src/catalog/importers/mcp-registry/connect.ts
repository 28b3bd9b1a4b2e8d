import { cleanLine, cutText } from '../../../platform/text.ts'
import type { Connect } from '../../records/tool-fields.ts'
import { isObject, scalarText } from '../fields.ts'
import { inputsIn, type Remote, type StatedPackage } from './packages.ts'

// What clients run for a registry where the entry names no runtime.
const RUNTIMES: Readonly<Record<string, string>> = {
  npm: 'npx',
  pypi: 'uvx',
  oci: 'docker',
  nuget: 'dnx',
}
const WORDS_MAX = 50
const WORD_CHARS_MAX = 300
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

type Started = { command: string; args: string[]; env?: Record<string, string> }
type Entry = Started | { type: 'http' | 'sse'; url: string; headers?: Record<string, string> }

/**
 * How a client starts a server or reaches it: its entry in a configuration and the command, with
 * the names of what a person must fill in, such as `<API_KEY>`. Undefined where the record of one
 * open address shows it already.
 */
export function connectOf(
  slug: string,
  remotes: readonly Remote[],
  packages: readonly StatedPackage[],
): Connect | undefined {
  const started = packages
    .filter(({ transport }) => transport === undefined || transport === 'stdio')
    .flatMap((it) => startOf(it) ?? [])
  const [first] = started
  const [remote, ...others] = remotes
  const isPlain = remote && remote.headers.length === 0 && !/[{}]/.test(remote.url)
  if (!first && (!remote || (isPlain && others.length === 0))) return undefined
  const entries: Entry[] = [...remotes.map(reached), ...(first ? [first] : [])]
  const servers = entries.map((entry, i) => [i === 0 ? slug : `${slug}-${i + 1}`, entry])
  return {
    config: JSON.stringify({ mcpServers: Object.fromEntries(servers) }),
    ...(first && remotes.length === 0 ? { claudeCode: commandOf(slug, first) } : {}),
  }
}

function reached({ type, url, headers }: Remote): Entry {
  const values = headers.flatMap((it) => {
    const name = wordOf(it.name)
    return name === '' ? [] : [[name, wordFor(it) ?? `<${name}>`] as const]
  })
  return { type, url, ...(values.length > 0 ? { headers: Object.fromEntries(values) } : {}) }
}

/** The command of a package; undefined where nothing says what runs it. */
function startOf({ registry, name, entry }: StatedPackage): Started | undefined {
  const command = wordOf(entry.runtimeHint ?? entry.runtime_hint) || RUNTIMES[registry]
  if (!command) return undefined
  const env = variablesOf(entry.environmentVariables ?? entry.environment_variables)
  const before = argumentsOf(entry.runtimeArguments ?? entry.runtime_arguments)
  const after = argumentsOf(entry.packageArguments ?? entry.package_arguments)
  const target = registry === 'oci' ? name : withVersion(name, entry.version)
  const args = [...around(command, before, Object.keys(env)), target, ...after]
  return { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) }
}

/** Lists the words that the runtime needs before the package, besides what the entry says. */
function around(command: string, stated: readonly string[], names: readonly string[]): string[] {
  if (command === 'npx') return stated.includes('-y') ? [...stated] : ['-y', ...stated]
  if (command !== 'docker') return [...stated]
  const run = stated[0] === 'run' ? [] : ['run', '-i', '--rm']
  const passed = names.filter((name) => !stated.some((it) => it.split('=')[0] === name))
  return [...run, ...stated, ...passed.flatMap((name) => ['-e', name])]
}

function withVersion(name: string, version: unknown): string {
  const plain = wordOf(version)
  return /^\d[A-Za-z0-9.+-]*$/.test(plain) ? `${name}@${plain}` : name
}

function variablesOf(value: unknown): Record<string, string> {
  const inputs = inputsIn(value).filter(isObject).slice(0, WORDS_MAX)
  return Object.fromEntries(
    inputs.flatMap((it) => {
      const name = scalarText(it.name)
      return VARIABLE.test(name) ? [[name, wordFor(it) ?? `<${name}>`] as const] : []
    }),
  )
}

/** Arguments that have a value or must have one. */
function argumentsOf(value: unknown): string[] {
  const list = inputsIn(value).filter(isObject).slice(0, WORDS_MAX)
  return list.flatMap((it) => {
    const name = wordOf(it.name)
    const isNamed = it.type === 'named'
    const hint = wordOf(it.valueHint ?? it.value_hint) || name.replace(/^-+/, '') || 'value'
    const isNeeded = it.isRequired === true || it.is_required === true
    const argument = wordFor(it) ?? (isNeeded && !isFlag(it) ? `<${hint}>` : undefined)
    if (!isNamed) return argument === undefined ? [] : [argument]
    if (name === '' || (argument === undefined && !isNeeded)) return []
    return argument === undefined ? [name] : [name, argument]
  })
}

function isFlag({ format }: Record<string, unknown>): boolean {
  return format === 'boolean'
}

/** The stated or default value, with `<name>` for each variable; never that of a secret. */
function wordFor(input: Record<string, unknown>): string | undefined {
  const isSecret = input.isSecret === true || input.is_secret === true
  const raw = isSecret && input.value === undefined ? undefined : (input.value ?? input.default)
  const text = typeof raw === 'boolean' ? String(raw) : scalarText(raw)
  if (text === '') return undefined
  return wordOf(text.replace(/\{([A-Za-z0-9_.-]{1,60})\}/g, '<$1>'))
}

function wordOf(value: unknown): string {
  return cutText(cleanLine(scalarText(value)), WORD_CHARS_MAX)
}

// Quoted, a word is safe to paste into a shell.
const PLAIN = /^[A-Za-z0-9@._/:=+-]+$/

function commandOf(slug: string, { command, args, env = {} }: Started): string {
  const options = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const words = ['claude', 'mcp', 'add', ...options, slug, '--', command, ...args]
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
