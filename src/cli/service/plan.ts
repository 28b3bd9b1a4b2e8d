import { join, resolve } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { findDatabase } from '../../platform/db/find-database.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { readEnvironment } from '../../settings.ts'
import { SERVE_OPTIONS } from '../serve-options.ts'
import type { InstalledService } from './installed.ts'
import type { Machine, ServiceFacts, ServiceManager, ServicePlace } from './manager.ts'
import { secretsInTheOpen, serviceConfig } from './server-state.ts'

/** The command line of `beckon service install`. */
export type ServiceRequest = {
  data: string | undefined
  /** Options of `serve`; undefined if the command line has none. */
  options: readonly string[] | undefined
}

/** The service to install, with notes about what the person did not specify. */
export type ServicePlan = { facts: ServiceFacts; notes: string[] }

// These choose what `serve` does, not how it serves.
const NOT_OF_SERVICES = ['watch', 'check', 'data'] as const

/**
 * The facts of the service, checked so that `serve` will accept them. Throws `WrongUsage` or
 * `Failure` in a sentence.
 */
export function planService(
  machine: Machine,
  manager: ServiceManager,
  place: ServicePlace,
  { request, existing }: { request: ServiceRequest; existing: InstalledService | undefined },
): ServicePlan {
  const notes: string[] = []
  const { dataFolder, why } = dataFolderOf(machine, place, { data: request.data, existing })
  if (why) notes.push(`The data folder is ${dataFolder}: ${why}`)
  const options = request.options ?? existing?.options ?? []
  if (request.options === undefined && options.length > 0)
    notes.push(`The options of serve stay ${options.join(' ')}; an empty -- removes them.`)
  const config = requireServable(place, dataFolder, options)
  const where = place.settingsFile ?? join(dataFolder, 'beckon.toml')
  requireSameDatabase(machine, config, where)
  const facts = { place, program: machine.program(), options, dataFolder, user: machine.user }
  const refusal = manager.refusal?.(facts)
  if (refusal) throw new Failure('conflict', refusal)
  const unseen = unseenVariables(machine)
  if (unseen.length > 0) {
    notes.push(
      `The service does not see ${unseen.join(', ')} of this shell; ${where} is for its settings.`,
    )
  }
  const open = secretsInTheOpen(place)
  if (open) notes.push(open)
  return { facts, notes }
}

/** The folder, and the reason if the person did not name it. */
function dataFolderOf(
  { env, cwd }: Machine,
  { dataFolder: usual, owner }: ServicePlace,
  { data, existing }: { data: string | undefined; existing: InstalledService | undefined },
): { dataFolder: string; why?: string } {
  const folder = data ?? env.BECKON_DATA
  if (folder) return { dataFolder: resolve(cwd, folder) }
  const current = existing?.dataFolder
  if (current !== undefined) {
    return current === usual ? { dataFolder: usual } : { dataFolder: current, why: 'as before.' }
  }
  const here = resolve(cwd, 'data')
  const isHere = here !== usual && findDatabase(here).state !== 'absent'
  if (owner === 'system' || !isHere) return { dataFolder: usual }
  if (findDatabase(usual).state !== 'absent') {
    throw new WrongUsage(`Both ${here} and ${usual} hold data: name one of them with --data.`)
  }
  return { dataFolder: here, why: 'it holds data already. --data FOLDER chooses another.' }
}

/** The settings of the service. Throws `WrongUsage` unless `serve` accepts these options. */
function requireServable(
  place: ServicePlace,
  dataFolder: string,
  options: readonly string[],
): Config {
  const flags = readArguments([...options], SERVE_OPTIONS)
  const foreign = NOT_OF_SERVICES.find((name) => flags[name] !== undefined)
  if (foreign === 'data') throw new WrongUsage('--data stands before --, not after it.')
  if (foreign) throw new WrongUsage(`--${foreign} is nothing that a service runs with.`)
  const config = serviceConfig(place, dataFolder, options)
  if (config.port === 0) {
    throw new WrongUsage('A service needs a fixed port: --port 0 does not name one.')
  }
  return config
}

/**
 * Throws `WrongUsage` if the service would be a different Beckon from the one that this shell uses.
 */
function requireSameDatabase({ env }: Machine, { database, dataFolder }: Config, where: string) {
  const setting = readEnvironment(env).get('BECKON_DATABASE_URL')
  if (!setting || database) return
  throw new WrongUsage(
    `${setting.source} is set in this shell, but the service does not see it and would begin a Beckon of its own in ${dataFolder}: set the database in ${where}, too (and chmod 600 it), or unset ${setting.source} here.`,
  )
}

/** Settings of a server in the environment of this shell. */
function unseenVariables({ env }: Machine): string[] {
  const ofClients = new Set(['BECKON_URL', 'BECKON_TOKEN', 'BECKON_DATA'])
  return [...readEnvironment(env)]
    .filter(([name]) => !ofClients.has(name))
    .map(([, { source }]) => source)
}
