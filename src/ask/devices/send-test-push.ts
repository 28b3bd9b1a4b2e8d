import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import type { DeliveryReceipt } from '../delivery/model/channel.ts'
import { DEVICES_PATH } from '../delivery/model/links.ts'
import type { DirectSender } from '../delivery/model/sender.ts'
import type { DeviceChannel } from '../subscribers/model/connect.ts'
import type { Subscriber, SubscriberId } from '../subscribers/model/subscriber.ts'
import { ownDevice } from './devices.ts'

export type TestPushDeps = {
  db: Db
  clock: Clock
  sender: DirectSender
  channels: readonly DeviceChannel[]
}

/** The result of a test push to one device. */
export type TestPush = {
  accepted: boolean
  outcome: DeliveryReceipt['outcome']
  /** HTTP status of the push service; 0 without a response. */
  status: number
  /** One or two sentences for the person on the devices page. */
  said: string
}

// A test that arrives an hour later would only confuse.
const LIFE_MS = 60_000

/**
 * Sends a push to one device and waits for its push service's answer, about 10 s at most. Throws
 * `not_found` and `forbidden`.
 */
export async function sendTestPush(
  deps: TestPushDeps,
  person: Person,
  id: SubscriberId,
): Promise<TestPush> {
  const device = await ownDevice(deps, person, id)
  const now = deps.clock.now()
  const delivery = {
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
  const receipt = await deps.sender.sendNow(delivery, device)
  const { outcome, status } = receipt
  return {
    accepted: outcome === 'accepted',
    outcome,
    status,
    said: inWords(receipt, serviceOf(deps, device)),
  }
}

function inWords(receipt: DeliveryReceipt, service: string): string {
  switch (receipt.outcome) {
    case 'accepted':
      return `${service} took the message (${receipt.status}). If nothing appears within a few seconds, the device itself is hiding it: check its notification settings.`
    case 'gone':
      return `${ended(receipt.reason)} The device was removed from the list; connect it again on the device itself.`
    case 'later':
      return `${ended(receipt.reason)} A real message would be tried again; this test was not.`
    case 'refused':
      return receipt.reason
  }
}

/** As a sentence: a reason that ends with what a service said may have no full stop. */
function ended(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}

function serviceOf({ channels }: TestPushDeps, device: Subscriber): string {
  const channel = channels.find(({ name }) => name === device.transport)
  return channel?.service(device) ?? 'The service'
}
