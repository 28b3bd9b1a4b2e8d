import type { Config } from '../../platform/config/config.ts'
import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { isForNobody } from '../accounts/model/agent.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listInvitations } from '../accounts/model/invitation-store.ts'
import { listPeople, whoCanSignIn } from '../accounts/model/person-store.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import {
  type Check,
  failedCheck,
  notYet,
  passedCheck,
  skippedCheck,
  warnedCheck,
} from '../check.ts'
import { readProviders } from '../company/providers.ts'
import { listDirectories, listDirectoryPeople } from '../directory/model/store.ts'
import { listSessions } from '../sessions/model/store.ts'
import { failsNow, type SilentWhy, type Subscriber } from '../subscribers/model/subscriber.ts'

const DAY_MS = 24 * 3600 * 1000
const SESSION_DAYS = 7
const SESSIONS_MAX = 1_000
// One row each, up to this many; a hundredth phone shows nothing new.
const DEVICES_MAX = 30

/** Checks that there is a person to answer who can sign in. */
export async function personCheck(
  read: Read,
  company: Config['company'],
  workspaces: readonly WorkspaceId[],
  now: number,
): Promise<Check> {
  const name = 'People'
  const [listed, ways] = await Promise.all([listPeople(read), whoCanSignIn(read)])
  const members = listed.filter(
    ({ workspaceId, offAt }) => offAt === null && workspaces.includes(workspaceId),
  )
  const ids = new Set(members.map(({ id }) => id))
  if (ids.size === 0) {
    const cure = 'Open the set-up link that beckon serve prints, or run beckon user add --email E.'
    return failedCheck('people', name, 'Nobody has an account, so nobody can answer.', cure)
  }
  const without = [...ids].filter((id) => !ways.has(id))
  const can = ids.size - without.length
  const invited = await listInvitations(read, without, now)
  const awaited = await awaitedByProvider(read, company, workspaces)
  const coming = without.filter((id) => !invited.has(id) && awaited.has(id)).length
  const shutOut = without.length - invited.size - coming
  if (can > 0 && shutOut === 0) {
    const message = `${can === 1 ? 'One person' : `${can} people`} can sign in`
    const more = invited.size > 0 ? `; ${invited.size} more invited, the link is not used yet` : ''
    const others = coming > 0 ? `; ${coming} more of a directory, who have not signed in yet` : ''
    return passedCheck('people', name, `${message}${more}${others}.`)
  }
  const sentence = `${can > 0 ? shutOut : ids.size} of ${ids.size} have neither a password nor a passkey.`
  const cure = 'Run beckon user reset --email E for each; it prints a one-time link.'
  return can === 0
    ? failedCheck('people', name, sentence, cure)
    : warnedCheck('people', name, sentence, cure)
}

/** Whom a directory made where a provider lets them in: nobody has to invite them. */
async function awaitedByProvider(
  read: Read,
  company: Config['company'],
  workspaces: readonly WorkspaceId[],
): Promise<ReadonlySet<string>> {
  const providers = await readProviders({ read, company })
  const entered = workspaces.filter((id) => providers.some((one) => one.workspaceId === id))
  const all = (await Promise.all(entered.map((id) => listDirectories(read, id)))).flat()
  const people = await Promise.all(all.map((one) => listDirectoryPeople(read, one)))
  return new Set(people.flat().map(({ personId }) => personId))
}

/** Checks that there are devices, and that the last delivery to each succeeded. */
export function deviceChecks(devices: readonly Subscriber[], now: number): Check[] {
  if (devices.length === 0) {
    const cure = 'Open Settings, Devices in a browser or on a phone, and connect it.'
    return [
      notYet(failedCheck('people', 'Devices', 'No device is connected, so nothing rings.', cure)),
    ]
  }
  const rows = devices
    .slice(0, DEVICES_MAX)
    .map((device): Check => ({ ...deviceCheck(device, now), of: 'device' }))
  if (!devices.every(failsNow)) return rows
  const cure = 'Send a test from Settings, Devices; reconnect what stays silent.'
  return [
    failedCheck(
      'push',
      'Devices',
      'Nothing rings: the last message to each device went wrong, or its browser hides it.',
      cure,
    ),
    ...rows,
  ]
}

function deviceCheck(device: Subscriber, now: number): Check {
  const name = `Device ${cutText(cleanLine(device.label), 60)}`
  const { lastSuccessAt, lastErrorAt, lastError, lastShownAt, silentWhy } = device
  const lastShown = lastShownAt === undefined ? '' : `, shown ${ago(now - lastShownAt)}`
  if (silentWhy) {
    const cure = 'Connect it again, on that device: Settings, Devices.'
    return warnedCheck('push', name, `Nothing rings on it: ${SILENT[silentWhy]}`, cure)
  }
  if (failsNow(device)) {
    const when = ago(now - (lastErrorAt ?? now))
    const good = lastSuccessAt === undefined ? 'never' : ago(now - lastSuccessAt)
    const why = cutText(cleanLine(lastError ?? 'Refused'), 200)
    const message = `${why} (${when}; accepted: ${good}${lastShown})`
    return warnedCheck(
      'push',
      name,
      message,
      'Send a test from Settings, Devices, or reconnect it.',
    )
  }
  if (lastSuccessAt === undefined) {
    const message = 'Connected, but nothing was sent to it yet.'
    return notYet(warnedCheck('people', name, message, 'Send a test from Settings, Devices.'))
  }
  return passedCheck('people', name, `Accepted ${ago(now - lastSuccessAt)}${lastShown}.`)
}

/** Reasons why a browser cannot show messages, as it last reported. */
const SILENT: Record<SilentWhy, string> = {
  permission: 'its browser no longer lets this site notify.',
  missing: 'its browser has dropped the subscription.',
  different: 'its browser has another subscription than this server knows.',
}

/** Checks that there is a token, and that an agent has used one. */
export async function tokenCheck(read: Read, workspaces: readonly WorkspaceId[]): Promise<Check> {
  const name = 'Agent tokens'
  const lists = await Promise.all(workspaces.map((id) => listTokens(read, id)))
  const live = lists.flat().filter((token) => token.revokedAt === null && !isForNobody(token))
  if (live.length === 0) {
    const cure = 'Make one under Settings, Agent tokens, or run beckon key create --name N.'
    return notYet(failedCheck('people', name, 'There is no token, so no agent can call.', cure))
  }
  const used = live.filter(({ lastUsedAt }) => lastUsedAt !== null).length
  if (used > 0) {
    const message =
      live.length === 1 ? 'One token, in use.' : `${live.length} tokens, ${used} in use.`
    return passedCheck('people', name, message)
  }
  const count = live.length === 1 ? 'One token' : `${live.length} tokens`
  const cure =
    'Ask the agent to use beckon; the page of its client in docs/clients says how to check.'
  return notYet(warnedCheck('people', name, `${count}, but no agent has called yet.`, cure))
}

/** Checks that agents name their sessions; calls without one are served all the same. */
export async function sessionCheck(
  read: Read,
  workspaces: readonly WorkspaceId[],
  now: number,
): Promise<Check> {
  const name = 'Sessions'
  const since = now - SESSION_DAYS * DAY_MS
  const lists = await Promise.all(
    workspaces.map((id) => listSessions(read, { workspaceId: id }, since, SESSIONS_MAX)),
  )
  const sessions = lists.flat()
  const [latest] = sessions.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)
  if (!latest) {
    return skippedCheck('people', name, `No session was seen in the last ${SESSION_DAYS} days.`)
  }
  const count = sessions.length === 1 ? 'One session' : `${sessions.length} sessions`
  const message = `${count} in the last ${SESSION_DAYS} days, the latest ${ago(now - latest.lastSeenAt)}.`
  return passedCheck('people', name, message)
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / (24 * 60))} days ago`
}
