import { copyFileSync, rmSync } from 'node:fs'
import { EXIT } from '../../platform/command.ts'
import { dataPlace } from '../../platform/db/data-place.ts'
import { Failure } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { chosenService, type InstalledService } from './installed.ts'
import type { Machine } from './manager.ts'
import { ownerOf } from './owner.ts'
import { serviceConfig } from './server-state.ts'
import { isOurs } from './service-file.ts'
import { stepFailure, takeSteps } from './steps.ts'

/** `beckon service uninstall`: stops the service and removes its file; the data stays. */
export async function uninstall(args: string[], machine: Machine): Promise<number> {
  const { system } = readArguments(args, { system: { type: 'boolean' } })
  const service = await chosenService(machine, { system })
  if (!service) {
    note('No service of Beckon is installed here.')
    return EXIT.done
  }
  const { manager, place, file, text } = service
  ownerOf(machine, manager, { system: place.owner === 'system', way: 'uninstall' })
  if (file !== place.file) throw foreign(service)
  const obstacle = await manager.obstacle(machine, place.owner)
  if (obstacle) throw new Failure('conflict', obstacle)
  const stopped = await takeSteps(machine, manager.toStop(machine, place))
  if (stopped.failed) {
    throw stepFailure(manager, stopped, { before: [], undo: [] })
  }
  if (!isOurs(manager, text)) {
    copyFileSync(file, `${file}.before`)
    note(`${file} was changed by hand; it is kept as ${file}.before.`)
  }
  rmSync(file, { force: true })
  const result = await takeSteps(machine, manager.toForget(machine, place))
  if (result.failed) {
    throw stepFailure(manager, result, {
      before: ['stopped the service', `removed ${file}`],
      undo: [],
    })
  }
  say(`The service is stopped and ${file} is removed.`)
  const dataFolder = whereData(service)
  if (dataFolder) say(`The data is kept in ${dataFolder}.`)
  return EXIT.done
}

/** The service can be removed even if its settings are broken. */
function whereData({ place, dataFolder, options }: InstalledService): string | undefined {
  if (dataFolder === undefined) return undefined
  try {
    return dataPlace(serviceConfig(place, dataFolder, options))
  } catch {
    return dataFolder
  }
}

function foreign({ file }: InstalledService): Failure {
  return new Failure(
    'conflict',
    `${file} was not written by beckon service install: remove the package that it belongs to.`,
  )
}
