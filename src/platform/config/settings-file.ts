import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Raw, VARIABLES, type Variable } from './env.ts'
import { WrongUsage } from './wrong-usage.ts'

const FILE_NAME = 'beckon.toml'

// The folder is known before the file is read; the other two belong to clients of a server.
const NOT_IN_THE_FILE: ReadonlySet<Variable> = new Set([
  'BECKON_DATA',
  'BECKON_URL',
  'BECKON_TOKEN',
])

/** `base_url` → `BECKON_BASE_URL`. */
const KEYS: ReadonlyMap<string, Variable> = new Map(
  VARIABLES.filter((name) => !NOT_IN_THE_FILE.has(name)).map((name) => [
    name.slice('BECKON_'.length).toLowerCase(),
    name,
  ]),
)

/**
 * The settings in `beckon.toml` of the data folder; empty if the file does not exist. Throws
 * `WrongUsage` for an unknown key and for a file that is not TOML.
 */
export function readSettingsFile(dataFolder: string): ReadonlyMap<Variable, Raw> {
  const found = new Map<Variable, Raw>()
  const path = join(dataFolder, FILE_NAME)
  for (const [key, value] of Object.entries(contents(path))) {
    const variable = KEYS.get(key)
    if (!variable) {
      const known = [...KEYS.keys()].join(', ')
      throw new WrongUsage(`${path} sets "${key}", which Beckon does not know; it knows ${known}.`)
    }
    const text = asText(value)
    if (text !== '') found.set(variable, { text, source: `${key} in ${path}` })
  }
  return found
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
