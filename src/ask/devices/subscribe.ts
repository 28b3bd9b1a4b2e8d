import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Failure, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { auditStamp, type RecordedChange } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { deviceKey } from '../delivery/model/links.ts'
import type { ConnectContract, DeviceChannel } from '../subscribers/model/connect.ts'
import { findSubscriberByEndpoint, saveSubscriber } from '../subscribers/model/store.ts'
import type { SubscribeInput } from '../subscribers/model/subscribe-fields.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import { readExternalId, readLabel, readTags } from './change-device.ts'

export type SubscribeDeps = {
  db: Db
  clock: Clock
  channels: readonly DeviceChannel[]
  /** Checks whether an address may be requested at all. */
  outside: Pick<GuardedFetch, 'refusal'>
  quickAnswerSecret: string
}

export type SubscribingPerson = {
  workspaceId: WorkspaceId
  personId: PersonId
  /** The e-mail address of the account, for channels that only reach that address. */
  email?: string
  userAgent: string | undefined
  /** The sign-in of the browser or the app that asks. */
  signInId?: string | undefined
}

/** The device, and the key with which it may report for itself. */
export type Subscribed = { device: Subscriber; deviceKey: string }

/**
 * Connects a device for the person who is signed in on it. A device that subscribes again keeps the
 * fields it does not send; a browser belongs to whoever is signed in there, a topic to whoever
 * connected it first. Throws `invalid_input`.
 */
export async function subscribe(
  deps: SubscribeDeps,
  input: SubscribeInput,
  by: SubscribingPerson,
): Promise<Subscribed> {
  const { db, clock, outside, quickAnswerSecret } = deps
  const connect = connectOf(deps.channels, input)
  const { workspaceId, personId, userAgent } = by
  const now = clock.now()
  const subscription = connect.read(input, outside.refusal)
  const own = connect.ownEndpoint?.(by.email ?? '')
  if (own !== undefined && own !== subscription.endpoint) throw notOwn()
  const existing = await findSubscriberByEndpoint(db.read, workspaceId, subscription.endpoint)
  if (connect.keepsOwner && existing?.personId && existing.personId !== personId)
    throw takenFailure()
  const typed = cleanLine(input.label ?? '') && readLabel(input.label ?? '')
  const label = typed || existing?.label || connect.label(input, userAgent)
  const candidate: Subscriber = {
    ...subscription,
    authorization: subscription.authorization ?? existing?.authorization,
    id: newId('sub', now),
    workspaceId,
    personId,
    kind: input.kind,
    transport: input.transport,
    label,
    externalId: readExternalId(input.externalId ?? '') ?? existing?.externalId,
    tags: input.tags ? readTags(input.tags) : (existing?.tags ?? []),
    // Other channels are connected from a browser, but are not that browser.
    signInId: connect.renews && by.signInId,
    userAgent: userAgent && cutText(cleanLine(userAgent), USER_AGENT_MAX),
    createdAt: now,
    lastSuccessAt: undefined,
    lastErrorAt: undefined,
    lastError: undefined,
    lastShownAt: undefined,
    lastOpenedAt: undefined,
  }
  const stamp = auditStamp(now)
  const device = await db.write(async (tx) => {
    const saved = await saveSubscriber(tx, candidate)
    // Also recorded when a browser now belongs to another person.
    if (saved.id === candidate.id || existing?.personId !== personId) {
      await recordChange(tx, stamp, connected({ ...candidate, id: saved.id }))
    }
    tx.emit('subscriber', workspaceId)
    return saved
  })
  return { device, deviceKey: deviceKey(quickAnswerSecret, device.id) }
}

// Knowing the address of a browser proves having it; this does not hold for every channel.
function takenFailure(): Failure {
  return wrongFields([
    { field: 'endpoint', must: 'must be a different topic: somebody else has connected this one' },
  ])
}

function notOwn(): Failure {
  return wrongFields([
    { field: 'endpoint', must: 'must be the e-mail address of your own account' },
  ])
}

function connectOf(
  channels: readonly DeviceChannel[],
  { transport, kind }: SubscribeInput,
): ConnectContract {
  const channel = channels.find(({ name }) => name === transport)
  if (!channel?.connect) throw new Error(`No channel connects devices of ${transport}`)
  const { connect, kinds } = channel
  if (kinds.includes(kind)) return connect
  throw wrongFields([{ field: 'kind', must: `must be ${kinds.join(' or ')} for ${transport}` }])
}

function connected({ workspaceId, personId, id, label, kind }: Subscriber): RecordedChange {
  const subject = { subjectId: id, subjectName: label, detail: kind }
  return { workspaceId, kind: 'device.connected', personId: personId ?? null, ...subject }
}

const USER_AGENT_MAX = 300
