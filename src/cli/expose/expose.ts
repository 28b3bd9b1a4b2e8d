import { mkdirSync } from 'node:fs'
import { probeAddress, type Reachability } from '../../ask/health/reflection.ts'
import { pause, systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import { writeSettings } from '../../platform/config/settings-file.ts'
import { PORT } from '../../platform/config/values.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { withServerAddress } from '../../platform/db/server-address.ts'
import { readSecrets } from '../../platform/db/settings-store.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { DATA_OPTION, readArguments, subcommand } from '../../platform/terminal/arguments.ts'
import { terminalQr } from '../../platform/terminal/qr.ts'
import { isTerminal, note, noteDrawn, say } from '../../platform/terminal/terminal.ts'
import { readConfig, readEnvironment } from '../../settings.ts'
import { refuseBesideService } from '../service/beside-service.ts'
import { machineName, passOn, requireTailscale, servedAt } from './tailscale.ts'

const HTTPS = 443
// The first connection waits for a certificate.
const LOOKS = 8
const LOOK_EVERY_MS = 2_000
// The folder may later contain secrets.
const OWNER_ONLY = 0o700

/**
 * `beckon expose WAY`: makes the server reachable for phones; `tailscale` is the only way so far.
 */
export async function expose(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, { tailscale })
  return await way(rest)
}

async function tailscale(args: string[]): Promise<number> {
  const { 'https-port': portText, ...flags } = readArguments(args, {
    ...DATA_OPTION,
    port: { type: 'string' },
    'https-port': { type: 'string' },
  })
  const port = portText === undefined ? HTTPS : PORT.read(portText)
  if (!port) throw new WrongUsage(`--https-port must be ${PORT.must}, above 0.`)
  const config = withServerAddress(readConfig(flags), flags)
  const authSecret = await authSecretOf(config)
  const program = requireTailscale()
  const name = await machineName(program)
  const baseUrl = `https://${name}${port === HTTPS ? '' : `:${port}`}`
  const to = `http://127.0.0.1:${config.port}`
  await refuseToReplace(program, { name, port, to, baseUrl })
  await passOn(program, { port, to }, note)
  keepBaseUrl(config, baseUrl)
  const sight = await lookUntilOurs(baseUrl, authSecret)
  return report(sight, baseUrl, config)
}

async function authSecretOf(config: Config): Promise<string | undefined> {
  await refuseBesideService(config)
  await using db = await openKnownDatabase(config)
  return (await readSecrets(db.read))?.authSecret
}

type Place = { name: string; port: number; to: string; baseUrl: string }

/** Another service at that address is left alone. */
async function refuseToReplace(program: string, { name, port, to, baseUrl }: Place): Promise<void> {
  const served = await servedAt(program, { name, port })
  if (served === undefined || served === to || served === to.replace('127.0.0.1', 'localhost')) {
    return
  }
  throw new Failure(
    'conflict',
    `Tailscale already serves ${served} at ${baseUrl}; choose another port, such as --https-port 8443, or end that with tailscale serve --https=${port} off.`,
  )
}

/** The server uses it from its next start on, unless its environment overrides it. */
function keepBaseUrl({ dataFolder, database }: Config, baseUrl: string): void {
  const path = written(dataFolder, baseUrl)
  note(`Set base_url = "${baseUrl}" and trust_proxy = "loopback" in ${path}`)
  if (database) note('Other servers on the same database need the same base_url.')
  const variables = readEnvironment()
  for (const name of ['BECKON_BASE_URL', 'BECKON_TRUST_PROXY'] as const) {
    const raw = variables.get(name)
    if (raw) note(`${raw.source} is set, too, and takes precedence: remove it.`)
  }
}

/** Throws `unavailable` if the file cannot be written. */
function written(dataFolder: string, baseUrl: string): string {
  try {
    // A server on PostgreSQL may have run without a data folder.
    mkdirSync(dataFolder, { recursive: true, mode: OWNER_ONLY })
    // Tailscale replaces X-Forwarded-For by the address of the calling machine.
    return writeSettings(dataFolder, { base_url: baseUrl, trust_proxy: 'loopback' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (typeof code !== 'string' || error instanceof WrongUsage) throw error
    throw new Failure(
      'unavailable',
      `Tailscale passes ${baseUrl} on, but beckon.toml in ${dataFolder} cannot be written (${code}): set BECKON_BASE_URL=${baseUrl} and BECKON_TRUST_PROXY=loopback for the server.`,
    )
  }
}

async function lookUntilOurs(
  baseUrl: string,
  authSecret: string | undefined,
): Promise<Reachability> {
  for (let tries = LOOKS; ; tries--) {
    const sight = await probeAddress(baseUrl, authSecret, systemClock.now())
    if (sight.kind !== 'nobody' || tries === 1) return sight
    await pause(systemClock, LOOK_EVERY_MS)
  }
}

const NOT_RUNNING = 502

function report(sight: Reachability, baseUrl: string, { dataFolder, port }: Config): number {
  if (sight.kind === 'ours') {
    if (isTerminal(1)) noteDrawn(`${terminalQr(baseUrl)}\n`)
    say(baseUrl)
    note('It leads to this server. Restart the server, so that its links lead there, too;')
    note('then open it on a phone with Tailscale: Settings, Devices, "Connect a phone".')
    return EXIT.done
  }
  if (sight.kind === 'stranger' && sight.status === NOT_RUNNING) {
    say(baseUrl)
    note(`The server does not run on port ${port}: start it with beckon serve --data ${dataFolder}`)
    return EXIT.done
  }
  const why = sight.kind === 'nobody' ? `nothing answers: ${sight.why}` : 'something else answers'
  throw new Failure(
    'unavailable',
    `Tailscale passes ${baseUrl} on, but seen from here ${why}. Run beckon doctor.`,
  )
}
