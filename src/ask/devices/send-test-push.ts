import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newId, type SubscriberId } from '../../platform/ids.ts'
import type { Person } from '../accounts/person.ts'
import { DEVICES_PATH } from '../delivery/addresses.ts'
import { originOf } from '../delivery/channel.ts'
import type { DirectPost } from '../delivery/post.ts'
import type { Receipt } from '../delivery/receipts.ts'
import { ownDevice } from './devices.ts'
import type { Subscriber } from './subscriber.ts'

export type TestPushDeps = { db: Db; clock: Clock; post: DirectPost }

/** What really came back for one device. */
export type TestPush = {
  accepted: boolean
  outcome: Receipt['outcome']
  /** HTTP status of the push service; 0 when none came back. */
  status: number
  /** One or two sentences for the person who looks at the device. */
  said: string
}

// A test that comes an hour later would only puzzle.
const LIFE_MS = 60_000

/**
 * Sends a push to one device and waits for what its push service says of it, about 10 s at most.
 * Throws `not_found` and `forbidden`.
 */
export async function sendTestPush(
  deps: TestPushDeps,
  person: Person,
  id: SubscriberId,
): Promise<TestPush> {
  const device = await ownDevice(deps, person, id)
  const now = deps.clock.now()
  const parcel = {
    subjectId: newId('n', now),
    expiresAt: now + LIFE_MS,
    message: {
      kind: 'test',
      title: 'This device is connected',
      body: `Beckon reaches ${device.label}.`,
      tag: 'test',
      url: DEVICES_PATH,
      urgency: 'high',
    } as const,
  }
  const receipt = await deps.post.sendNow(parcel, device)
  const { outcome, status } = receipt
  return { accepted: outcome === 'accepted', outcome, status, said: inWords(receipt, device) }
}

function inWords(receipt: Receipt, device: Subscriber): string {
  switch (receipt.outcome) {
    case 'accepted':
      return `${serviceOf(device)} took the message (${receipt.status}). If nothing appears within a few seconds, the device itself holds it back: look at its notification settings.`
    case 'gone':
      return `${receipt.reason} The device was removed from the list; connect it again on the device itself.`
    case 'later':
      return `${receipt.reason} A real message would be tried again; this test was not.`
    case 'refused':
      return receipt.reason
  }
}

const SERVICES: ReadonlyArray<[RegExp, string]> = [
  [/(^|\.)googleapis\.com$/, 'Google’s push service'],
  [/(^|\.)mozilla\.com$/, 'Mozilla’s push service'],
  [/(^|\.)push\.apple\.com$/, 'Apple’s push service'],
  [/(^|\.)windows\.com$/, 'Microsoft’s push service'],
]

function serviceOf(device: Subscriber): string {
  const host = URL.parse(originOf(device))?.hostname ?? ''
  if (device.transport === 'slack') return 'Slack'
  if (device.transport === 'ntfy') return `The ntfy server at ${host}`
  return SERVICES.find(([sign]) => sign.test(host))?.[1] ?? `The push service at ${host}`
}
