import { existsSync, readFileSync, statSync } from 'node:fs'
import { localOrigin } from '../../ask/health/examine.ts'
import { probeAddress } from '../../ask/health/reflection.ts'
import { readyCheck } from '../../ask/health/server-checks.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { dataPlace } from '../../platform/db/data-place.ts'
import { lookInto } from '../../platform/db/look-into.ts'
import { readSecrets } from '../../platform/db/settings-store.ts'
import { Failure } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { configReader } from '../../settings.ts'
import { SERVE_OPTIONS } from '../serve-options.ts'
import type { ServicePlace } from './manager.ts'

/** The state of the server of a service. */
export type ServerState = {
  /** Undefined if it cannot be told, because its data may be closed to this user. */
  version: string | undefined
  isReady: boolean
  /** Why it is not ready, in a sentence. */
  why: string | undefined
}

/**
 * The settings of a service: options of `serve` override its settings file, which overrides
 * `beckon.toml`. The shell's environment does not reach it. Throws `WrongUsage` that names what is
 * wrong, `Failure` if the file is closed to this user.
 */
export function serviceConfig(
  { settingsFile }: ServicePlace,
  dataFolder: string,
  options: readonly string[],
): Config {
  const { watch: _, check: __, ...flags } = readArguments([...options], SERVE_OPTIONS)
  return configReader.readConfig({ ...flags, data: dataFolder }, readSettings(settingsFile))
}

function readSettings(path: string | undefined): Record<string, string> {
  if (path === undefined || !existsSync(path)) return {}
  const lines = textOf(path).matchAll(/^\s*(BECKON_\w+)=(.*)$/gm)
  return Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [
      name,
      value.trim().replace(/^(["'])(.*)\1$/, '$2'),
    ]),
  )
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(
      'forbidden',
      `${path} has the settings of the service and cannot be read (${code}); run this as the user who may, such as root.`,
    )
  }
}

const OTHERS = 0o077

/** A sentence if other users of the machine can read secrets in the settings of the service. */
export function secretsInTheOpen({ settingsFile }: ServicePlace): string | undefined {
  const { secrets } = configReader
  if (settingsFile === undefined || process.platform === 'win32') return undefined
  const secret = Object.keys(readSettings(settingsFile)).find((name) => secrets.has(name))
  const mode = statSync(settingsFile, { throwIfNoEntry: false })?.mode ?? 0
  if (secret === undefined || (mode & OTHERS) === 0) return undefined
  return `Other users of this machine can read ${secret} in ${settingsFile}: chmod 600 ${settingsFile}`
}

/** Asks the server that uses this data; another server at its address does not count. */
export async function askServer(config: Config): Promise<ServerState> {
  const origin = localOrigin(config)
  const sight = await probeAddress(origin, await authSecretOf(config), systemClock.now())
  if (sight.kind === 'nobody') return notReady(`Nothing answers at ${origin}: ${sight.why}.`)
  if (sight.kind !== 'ours' && sight.kind !== 'unproved') {
    return notReady(`What answers at ${origin} is not the server of ${dataPlace(config)}.`)
  }
  const { state, said: sentence } = await readyCheck(origin)
  const version = sight.kind === 'ours' ? String(sight.reflection.version) : undefined
  return { version, isReady: state === 'ok', why: state === 'ok' ? undefined : sentence }
}

function notReady(why: string): ServerState {
  return { version: undefined, isReady: false, why }
}

/** The secret by which this data's server is recognised; undefined if it cannot be read. */
async function authSecretOf(config: Config): Promise<string | undefined> {
  try {
    await using data = await lookInto(config)
    return data && (await readSecrets(data.read))?.authSecret
  } catch {
    return undefined
  }
}
