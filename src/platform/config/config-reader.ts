import { resolve } from 'node:path'
import { WrongUsage } from '../failure.ts'
import { cleanLine, cutText } from '../text.ts'
import { readClientFile } from './client-file.ts'
import {
  type Config,
  defaultBaseUrl,
  type Flags,
  type PreviewConfig,
  type ServerConfig,
} from './config.ts'
import { type Environment, type Raw, readVariables } from './env.ts'
import {
  CLIENT_SETTINGS,
  DEFAULT_HOST,
  readServerSettings,
  SERVER_SETTINGS,
} from './server-settings.ts'
import type { Setting, SettingGroup, Variable } from './setting.ts'
import { readSettingsFile } from './settings-file.ts'
import type { Meaning } from './values.ts'

/** Reads the settings of the server, of its features and channels, and of its clients. */
export type ConfigReader = {
  /** Every variable that the program knows. */
  variables: readonly Variable[]
  /** The variables whose values other users of the machine should not read. */
  secrets: ReadonlySet<string>
  /**
   * The settings in the environment. Throws `WrongUsage` for an unknown `BECKON_` name, and for a
   * value that is given twice or cannot be read.
   */
  readEnvironment(environment?: Environment): ReadonlyMap<Variable, Raw>
  /**
   * Flags override the environment, that overrides `beckon.toml` in the data folder, and that
   * overrides the defaults. Throws `WrongUsage` that names the unknown or wrong value.
   */
  readConfig(flags?: Flags, environment?: Environment): Config
  /**
   * For a preview of files, which does not use the address and port of a server from the
   * environment or its file. Throws `WrongUsage` that names what is wrong.
   */
  readPreviewConfig(flags?: Flags, environment?: Environment): PreviewConfig
  /**
   * The server and token of the commands that are clients (notify, ask, wait, cancel): from the
   * environment, otherwise from what `beckon setup` wrote. A token that was stored for one server
   * is not sent to another.
   */
  readClientConfig(environment?: Environment): ClientConfig
}

/** Reads the settings of the server. */
export type ReadConfig = ConfigReader['readConfig']
export type ReadPreviewConfig = ConfigReader['readPreviewConfig']
export type ReadClientConfig = ConfigReader['readClientConfig']

type ClientConfig = { url: string | undefined; token: string | undefined }

/** The members of `Config` that features and channels declare, each with its settings. */
type Groups = {
  readonly [name in Exclude<keyof Config, keyof ServerConfig>]: SettingGroup<Config[name]>
}

// The folder is known before the file is read, and clients of a server do not read it.
const NOT_IN_THE_FILE: ReadonlySet<Variable> = new Set([
  SERVER_SETTINGS.data.variable,
  ...Object.values(CLIENT_SETTINGS).map(({ variable }) => variable),
])

/** Creates the reader of the server's own settings and of those that `groups` declare. */
export function createConfigReader(groups: Groups): ConfigReader {
  const entries = Object.entries<SettingGroup<unknown>>(groups)
  const settings: readonly Setting<unknown>[] = [
    ...Object.values(SERVER_SETTINGS),
    ...entries.flatMap(([, group]) => group.settings),
    ...Object.values(CLIENT_SETTINGS),
  ]
  const variables = settings.map(({ variable }) => variable)
  const inTheFile = variables.filter((variable) => !NOT_IN_THE_FILE.has(variable))
  const readEnvironment = (environment?: Environment) => readVariables(variables, environment)
  return {
    variables,
    secrets: new Set(
      settings.flatMap(({ variable, meaning }) => (meaning.secret ? [variable] : [])),
    ),
    readEnvironment,
    readConfig(flags = {}, environment) {
      const set = readEnvironment(environment)
      const { data } = SERVER_SETTINGS
      const dataFolder = resolve(flags.data ?? set.get(data.variable)?.text ?? data.fallback)
      const file = readSettingsFile(dataFolder, inTheFile)
      function read<T>({ variable, meaning, fallback }: Setting<T>, flag?: keyof Flags): T {
        const raw = fromFlag(flags, flag) ?? set.get(variable) ?? file.get(variable)
        return raw ? checked(raw, meaning) : fallback
      }
      const config = readServerSettings(dataFolder, read)
      const own = entries.map(([name, group]) => [name, group.read((one) => read(one))])
      return { ...config, ...Object.fromEntries(own) }
    },
    readPreviewConfig: (flags = {}, environment) =>
      readPreview(flags, readEnvironment(environment)),
    readClientConfig: (environment) => readClient(readEnvironment(environment), environment),
  }
}

function fromFlag(flags: Flags, flag: keyof Flags | undefined): Raw | undefined {
  const text = flag && flags[flag]
  return text === undefined ? undefined : { text, source: `--${flag}` }
}

// Differs from a server's usual port.
const DEFAULT_PREVIEW_PORT = 8485

function readPreview(flags: Flags, variables: ReadonlyMap<Variable, Raw>): PreviewConfig {
  const all = SERVER_SETTINGS

  function flag<T>({ meaning }: Setting<T>, name: keyof Flags): T | undefined {
    const raw = fromFlag(flags, name)
    return raw && checked(raw, meaning)
  }

  function variable<T>({ variable, meaning, fallback }: Setting<T>): T {
    const raw = variables.get(variable)
    return raw ? checked(raw, meaning) : fallback
  }

  const host = flag(all.host, 'host') ?? DEFAULT_HOST
  const port = flag(all.port, 'port') ?? DEFAULT_PREVIEW_PORT
  return {
    host,
    port,
    baseUrl: flag(all.baseUrl, 'base-url') ?? defaultBaseUrl(host, port),
    log: variable(all.log),
    logLevel: variable(all.logLevel),
  }
}

function readClient(
  variables: ReadonlyMap<Variable, Raw>,
  environment: Environment | undefined,
): ClientConfig {
  const url = variables.get(CLIENT_SETTINGS.url.variable)
  const address = url && checked(url, CLIENT_SETTINGS.url.meaning)
  const token = variables.get(CLIENT_SETTINGS.token.variable)?.text
  const file = readClientFile(environment)
  if (!file || (address !== undefined && address !== file.url)) return { url: address, token }
  return { url: file.url, token: token ?? file.token }
}

function checked<T>(raw: Raw, meaning: Meaning<T>): T {
  const value = meaning.read(raw.text)
  if (value !== undefined) return value
  const detail = meaning.secret ? '' : `, not "${cutText(cleanLine(raw.text), 100)}"`
  throw new WrongUsage(`${raw.source} must be ${meaning.must}${detail}.`)
}
