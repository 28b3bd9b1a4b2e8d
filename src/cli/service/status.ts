import { isoTime } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import { placeOf } from '../../platform/db/data-place.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { chosenService, type InstalledService } from './installed.ts'
import { managerOf } from './machine.ts'
import type { Machine } from './manager.ts'
import { askServer, type ServerState, serviceConfig } from './server-state.ts'

/** `beckon service status`: exits 0 while the service runs and its server is ready, otherwise 1. */
export async function status(args: string[], machine: Machine): Promise<number> {
  const { json, system } = readArguments(args, {
    json: { type: 'boolean' },
    system: { type: 'boolean' },
  })
  const service = await chosenService(machine, { system })
  if (!service) {
    if (json) say(JSON.stringify({ installed: false, manager: managerOf(machine).title }))
    else note('No service of Beckon is installed here; beckon service install installs one.')
    return EXIT.no
  }
  const looked = await inspectServer(service)
  if (json) say(JSON.stringify(asJson(service, looked)))
  else say(asText(service, looked))
  return service.state.isRunning && looked.server.isReady ? EXIT.done : EXIT.no
}

type Looked = {
  address: string | undefined
  /** Host and name of the database in PostgreSQL. */
  database?: string | undefined
  server: ServerState
}

async function inspectServer({ place, options, dataFolder }: InstalledService): Promise<Looked> {
  if (dataFolder === undefined) {
    const why = 'The file of the service does not say which data folder it serves.'
    return unknown(why)
  }
  let config: Config
  try {
    config = serviceConfig(place, dataFolder, options)
  } catch (error) {
    // The service manager's own output may help as well.
    if (error instanceof Failure || error instanceof WrongUsage) return unknown(error.message)
    throw error
  }
  const { database, baseUrl: address } = config
  return {
    address,
    database: database && placeOf(database.url),
    server: await askServer(config),
  }
}

function unknown(why: string): Looked {
  return { address: undefined, server: { version: undefined, isReady: false, why } }
}

function asJson(service: InstalledService, { address, database, server }: Looked) {
  const { manager, place, file, program, dataFolder, state } = service
  return {
    installed: true,
    manager: manager.title,
    owner: place.owner,
    file,
    enabled: state.isEnabled,
    running: state.isRunning,
    since: state.since === undefined ? null : isoTime(state.since),
    pid: state.pid ?? null,
    version: server.version ?? null,
    program,
    dataFolder: dataFolder ?? null,
    database: database ?? null,
    address: address ?? null,
    ready: state.isRunning && server.isReady,
    reason: server.why ?? null,
  }
}

function asText(service: InstalledService, { address, database, server }: Looked) {
  const { manager, place, file, program, dataFolder, state } = service
  const whose = place.owner === 'system' ? 'the whole machine' : 'this user'
  const since = state.since === undefined ? '' : ` since ${isoTime(state.since)}`
  const pid = state.pid === undefined ? '' : `, process ${state.pid}`
  return [
    `Service   ${file} (${manager.title}, for ${whose})`,
    `Starts    ${state.isEnabled ? 'by itself' : 'not by itself'}`,
    `Running   ${state.isRunning ? `yes${since}${pid}` : 'no'}`,
    `Ready     ${state.isRunning && server.isReady ? 'yes' : `no${server.why ? `: ${server.why}` : ''}`}`,
    ...(server.version ? [`Version   ${server.version}`] : []),
    `Program   ${program.join(' ')}`,
    `Data      ${dataFolder ?? 'not said'}`,
    ...(database ? [`Database  PostgreSQL at ${database}`] : []),
    ...(address ? [`Address   ${address}`] : []),
  ].join('\n')
}
