import { readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { SERVE_OPTIONS } from '../serve-options.ts'
import { managerOf } from './machine.ts'
import type { Machine, ServiceManager, ServicePlace, ServiceState } from './manager.ts'
import { askServer, type ServerState, serviceConfig } from './server-state.ts'
import { takeSteps } from './steps.ts'

/** A service that a service manager knows, or whose file is in the usual place. */
export type InstalledService = {
  manager: ServiceManager
  place: ServicePlace
  /** The file: that of `place`, or that of a package. */
  file: string
  text: string
  /** The words that start Beckon, up to `serve`; empty if the file does not start Beckon. */
  program: readonly string[]
  /** Options of `serve`, without `--data`. */
  options: readonly string[]
  /** Absolute; undefined if the file does not name it. */
  dataFolder: string | undefined
  state: ServiceState
}

const TRY_AGAIN_MS = 250

/** The services installed here: the machine's and this user's. */
export async function installedServices(machine: Machine): Promise<InstalledService[]> {
  const manager = managerOf(machine)
  const services = await Promise.all(
    manager.owners.map((owner) =>
      installedService(machine, manager, manager.place(machine, owner)),
    ),
  )
  return services.filter((service) => service !== undefined)
}

/**
 * The service that a command is about: the machine's with `system`, or if this user has no service
 * of their own; otherwise the user's.
 */
export async function chosenService(
  machine: Machine,
  { system }: { system: boolean | undefined },
): Promise<InstalledService | undefined> {
  const all = await installedServices(machine)
  const isRoot = machine.uid === 0
  const owner = system || isRoot ? 'system' : 'user'
  const service = all.find(({ place }) => place.owner === owner)
  return service ?? (system ? undefined : all[0])
}

/** The service at `place`; undefined if there is none. */
export async function installedService(
  machine: Machine,
  manager: ServiceManager,
  place: ServicePlace,
): Promise<InstalledService | undefined> {
  const state = await manager.state(machine, place)
  const file = state.file ?? place.file
  const text = readIfThere(file, manager)
  if (text === undefined) return undefined
  const { program, options, dataFolder } = takeApart(manager.commandOf(text) ?? [])
  return { manager, place, file, text, program, options, dataFolder, state }
}

/**
 * The installed service that runs `program` (the path of an executable) with `dataFolder`, or with
 * any data folder if it is not given. A running one is preferred.
 */
export async function findInstalledService(
  machine: Machine,
  { program, dataFolder }: { program: string; dataFolder?: string },
): Promise<InstalledService | undefined> {
  const all = await installedServices(machine)
  const same = all.filter(
    (service) =>
      service.program.some((word) => realPath(word) === realPath(program)) &&
      (dataFolder === undefined ||
        (service.dataFolder !== undefined &&
          realPath(service.dataFolder) === realPath(dataFolder))),
  )
  return same.find(({ state }) => state.isRunning) ?? same[0]
}

/**
 * Restarts the service and resolves once its server is ready. Throws `Failure` with the service
 * manager's error, or with why the server is not ready.
 */
export async function restartService(
  machine: Machine,
  service: InstalledService,
): Promise<ServerState> {
  const { manager, place, options, dataFolder } = service
  const { failed } = await takeSteps(machine, manager.toRestart(machine, place))
  if (failed) {
    throw new Failure(
      'unavailable',
      `${manager.title} could not ${failed.step.does}: ${failed.why}.`,
    )
  }
  if (dataFolder === undefined) {
    throw new Failure('conflict', `${service.file} does not say which data folder it serves.`)
  }
  return await waitUntilReady(machine, manager, place, { options, dataFolder })
}

/**
 * Waits until the service runs and its server is ready. Throws `Failure` if that takes longer than
 * the machine allows.
 */
export async function waitUntilReady(
  machine: Machine,
  manager: ServiceManager,
  place: ServicePlace,
  { options, dataFolder }: { options: readonly string[]; dataFolder: string },
): Promise<ServerState> {
  const until = Date.now() + machine.readyMs
  for (;;) {
    const config = serviceConfig(place, dataFolder, options)
    const server = await askServer(config)
    const { isRunning } = await manager.state(machine, place)
    if (server.isReady && isRunning) return server
    if (Date.now() > until) {
      const why = isRunning ? server.why : 'It does not run.'
      throw new Failure(
        'unavailable',
        `The server is not ready after ${Math.round(machine.readyMs / 1_000)} seconds: ${why} beckon service logs shows what it says.`,
      )
    }
    await Bun.sleep(TRY_AGAIN_MS)
  }
}

/** The parts of `PROGRAM… serve --data FOLDER OPTIONS…`. */
function takeApart(words: readonly string[]) {
  const serve = words.indexOf('serve')
  if (serve < 1) return { program: [], options: [], dataFolder: undefined }
  const serveArgs = words.slice(serve + 1)
  const program = words.slice(0, serve)
  try {
    const { data } = readArguments(serveArgs, SERVE_OPTIONS)
    const at = serveArgs.indexOf('--data')
    const options =
      at < 0 ? serveArgs.filter((word) => !word.startsWith('--data=')) : serveArgs.toSpliced(at, 2)
    return { program, options, dataFolder: data === undefined ? undefined : resolve(data) }
  } catch {
    return { program, options: serveArgs, dataFolder: undefined }
  }
}

function readIfThere(path: string, { decode }: ServiceManager): string | undefined {
  try {
    const bytes = readFileSync(path)
    return decode ? decode(bytes) : bytes.toString()
  } catch {
    return undefined
  }
}

/** Without links, if it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
