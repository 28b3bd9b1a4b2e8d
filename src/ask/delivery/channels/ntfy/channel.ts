import type { Clock } from '../../../../platform/clock.ts'
import type { Fetched, GuardedFetch } from '../../../../platform/outgoing/guarded-fetch.ts'
import { type NtfyTopic, topicOf } from '../../../devices/ntfy-topic.ts'
import type { Subscriber } from '../../../devices/subscriber.ts'
import type { Channel, Parcel } from '../../channel.ts'
import type { Receipt } from '../../receipts.ts'
import { PUBLICATION_MAX, PUBLICATION_SMALL, publicationFor } from './publication.ts'
import { readNtfyReceipt } from './receipt.ts'

export type NtfyOptions = {
  fetch: GuardedFetch['fetch']
  clock: Clock
  baseUrl: string
  quickAnswerSecret: string
}

// A server that takes longer is in trouble; the next attempt finds it better.
const TIMEOUT_MS = 10_000

/** Topics of ntfy servers, public or one's own (docs.ntfy.sh: Publish as JSON). */
export function createNtfy(options: NtfyOptions): Channel {
  const { clock, baseUrl, quickAnswerSecret } = options

  function publish(
    parcel: Parcel,
    device: Subscriber,
    to: NtfyTopic,
    how: { most: number; signal: AbortSignal },
  ): Promise<Fetched> {
    const { most, signal } = how
    const { authorization } = device
    return options.fetch(`${to.server}/`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      body: publicationFor(parcel, device, to, { baseUrl, quickAnswerSecret, most }),
      signal,
      timeoutMs: TIMEOUT_MS,
    })
  }

  async function send(parcel: Parcel, device: Subscriber, signal: AbortSignal): Promise<Receipt> {
    const to = topicOf(device.endpoint)
    if (!to) return { outcome: 'refused', status: 0, reason: NO_TOPIC }
    let fetched = await publish(parcel, device, to, { most: PUBLICATION_MAX, signal })
    if (fetched.outcome === 'answered' && fetched.status === 413) {
      fetched = await publish(parcel, device, to, { most: PUBLICATION_SMALL, signal })
    }
    const { host } = new URL(to.server)
    return readNtfyReceipt(fetched, { host, topic: to.topic, now: clock.now() })
  }

  return { transport: 'ntfy', send }
}

const NO_TOPIC = 'The address of the topic is not valid; it has to be added again.'
