import { existsSync, readFileSync } from 'node:fs'
import { localOrigin } from '../../ask/health/examine.ts'
import { lookAt } from '../../ask/health/reflection.ts'
import { readyCheck } from '../../ask/health/server-checks.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Config, readConfig } from '../../platform/config/config.ts'
import { inspectFolder } from '../../platform/db/inspect-folder.ts'
import { readSecrets } from '../../platform/db/settings-store.ts'
import { openReader } from '../../platform/db/sqlite.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { SERVE_OPTIONS } from '../serve.ts'
import type { ServicePlace } from './manager.ts'

/** What the server of a data folder says of itself. */
export type ServerState = {
  /** Undefined where it cannot be told: its data folder may be closed to this user. */
  version: string | undefined
  isReady: boolean
  /** Why it is not ready, in a sentence. */
  why: string | undefined
}

/**
 * The settings of a service: options of `serve` over its settings file over `beckon.toml`. What the
 * shell says does not reach it. Throws `WrongUsage` that names what is wrong.
 */
export function serviceConfig(
  { settingsFile }: ServicePlace,
  dataFolder: string,
  options: readonly string[],
): Config {
  const { watch: _, check: __, ...flags } = readArguments([...options], SERVE_OPTIONS)
  return readConfig({ ...flags, data: dataFolder }, readSettings(settingsFile))
}

function readSettings(path: string | undefined): Record<string, string> {
  if (path === undefined || !existsSync(path)) return {}
  const lines = readFileSync(path, 'utf8').matchAll(/^\s*(BECKON_\w+)=(.*)$/gm)
  return Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [
      name,
      value.trim().replace(/^(["'])(.*)\1$/, '$2'),
    ]),
  )
}

/** Asks the server of the data folder; another one at its address is not taken for it. */
export async function askServer(config: Config): Promise<ServerState> {
  const origin = localOrigin(config)
  const sight = await lookAt(origin, await authSecretOf(config.dataFolder), systemClock.now())
  if (sight.kind === 'nobody') return notReady(`Nothing answers at ${origin}: ${sight.why}.`)
  if (sight.kind !== 'ours' && sight.kind !== 'unproved') {
    return notReady(`What answers at ${origin} is not the server of ${config.dataFolder}.`)
  }
  const { state, said } = await readyCheck(origin)
  const version = sight.kind === 'ours' ? String(sight.reflection.version) : undefined
  return { version, isReady: state === 'ok', why: state === 'ok' ? undefined : said }
}

function notReady(why: string): ServerState {
  return { version: undefined, isReady: false, why }
}

/** What proves a server to be that of the folder; undefined when it cannot be read. */
async function authSecretOf(folder: string): Promise<string | undefined> {
  try {
    const { database } = inspectFolder(folder, 0)
    if (database.state !== 'read' || database.missing.length + database.foreign.length > 0) return
    using reader = openReader(database.path)
    return (await readSecrets(reader.read))?.authSecret
  } catch {
    return undefined
  }
}
