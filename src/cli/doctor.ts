import { homedir } from 'node:os'
import { loadSetupClients } from '../agent/clients/clients.ts'
import { CHANNELS } from '../ask/channels/channels.ts'
import {
  type Check,
  exitCodeOf,
  failedCheck,
  passedCheck,
  type State,
  warnedCheck,
} from '../ask/check.ts'
import { checkProvider } from '../ask/company/check-provider.ts'
import { readLastSignIn } from '../ask/company/last-sign-in.ts'
import { slugOf } from '../ask/company/model/provider.ts'
import { readProviders } from '../ask/company/providers.ts'
import { inspectServer, type ServerReport } from '../ask/health/database-checks.ts'
import { examine } from '../ask/health/examine.ts'
import { signInFromOutside } from '../ask/health/sign-in-checks.ts'
import { SIGN_IN_MCP_PATH } from '../ask/oauth/model/issuer.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config, Flags } from '../platform/config/config.ts'
import type { Read } from '../platform/db/database.ts'
import { type FolderReport, inspectFolder } from '../platform/db/inspect-folder.ts'
import { lookInto } from '../platform/db/look-into.ts'
import { withServerAddress } from '../platform/db/server-address.ts'
import { readSecrets } from '../platform/db/settings-store.ts'
import { inspectSnapshots } from '../platform/db/snapshots.ts'
import { openReader } from '../platform/db/sqlite.ts'
import { WrongUsage } from '../platform/failure.ts'
import { createGuardedFetch } from '../platform/outgoing/guarded-fetch.ts'
import { VERSION } from '../platform/program.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { inColour, say, sayDrawn, showsColours } from '../platform/terminal/terminal.ts'
import { cleanLine } from '../platform/text.ts'
import { readConfig } from '../settings.ts'
import { tailscaleChecks } from './expose/tailscale-check.ts'
import { whereServiceKeeps } from './service/beside-service.ts'

// Network requests that are still open by then are abandoned.
const LINGER_MS = 200

/**
 * `beckon doctor`: checks everything and changes nothing; `--oauth URL` checks how clients sign in
 * there, `--sign-in NAME` a provider that signs people in here.
 */
export async function doctor(args: string[]): Promise<number> {
  const {
    json,
    oauth,
    'sign-in': provider,
    ...flags
  } = readArguments(args, {
    ...DATA_OPTION,
    host: { type: 'string' },
    port: { type: 'string' },
    'base-url': { type: 'string' },
    domain: { type: 'string' },
    oauth: { type: 'string' },
    'sign-in': { type: 'string' },
    json: { type: 'boolean' },
  })
  const checks =
    oauth !== undefined
      ? await lookFromOutside(oauth)
      : provider !== undefined
        ? await lookAtProvider(provider, flags)
        : await look(flags)
  const exitCode = exitCodeOf(checks)
  if (json) say(asJson(checks, exitCode))
  else sayDrawn(asText(checks, showsColours(1)))
  setTimeout(() => process.exit(exitCode), LINGER_MS).unref()
  return exitCode
}

/** Throws `WrongUsage` if it is not the address of a server. */
async function lookFromOutside(address: string): Promise<Check[]> {
  const url = URL.parse(address)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isWeb || !['/', SIGN_IN_MCP_PATH].includes(url.pathname)) {
    throw new WrongUsage(
      `--oauth must be the address of a server, or the one that clients are given: https://beckon.example.com${SIGN_IN_MCP_PATH}.`,
    )
  }
  const { addressesOf } = createGuardedFetch()
  return await signInFromOutside(url.origin, addressesOf)
}

/** Throws `WrongUsage` for a provider that is not set up here. */
async function lookAtProvider(name: string, flags: Flags): Promise<Check[]> {
  const config = withServerAddress(readConfig(flags), flags)
  const folder = inspectFolder(config.dataFolder, Number.POSITIVE_INFINITY)
  await using database = await openToLook(config, folder, await inspectServer(config.database))
  if (!database) {
    return [
      failedCheck('storage', 'Database', 'The database cannot be read.', 'Run beckon doctor.'),
    ]
  }
  const { company, baseUrl, allowPrivateHosts } = config
  const providers = await readProviders({ read: database.read, company })
  if (providers.length === 0 && company.provider) throw new WrongUsage(NOBODY_YET)
  const provider = providers.find((one) => one.id === slugOf(name))
  if (!provider) {
    const names = providers.map(({ id }) => id).join(', ')
    throw new WrongUsage(
      names === ''
        ? 'No provider signs people in here; beckon docs company-sign-in says how to set one up.'
        : `--sign-in must be one of ${names}.`,
    )
  }
  const outside = createGuardedFetch({ allowPrivateHosts })
  const last = await readLastSignIn(database.read, provider.id)
  return await checkProvider({ outside, clock: systemClock, baseUrl }, provider, last)
}

const NOBODY_YET =
  'A provider is set, but there is no account yet: open the set-up link of beckon serve, then check again.'

async function look(flags: Flags): Promise<Check[]> {
  let config: Config
  try {
    config = withServerAddress(readConfig(flags), flags)
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error
    const cure = 'Correct the setting that it names; beckon docs configuration lists all settings.'
    return [failedCheck('configuration', 'Configuration', error.message, cure)]
  }
  const misled = await whereServiceKeeps(config)
  if (misled !== undefined) {
    const cure = 'A shell does not see the settings of a service; beckon docs service says more.'
    return [failedCheck('configuration', 'Configuration', misled, cure)]
  }
  const configured = passedCheck('configuration', 'Configuration', 'The configuration can be read.')
  const folder = inspectFolder(config.dataFolder, Number.POSITIVE_INFINITY)
  const [localChecks, tailnet] = await Promise.all([
    examineFolder(config, folder),
    tailscaleChecks(config),
  ])
  const checks = [configured, ...localChecks, ...tailnet]
  for (const { title, findTrouble } of await loadSetupClients()) {
    const trouble = findTrouble?.(homedir())
    if (trouble) checks.push(warnedCheck('people', title, trouble.said, trouble.cure))
  }
  return checks
}

async function examineFolder(config: Config, folder: FolderReport): Promise<Check[]> {
  const { allowPrivateHosts } = config
  const { fetch, addressesOf } = createGuardedFetch({ allowPrivateHosts })
  const elsewhere = await inspectServer(config.database)
  const hasData = !config.database && folder.database.state === 'read'
  const snapshots = hasData
    ? inspectSnapshots(config, systemClock.now(), Number.POSITIVE_INFINITY)
    : undefined
  const inspection = {
    config,
    clock: systemClock,
    fetch,
    addressesOf,
    folder,
    snapshots,
    channels: CHANNELS,
  }
  const world = { ...inspection, elsewhere: Promise.resolve(elsewhere) }
  await using database = await openToLook(config, folder, elsewhere)
  if (!database) return await examine({ ...world, read: undefined, authSecret: undefined })
  const secrets = await readSecrets(database.read)
  return await examine({ ...world, read: database.read, authSecret: secrets?.authSecret })
}

/** The database, if this program understands it; nothing in it is changed. */
async function openToLook(
  config: Config,
  folder: FolderReport,
  elsewhere: ServerReport | undefined,
): Promise<({ read: Read } & (Disposable | AsyncDisposable)) | undefined> {
  if (elsewhere) {
    const isReady = elsewhere.isKnown && elsewhere.missing.length === 0
    return isReady ? await lookInto(config) : undefined
  }
  const path = readable(folder)
  return path === undefined ? undefined : openReader(path)
}

function readable({ database }: FolderReport): string | undefined {
  if (database.state !== 'read' || database.damage !== undefined) return undefined
  return database.missing.length + database.foreign.length > 0 ? undefined : database.path
}

const SIGNS: Record<State, [sign: string, colour: Parameters<typeof inColour>[0]]> = {
  ok: ['✓', 'green'],
  warn: ['!', 'yellow'],
  fail: ['✗', 'red'],
  skip: ['–', 'grey'],
}

/**
 * One line per check, and last what is broken and what is doubtful, each with its cure. Names and
 * sentences come partly from outside.
 */
function asText(checks: readonly Check[], colours: boolean): string {
  const [broken, warnings] = [ofState(checks, 'fail'), ofState(checks, 'warn')]
  const fine = checks.filter(({ state }) => state === 'ok' || state === 'skip')
  const lines = [...broken, ...warnings].map(({ cure, ...check }) => {
    const line = checkLine(check, colours)
    return cure === undefined ? line : `${line}\n  → ${cleanLine(cure)}`
  })
  return [
    ...fine.map((check) => checkLine(check, colours)),
    '',
    summary(checks.length, broken.length, warnings.length),
    ...lines,
  ].join('\n')
}

function ofState(checks: readonly Check[], wantedState: State): Check[] {
  return checks.filter(({ state }) => state === wantedState)
}

function checkLine(
  { name, state, said: message, each = [message] }: Check,
  colours: boolean,
): string {
  const [sign, colour] = SIGNS[state]
  const head = `${inColour(colour, sign, colours)} ${cleanLine(name)}:`
  return each.length === 1
    ? `${head} ${cleanLine(message)}`
    : [head, ...each.map((sentence) => `  ${cleanLine(sentence)}`)].join('\n')
}

function summary(total: number, broken: number, warnings: number): string {
  const warned = warnings === 1 ? '1 warning' : `${warnings} warnings`
  if (broken > 0) return `${broken} of ${total} checks failed${warnings > 0 ? `, ${warned}` : ''}:`
  return warnings > 0 ? `Nothing is broken, ${warned}:` : 'Everything works.'
}

function asJson(checks: readonly Check[], exitCode: number): string {
  return JSON.stringify({ ok: exitCode === 0, exitCode, version: VERSION, checks }, null, 2)
}
