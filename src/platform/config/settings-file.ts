import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suggest } from '../did-you-mean.ts'
import { WrongUsage } from '../failure.ts'
import { giveToFolderOwner } from '../folder-owner.ts'
import type { Raw } from './env.ts'
import type { Variable } from './setting.ts'

const FILE_NAME = 'beckon.toml'

/**
 * The settings in `beckon.toml` of the data folder, of those in `variables`; empty if the file does
 * not exist. Throws `WrongUsage` for an unknown key and for a file that is not TOML.
 */
export function readSettingsFile(
  dataFolder: string,
  variables: readonly Variable[],
): ReadonlyMap<Variable, Raw> {
  const variableOf = new Map(variables.map((variable) => [keyOf(variable), variable]))
  const settings = new Map<Variable, Raw>()
  const path = join(dataFolder, FILE_NAME)
  for (const [key, value] of Object.entries(contents(path))) {
    const variable = variableOf.get(key)
    if (!variable) {
      const all = `; it knows ${[...variableOf.keys()].join(', ')}.`
      const suggestion = suggest(key, variableOf.keys()) || all
      throw new WrongUsage(`${path} sets "${key}", which Beckon does not know${suggestion}`)
    }
    const text = asText(value)
    if (text !== '') settings.set(variable, { text, source: `${key} in ${path}` })
  }
  return settings
}

/** `BECKON_BASE_URL` → `base_url`. */
function keyOf(variable: Variable): string {
  return variable.slice('BECKON_'.length).toLowerCase()
}

/**
 * Sets `settings` in `beckon.toml` of the data folder, completely or not at all; every other line
 * stays as it is. Returns the path. Throws `WrongUsage` for a file in which they cannot be set, and
 * the system's error if it cannot be written.
 */
export function writeSettings(
  dataFolder: string,
  settings: Readonly<Record<string, string | boolean>>,
): string {
  const path = join(dataFolder, FILE_NAME)
  const before = contents(path)
  const text = textOf(path)
  const after = withSettings(text, settings)
  if (!Bun.deepEquals(parsed(after), { ...before, ...settings })) {
    const lines = Object.entries(settings).map(([key, value]) => line(key, value))
    throw new WrongUsage(`${path} cannot be changed; set ${lines.join(' and ')} in it yourself.`)
  }
  const draft = `${path}.${process.pid}.new`
  try {
    writeFileSync(draft, after, { mode: OWNER_ONLY })
    const mode = statSync(path, { throwIfNoEntry: false })?.mode
    if (mode !== undefined) chmodSync(draft, mode & 0o777)
    giveToFolderOwner(draft)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  return path
}

// The file may contain secrets.
const OWNER_ONLY = 0o600

function withSettings(text: string, settings: Readonly<Record<string, string | boolean>>): string {
  let now = text
  for (const [key, value] of Object.entries(settings)) {
    const own = new RegExp(`^[ \\t]*${key}[ \\t]*=.*$`, 'm')
    const newLine = line(key, value)
    now = own.test(now) ? now.replace(own, () => newLine) : `${newLine}\n${now}`
  }
  return now
}

function line(key: string, value: string | boolean): string {
  return `${key} = ${JSON.stringify(value)}`
}

function parsed(text: string): unknown {
  try {
    return Bun.TOML.parse(text)
  } catch {
    return undefined
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function contents(path: string): Record<string, unknown> {
  try {
    return Bun.TOML.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    if (code) throw new WrongUsage(`${path} cannot be read (${code}).`)
    const [firstLine] = message.split('\n')
    throw new WrongUsage(`${path} is not valid TOML: ${firstLine}.`)
  }
}

function asText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}
