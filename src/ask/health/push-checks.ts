import type { Clock } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import type { Fetched, GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, failedCheck, passedCheck, skippedCheck } from '../check.ts'
import { serviceOrigin } from '../delivery/model/channel.ts'
import { listAlarms } from '../delivery/model/store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'

// All devices use a handful of services; more are not checked.
const ORIGINS_MAX = 8
const TIMEOUT_MS = 4_000
// Push services refuse signatures that are off by a few minutes; a minute is already a fault.
const SKEW_MAX_MS = 60_000

/** Problems that the server noticed and that are not solved; `others` have a check of their own. */
export async function alarmChecks(
  read: Read,
  others: ReadonlySet<string | undefined>,
): Promise<Check[]> {
  const alarms = (await listAlarms(read)).filter(({ text }) => !others.has(text))
  if (alarms.length === 0) return [passedCheck('push', 'Alarms', 'There is no alarm.')]
  return alarms.map(({ name, text }) =>
    failedCheck(
      'push',
      text.startsWith(name) ? 'Alarm' : `Alarm: ${cutText(cleanLine(name), 80)}`,
      cutText(cleanLine(text), 400),
      'Do what it says; the alarm ends with the next message that gets through.',
    ),
  )
}

/** The response of a push service, and the time it reported. */
export type PushService = { origin: string; fetched: Fetched; at: number }

export async function reachServices(
  fetch: GuardedFetch['fetch'],
  clock: Clock,
  devices: readonly Subscriber[],
): Promise<PushService[]> {
  // A mailbox is not an address that can be requested.
  const all = devices.map(serviceOrigin).filter((origin) => origin !== 'mailto:')
  const origins = [...new Set(all)].slice(0, ORIGINS_MAX)
  return await Promise.all(
    origins.map(async (origin) => {
      const fetched = await fetch(origin, { method: 'HEAD', timeoutMs: TIMEOUT_MS, maxBytes: 0 })
      return { origin, fetched, at: clock.now() }
    }),
  )
}

export function servicesCheck(services: readonly PushService[]): Check {
  const name = 'Push services'
  if (services.length === 0) return skippedCheck('push', name, 'No device, so no service to reach.')
  const lost = services.flatMap(({ origin, fetched }) =>
    fetched.outcome === 'answered' ? [] : [`${cutText(origin, 100)}: ${fetched.reason}`],
  )
  if (lost.length === 0) {
    const hosts = services.map(({ origin }) => URL.parse(origin)?.host ?? '').join(', ')
    return passedCheck('push', name, `Reached: ${hosts}.`)
  }
  return failedCheck('push', name, `Not reached: ${lost.join(' ')}`, cureOf(services))
}

/** Addresses that must not be requested come first: no network change solves that. */
function cureOf(services: readonly PushService[]): string {
  const blocked = services.filter(({ fetched }) => fetched.outcome === 'blocked')
  if (blocked.length === 0) {
    return 'Let this machine reach the internet over https; see firewall, DNS and proxy.'
  }
  const hosts = blocked.map(({ origin }) => URL.parse(origin)?.hostname ?? '').join(', ')
  return `If it is yours, name ${cutText(hosts, 100)} in BECKON_ALLOW_PRIVATE_HOSTS, for the server and here.`
}

/**
 * Checks that this machine's clock agrees with that of the push services, or else with that of the
 * base URL.
 */
export function clockCheck(
  services: readonly PushService[],
  base: { headers: Headers; at: number } | undefined,
): Check {
  const name = 'Clock'
  const skews = services.flatMap(({ origin, fetched, at }) =>
    fetched.outcome === 'answered' ? skewOf(fetched.headers, at, origin) : [],
  )
  const usable = skews.length > 0 || !base ? skews : skewOf(base.headers, base.at, 'the base URL')
  const worst = usable.toSorted((a, b) => Math.abs(b.ms) - Math.abs(a.ms))[0]
  if (!worst) return skippedCheck('push', name, 'There was no service to compare the time with.')
  const seconds = Math.round(Math.abs(worst.ms) / 1000)
  if (Math.abs(worst.ms) <= SKEW_MAX_MS) {
    return passedCheck('push', name, `This machine and ${worst.from} agree on the time.`)
  }
  const way = worst.ms > 0 ? 'ahead of' : 'behind'
  return failedCheck(
    'push',
    name,
    `This machine's clock is ${seconds} s ${way} that of ${worst.from}.`,
    'Set the clock, and keep it set (NTP); push services refuse signatures from another time.',
  )
}

function skewOf(headers: Headers, at: number, from: string): Array<{ ms: number; from: string }> {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? [] : [{ ms: at - date, from }]
}
