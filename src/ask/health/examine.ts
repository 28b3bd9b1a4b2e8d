import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { isLoopbackName } from '../../platform/config/origins.ts'
import type { Read } from '../../platform/db/database.ts'
import type { FolderReport } from '../../platform/db/inspect-folder.ts'
import type { SnapshotReport } from '../../platform/db/snapshots.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listWorkspaces } from '../accounts/model/workspace-store.ts'
import { type Check, failedCheck, passedCheck, skippedCheck } from '../check.ts'
import type { ChannelModule } from '../delivery/channel-module.ts'
import { readDocumentFailure } from '../oauth/document-failures.ts'
import { listSubscribers } from '../subscribers/model/store.ts'
import { watchChecks } from '../watches/watch-check.ts'
import { baseUrlCheck, httpsCheck, proxyCheck, streamCheck } from './address-checks.ts'
import { approverChecks } from './approver-check.ts'
import { companyChecks } from './company-check.ts'
import type { ServerReport } from './database-checks.ts'
import { hookCheck } from './hook-check.ts'
import { ownHttpsChecks } from './https-checks.ts'
import { ownerChecks } from './owner-check.ts'
import { deviceChecks, personCheck, sessionCheck, tokenCheck } from './people-checks.ts'
import { policyFileChecks } from './policy-file-check.ts'
import { alarmChecks, clockCheck, reachServices, servicesCheck } from './push-checks.ts'
import { probeAddress, type Reachability } from './reflection.ts'
import { rotaChecks } from './rota-check.ts'
import { mcpCheck, othersCheck, readyCheck, serverCheck } from './server-checks.ts'
import { signInChecks } from './sign-in-checks.ts'
import { snapshotCheck } from './snapshot-check.ts'
import { storageChecks } from './storage-checks.ts'
import { timeChecks } from './time-check.ts'

/** Everything that the checks read. */
export type World = {
  config: Config
  clock: Clock
  /** For push services; the addresses of this server are requested without the guard. */
  fetch: GuardedFetch['fetch']
  addressesOf: GuardedFetch['addressesOf']
  folder: FolderReport
  /** Undefined where the data is not in the folder. */
  snapshots: SnapshotReport | undefined
  /** The database that is not in the folder; looking at it may take seconds. */
  elsewhere: Promise<ServerReport | undefined>
  channels: readonly ChannelModule[]
  /** The database; undefined if it cannot be read. */
  read: Read | undefined
  /** Undefined if the server never ran. */
  authSecret: string | undefined
  /** The workspace whose people, devices and tokens count; every workspace if not given. */
  workspaceId?: WorkspaceId
}

/**
 * Checks each link between an agent and a person at the same time; ends within seconds also without
 * a network. Never throws for what it finds.
 */
export async function examine(world: World): Promise<Check[]> {
  const { config, clock, folder, snapshots, elsewhere, authSecret } = world
  const here = localOrigin(config)
  const lookingHere = probeAddress(here, authSecret, clock.now())
  const direct = isSame(here, config.baseUrl)
  const lookingThere = direct ? lookingHere : probeAddress(config.baseUrl, authSecret, clock.now())
  const there = lookingThere.then((sight) => ({ sight, at: clock.now() }))
  const by = config.https ? 'this server' : 'the proxy'
  const https = httpsCheck(config.baseUrl, clock.now(), by)
  const parts = await Promise.all([
    elsewhere.then((report) => storageChecks(folder, report)),
    snapshots ? [snapshotCheck(snapshots)] : [],
    secretChecks(world),
    world.read ? timeChecks(world.read) : [],
    lookingHere.then((sight) => serverChecks(world, { here, sight, direct })),
    there.then(async ({ sight }) =>
      addressChecks(world, sight, await https, direct ? undefined : here),
    ),
    ownHttpsChecks(world),
    peopleAndPush(world, there, direct),
  ])
  return parts.flat()
}

function secretChecks({ read, authSecret }: World): Check[] {
  if (!read) return []
  if (authSecret) return [passedCheck('storage', 'Keys', 'The keys of the server are there.')]
  const cure = 'Start the server once with beckon serve; it makes them.'
  return [failedCheck('storage', 'Keys', 'There are no keys of the server yet.', cure)]
}

/** `direct`: no other address is known that could lead to a server. */
async function serverChecks(
  { config, folder, elsewhere }: World,
  { here, sight, direct }: { here: string; sight: Reachability; direct: boolean },
): Promise<Check[]> {
  // Waits for the database only if nobody answers.
  const others = sight.kind === 'nobody' ? ((await elsewhere)?.servers ?? []) : []
  const server =
    others.length > 0
      ? othersCheck(here, others, direct)
      : serverCheck(here, sight, { ofDatabase: config.database !== undefined, path: folder.path })
  if (sight.kind === 'nobody' || server.state === 'fail') return [server]
  return [server, ...(await Promise.all([readyCheck(here), mcpCheck('server', here)]))]
}

/** `here` is where the server listens, if the base URL is another address. */
async function addressChecks(
  world: World,
  sight: Reachability,
  https: Check,
  here: string | undefined,
): Promise<Check[]> {
  const direct = here === undefined
  const { baseUrl } = world.config
  // The check of the server already says that nothing, or something else, answers there.
  if (direct && sight.kind !== 'ours') {
    return [skippedCheck('address', 'Base URL', 'It is the address of the server above.'), https]
  }
  const checks = [
    baseUrlCheck(baseUrl, sight, here ?? baseUrl),
    https,
    proxyCheck(baseUrl, sight, direct),
  ]
  if (sight.kind !== 'ours') return [...checks, streamCheck(sight)]
  const { addressesOf, config, read } = world
  const failure = read && (await readDocumentFailure(read))
  const [mcp, signIn] = await Promise.all([
    direct ? [] : mcpCheck('address', baseUrl),
    signInChecks({ baseUrl, oauth: config.oauth.signIn }, here ?? baseUrl, addressesOf, failure),
  ])
  return [...checks, streamCheck(sight), mcp, signIn].flat()
}

async function peopleAndPush(
  world: World,
  there: Promise<{ sight: Reachability; at: number }>,
  direct: boolean,
): Promise<Check[]> {
  const { read, config, clock, fetch, addressesOf, channels } = world
  if (!read) return [skippedCheck('people', 'People', 'The database cannot be read.')]
  const workspaces = world.workspaceId
    ? [world.workspaceId]
    : (await listWorkspaces(read)).map(({ id }) => id)
  const lists = await Promise.all(workspaces.map((id) => listSubscribers(read, id)))
  const devices = lists.flat()
  const [services, base, alarms, ofChannels, person, rules, token, owners, session, hooks] =
    await Promise.all([
      reachServices(fetch, clock, devices),
      // On the same machine both clocks are the same, which proves nothing.
      there.then(({ sight, at }) =>
        'headers' in sight && !direct ? { headers: sight.headers, at } : undefined,
      ),
      alarmChecks(read, new Set(channels.map(({ ownAlarm }) => ownAlarm))),
      Promise.all(
        channels.map(
          async ({ check }) =>
            (await check?.({ config, clock, fetch, addressesOf, read, devices })) ?? [],
        ),
      ),
      personCheck(read, config.company, workspaces, clock.now()),
      Promise.all([
        ...[approverChecks, watchChecks, rotaChecks].map((check) =>
          check(read, workspaces, clock.now()),
        ),
        policyFileChecks(read, config.policyFile.path),
        companyChecks(read, config.company, workspaces, clock.now()),
      ]),
      tokenCheck(read, workspaces),
      ownerChecks(read, workspaces),
      sessionCheck(read, workspaces, clock.now()),
      hookCheck(read, workspaces, clock.now()),
    ])
  return [
    ...ofChannels.flat(),
    servicesCheck(services),
    clockCheck(services, base),
    ...alarms,
    person,
    ...rules.flat(),
    ...deviceChecks(devices, clock.now()),
    token,
    ...owners,
    session,
    hooks,
  ]
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]'])

/** The local address of a server that listens on `host`. */
export function localOrigin({ host, port }: Config): string {
  const name = ANY_ADDRESS.has(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function isSame(here: string, baseUrl: string): boolean {
  const [own, configured] = [new URL(here), new URL(baseUrl)]
  if (own.origin === configured.origin) return true
  const bothLoopback = isLoopbackName(own.hostname) && isLoopbackName(configured.hostname)
  return bothLoopback && own.port === configured.port && configured.protocol === 'http:'
}
