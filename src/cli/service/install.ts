import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { commandLine } from '../../agent/client-files/program.ts'
import { anyPerson } from '../../ask/accounts/model/person-store.ts'
import { inspectServer } from '../../ask/health/database-checks.ts'
import { localOrigin } from '../../ask/health/examine.ts'
import { probe } from '../../ask/health/probe.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import { dataPlace } from '../../platform/db/data-place.ts'
import { lookInto } from '../../platform/db/look-into.ts'
import { isServed } from '../../platform/db/only-server.ts'
import { Failure } from '../../platform/failure.ts'
import { syncToDisk } from '../../platform/sync-to-disk.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { type InstalledService, installedService, waitUntilReady } from './installed.ts'
import { readLog } from './log.ts'
import { managerOf } from './machine.ts'
import type { Machine, ServiceFacts, ServiceManager, ServiceState } from './manager.ts'
import { ownerOf } from './owner.ts'
import { planService } from './plan.ts'
import { serviceConfig } from './server-state.ts'
import { isOurs, serviceFile } from './service-file.ts'
import { stepFailure, takeSteps } from './steps.ts'

const LAST_LINES = 5

/** `beckon service install`: writes the file, starts the service, and waits until it is ready. */
export async function install(args: string[], machine: Machine): Promise<number> {
  const dashes = args.indexOf('--')
  const flags = readArguments(dashes < 0 ? args : args.slice(0, dashes), {
    data: { type: 'string' },
    system: { type: 'boolean' },
    force: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  })
  const manager = managerOf(machine)
  const owner = ownerOf(machine, manager, { system: flags.system, way: 'install' })
  const place = manager.place(machine, owner)
  const obstacle = await manager.obstacle(machine, owner)
  if (obstacle) throw new Failure('conflict', obstacle)

  const existing = await installedService(machine, manager, place)
  const options = dashes < 0 ? undefined : args.slice(dashes + 1)
  const request = { data: flags.data, options }
  const { facts, notes } = planService(machine, manager, place, { request, existing })
  for (const line of notes) note(line)
  const text = serviceFile(manager, facts)
  const isNew = existing?.text !== text
  const before = existing?.state ?? (await manager.state(machine, place))
  const steps = manager.toStart(machine, place, before, isNew)
  if (flags['dry-run']) {
    say(`${place.file} would be:\n\n${text}`)
    say(['Then:', ...steps.map(({ words }) => `  ${commandLine(words)}`)].join('\n'))
    note('Nothing was changed.')
    return EXIT.done
  }
  requireReplaceable(manager, { facts, existing, isNew, force: flags.force ?? false })
  await requireFree(facts, before)
  if (isNew) write(manager, facts, { text, existing })
  else note(`${place.file} is as it should be.`)

  const outcome = await takeSteps(machine, steps)
  if (outcome.failed) throw stepFailure(manager, outcome, whatWasWritten(facts, existing, isNew))
  await report(machine, manager, facts)
  return EXIT.done
}

type Replaced = {
  facts: ServiceFacts
  existing: InstalledService | undefined
  isNew: boolean
  force: boolean
}

/** Throws `Failure` for a file that is not ours to change. */
function requireReplaceable(manager: ServiceManager, { facts, existing, isNew, force }: Replaced) {
  const { file } = facts.place
  if (!existing || !isNew || force) return
  if (existing.file !== file) {
    throw new Failure(
      'conflict',
      `A package has installed the service ${existing.file}: start that one, or let yours replace it with --force.`,
    )
  }
  if (isOurs(manager, existing.text)) return
  throw new Failure(
    'conflict',
    `${file} was changed by hand and stays as it is; --force replaces it and keeps it as ${file}.before.`,
  )
}

/**
 * Throws `Failure` if another server uses the data folder, if anything uses the port, or if the
 * database cannot be used.
 */
async function requireFree({ place, dataFolder, options }: ServiceFacts, before: ServiceState) {
  if (before.isRunning) return
  if (isServed(dataFolder)) {
    throw new Failure(
      'conflict',
      `A server that was started in another way uses ${dataFolder}: stop it, and install the service then.`,
    )
  }
  const config = serviceConfig(place, dataFolder, options)
  const origin = localOrigin(config)
  if (!(await probe(`${origin}/healthz`)).answered) return await requireDatabase(config)
  throw new Failure(
    'conflict',
    `Another program answers at ${origin}: stop it, or choose another port: beckon service install -- --port PORT.`,
  )
}

/** A service whose database cannot be used would be restarted again and again. */
async function requireDatabase({ database }: Config): Promise<void> {
  const serverReport = await inspectServer(database)
  if (serverReport?.refusal === undefined) return
  throw new Failure('conflict', `${serverReport.refusal} No service was installed.`)
}

type Written = { text: string; existing: InstalledService | undefined }

/** Writes the file completely or not at all. */
function write(manager: ServiceManager, { place }: ServiceFacts, { text, existing }: Written) {
  const { file, logFile } = place
  const draft = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true })
    if (logFile) mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 })
    if (existing?.file === file && !isOurs(manager, existing.text)) {
      copyFileSync(file, `${file}.before`)
      note(`What was there before is kept as ${file}.before.`)
    }
    writeFileSync(draft, manager.encode?.(text) ?? text, { mode: 0o644, flag: 'wx' })
    syncToDisk(draft)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    const { code } = error as NodeJS.ErrnoException
    if (typeof code !== 'string') throw error
    throw new Failure('unavailable', `${file} cannot be written (${code}); nothing was changed.`)
  }
  say(`${file}:\n\n${text}`)
}

function whatWasWritten({ place: { file } }: ServiceFacts, existing: unknown, isNew: boolean) {
  if (!isNew) return { before: [], undo: [] }
  const undo = existing ? ['beckon service uninstall'] : [commandLine(['rm', file])]
  return { before: [`wrote ${file}`], undo }
}

/** Waits until the server is ready and prints its address. */
async function report(machine: Machine, manager: ServiceManager, facts: ServiceFacts) {
  const { place, dataFolder, options } = facts
  note('Started; waiting until it is ready …')
  try {
    await waitUntilReady(machine, manager, place, { options, dataFolder })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const last = await readLog(machine, manager, place, LAST_LINES)
    const lines = [
      `The service is installed and started. ${error.message}`,
      ...(last ? [`It wrote last:\n${last}`] : []),
      'beckon service uninstall removes it again.',
    ]
    throw new Failure('unavailable', lines.join('\n'))
  }
  const config = serviceConfig(place, dataFolder, options)
  const link = await findSetUpLink(config, () => readLog(machine, manager, place, 200))
  say(`The server is ready. Its data is in ${dataPlace(config)}.`)
  if (link === undefined) say(`Open ${config.baseUrl}`)
  else say(link === '' ? LINK_IN_LOG : `Make the first account:\n${link}`)
  const hint = await manager.staysUp?.(machine, place.owner)
  if (hint) note(hint)
}

const LINK_IN_LOG = 'Make the first account: beckon service logs shows the set-up link.'

// The server writes the link right after it is ready.
const TRIES = 20
const PAUSE_MS = 100

/**
 * The link for the first account, as the server wrote it when it last started; undefined if there
 * is an account, empty if the link was not found in the log.
 */
async function findSetUpLink(
  config: Config,
  readLog: () => Promise<string>,
): Promise<string | undefined> {
  if (await hasAccount(config)) return undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const log = await readLog()
    const start = log.slice(log.lastIndexOf(' listens on '))
    const link = /https?:\/\/\S+\/setup\?key=\w+/.exec(start)?.[0]
    if (link) return link
    await Bun.sleep(PAUSE_MS)
  }
  return ''
}

async function hasAccount(config: Config): Promise<boolean> {
  try {
    await using data = await lookInto(config)
    return data !== undefined && (await anyPerson(data.read))
  } catch {
    // If the data is closed to this user, the log decides.
    return false
  }
}
