import { isoTime } from '../../platform/clock.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { EXIT } from '../../platform/terminal/command.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { chosenService, type InstalledService } from './installed.ts'
import { managerOf } from './machine.ts'
import type { Machine } from './manager.ts'
import { askServer, type ServerState, serviceConfig } from './server-state.ts'

/** `beckon service status`: 0 while the service runs and its server is ready, else 1. */
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
  const { address, server } = await lookAtServer(service)
  if (json) say(JSON.stringify(asJson(service, address, server)))
  else say(asText(service, address, server))
  return service.state.isRunning && server.isReady ? EXIT.done : EXIT.no
}

type Looked = { address: string | undefined; server: ServerState }

async function lookAtServer({ place, options, dataFolder }: InstalledService): Promise<Looked> {
  if (dataFolder === undefined) {
    const why = 'The file of the service does not say which data folder it serves.'
    return { address: undefined, server: { version: undefined, isReady: false, why } }
  }
  const config = serviceConfig(place, dataFolder, options)
  return { address: config.baseUrl, server: await askServer(config) }
}

function asJson(service: InstalledService, address: string | undefined, server: ServerState) {
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
    address: address ?? null,
    ready: state.isRunning && server.isReady,
    reason: server.why ?? null,
  }
}

function asText(service: InstalledService, address: string | undefined, server: ServerState) {
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
    ...(address ? [`Address   ${address}`] : []),
  ].join('\n')
}
