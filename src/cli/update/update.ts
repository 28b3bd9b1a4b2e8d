import { readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandLine } from '../../agent/client-files/program.ts'
import { inspectServer } from '../../ask/health/database-checks.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import { dataPlace } from '../../platform/db/data-place.ts'
import { isBeyondThis } from '../../platform/db/look-into.ts'
import { isServed } from '../../platform/db/only-server.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { VERSION } from '../../platform/program.ts'
import { RELEASE } from '../../platform/release.ts'
import { type MinisignKey, readPublicKey } from '../../platform/signing/minisign.ts'
import { DATA_OPTION, readArguments } from '../../platform/terminal/arguments.ts'
import { EndsWith } from '../../platform/terminal/ends-with.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { isTerminal, note, noteError, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { readConfig } from '../../settings.ts'
import {
  findInstalledService,
  type InstalledService,
  restartService,
} from '../service/installed.ts'
import { thisMachine } from '../service/machine.ts'
import { serviceConfig } from '../service/server-state.ts'
import { type Backup, proveAndBackUp } from './prove-and-back-up.ts'
import { newestRelease, type Release, readReleased, Unreachable } from './release-channel.ts'
import {
  putBackProgram,
  replaceProgram,
  requireReplaceable,
  stageProgram,
} from './replace-program.ts'

const MIB = 1024 * 1024

type Options = {
  /** The server's settings, which name its data. */
  config: Config
  /** The service that runs the server, if there is one. */
  service: InstalledService | undefined
  url: string
  key: MinisignKey
  target: string
}

/**
 * `beckon update`: replaces this program with the newest release, after the release has shown on a
 * copy of the data that it can serve it; for PostgreSQL it checks the database itself. Nothing is
 * changed until the new program replaces the old one. Exit codes: 0 up to date or updated, 1 not
 * updated (with --check: there is a newer one), 5 the channel was not reached.
 */
export async function update(args: string[]): Promise<number> {
  const { data, check, yes, json, from } = readArguments(args, {
    ...DATA_OPTION,
    check: { type: 'boolean' },
    yes: { type: 'boolean' },
    json: { type: 'boolean' },
    from: { type: 'string' },
  })
  if (json && !check) throw new WrongUsage('--json goes with --check.')
  const source = channel(from)
  try {
    const release = await newestRelease(source.url, source.key)
    const isNewer = Bun.semver.order(release.version, VERSION) > 0
    if (json) say(JSON.stringify({ current: VERSION, newest: release.version, update: isNewer }))
    else if (!isNewer) say(`beckon ${VERSION} is the newest version.`)
    else if (check) say(`beckon ${release.version} is out, this is ${VERSION}: run beckon update.`)
    if (check) return isNewer ? EXIT.no : EXIT.done
    if (!isNewer) return EXIT.done
    return await updateTo(release, { ...source, ...(await served(data)) }, yes ?? false)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const message = `${cleanLine(error.message)} Nothing was changed.`
    throw new EndsWith(EXIT.unreachable, new Failure('unavailable', message))
  }
}

/** Where releases are and which key signs them, as built in. */
function channel(from: string | undefined): Pick<Options, 'url' | 'key' | 'target'> {
  const key = readPublicKey(RELEASE.publicKey)
  if (!key || !RELEASE.target) {
    throw new Failure(
      'conflict',
      'This beckon was not made by a release, so there is nothing to update it from: update the clone it was built from, or install a release.',
    )
  }
  const url = (from ?? RELEASE.url).replace(/\/+$/, '')
  if (/^https?:\/\//.test(url)) return { url, key, target: RELEASE.target }
  throw new WrongUsage('--from must be an address that begins with https:// or http://.')
}

/** The data that the new program must serve, and the service that runs this program on it. */
async function served(data: string | undefined): Promise<Pick<Options, 'config' | 'service'>> {
  const options = data === undefined ? {} : { dataFolder: resolve(data) }
  const program = process.execPath
  const service = await findInstalledService(thisMachine(), { program, ...options })
  if (service?.dataFolder === undefined) return { service, config: readConfig({ data }) }
  // The shell's environment does not reach a service.
  return { service, config: serviceConfig(service.place, service.dataFolder, service.options) }
}

async function updateTo(release: Release, options: Options, yes: boolean): Promise<number> {
  const { version } = release
  const program = process.execPath
  const installer = installedBy(program, version)
  if (installer) {
    noteError(`beckon ${version} is out. ${installer.name} installed this one: ${installer.cure}.`)
    return EXIT.failed
  }
  requireReplaceable(program)
  const { config } = options
  if (config.database) note(`${dataPlace(config)} is not backed up by this: ${BACK_UP_FIRST}`)
  if (!(yes || (await agrees(version)))) return EXIT.failed
  using staged = await stageProgram(await download(release, options), version, program)
  const backup = await proveAndBackUp(staged, version, config)
  // Read now, while this version still understands the database.
  const servers = (await inspectServer(config.database))?.servers ?? []
  const previousPath = replaceProgram(staged)
  say(`beckon ${version} is installed at ${staged.replaces.path}.`)
  await startNew(options, staged.replaces.path)
  tellOfOthers(servers, options.service?.state.isRunning ? 1 : 0)
  note(wayBack(staged.replaces.path, previousPath, backup))
  return EXIT.done
}

/**
 * Restarts the service that runs the program, if there is one. If the new one does not become ready
 * and has not migrated the data, the old one is started again. Throws a `Failure` that says which
 * one runs now.
 */
async function startNew({ service, config }: Options, program: string): Promise<void> {
  if (!service?.state.isRunning) {
    if (isServed(config.dataFolder))
      note('Restart the server now: until then the old version runs.')
    return
  }
  note('Restarting the service …')
  try {
    await restartService(thisMachine(), service)
    note('The new version runs and is ready.')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (await isBeyondThis(config).catch(() => false)) {
      throw new Failure(
        'unavailable',
        `The new version has brought the data up to date, and is not ready: ${error.message} The old one cannot read them any more; beckon docs operations says how to go back.`,
      )
    }
    putBackProgram(program)
    await restartService(thisMachine(), service)
    throw new Failure(
      'unavailable',
      `The new version did not become ready: ${error.message} ${VERSION} is back in its place and runs.`,
    )
  }
}

/** Names the servers that share the database, besides `own` that are updated already. */
function tellOfOthers(servers: readonly string[], own: number): void {
  const others = servers.length - own
  if (others <= 0) return
  const places = [...new Set(servers)].join(', ')
  const old = others === 1 ? '1 server runs' : `${others} servers run`
  note(
    `${old} the old version on the same database (it is used from ${places}): update and restart each in turn.`,
  )
}

async function agrees(version: string): Promise<boolean> {
  const { askLine, canAsk } = await import('../../agent/setup/ask.ts')
  if (!canAsk()) throw new WrongUsage('There is no terminal to ask at: add --yes.')
  const typed = await askLine(`Update beckon ${VERSION} to ${version}? [Y/n] `)
  return typed !== undefined && /^(y|yes|)$/i.test(typed.trim())
}

async function download(release: Release, { url, target }: Options) {
  const folder = `beckon-${release.version}-${target}`
  const name = `${folder}.${target.startsWith('windows') ? 'zip' : 'tar.gz'}`
  const bar = progress(`MiB of ${name}`, isTerminal(2))
  try {
    return await readReleased({ url, release, name }, (done, of) =>
      bar.step(done / MIB, of && of / MIB),
    )
  } finally {
    bar.end()
  }
}

/** Once the new version has written anything, going back would lose it. */
function wayBack(program: string, previousPath: string, backup: Backup): string {
  const move = commandLine(['mv', previousPath, program])
  const back = `To go back to ${VERSION}, stop the server and run:\n  ${move}`
  if (backup.kind === 'file') {
    const restore = commandLine([program, 'restore', backup.path, '--data', backup.folder])
    return `${back}\n  ${restore}\nWhat happened after the update is then lost.`
  }
  if (backup.kind === 'none') return back
  return `${back}\nIf ${VERSION} then says that a newer version has changed the database, put your backup back with pg_restore.`
}

const BACK_UP_FIRST = 'pg_dump --format=custom makes a backup, before you go on.'

/** The installer of this program, and its command for a newer version. */
type Installer = { name: string; cure: string }

const DEBIAN_LIST = '/var/lib/dpkg/info/beckon.list'

/**
 * The package manager that `program` belongs to, by its path; undefined for a separate file, which
 * `beckon update` may replace.
 */
function installedBy(program: string, version: string): Installer | undefined {
  const path = real(program)
  if (/[\\/]node_modules[\\/]/.test(path)) {
    return { name: 'npm', cure: `run npm install -g @beckon/beckon@${version}` }
  }
  if (/[\\/]Cellar[\\/]/.test(path)) return { name: 'Homebrew', cure: 'run brew upgrade beckon' }
  if (/^\/nix\/store\//.test(path)) return { name: 'Nix', cure: 'run nix profile upgrade beckon' }
  if (isOfDebian(path)) {
    const file = `beckon_${version}_$(dpkg --print-architecture).deb`
    return { name: 'a Debian package', cure: `download the new one and run apt install ./${file}` }
  }
  return undefined
}

function isOfDebian(path: string): boolean {
  try {
    return readFileSync(DEBIAN_LIST, 'utf8').split('\n').includes(path)
  } catch {
    return false
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
