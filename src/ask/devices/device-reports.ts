import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { verifyDeviceKey, verifyQuickKey } from '../delivery/model/links.ts'
import { recordDisplay } from '../delivery/model/seen-store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { NOT_ONE_TAP, offersYes } from '../questions/model/message-parts.ts'
import { findQuestion } from '../questions/model/store.ts'
import type { DeviceChannel } from '../subscribers/model/connect.ts'
import { linkSignIn } from '../subscribers/model/sign-in-store.ts'
import {
  findSubscriberByEndpoint,
  forgetSubscriber,
  moveSubscriber,
  readSubscribers,
  recordSeen,
  recordSilence,
} from '../subscribers/model/store.ts'
import type { OwnLookInput, RenewInput, SeenInput } from '../subscribers/model/subscribe-fields.ts'
import type { SilentWhy, Subscriber, SubscriberId } from '../subscribers/model/subscriber.ts'
import type { QuestionId } from '../wire/ids.ts'

/** The person who is signed in in the browser that a device is. */
type OwnSignIn = { id: string; personId: PersonId }

/** Reports of a device about itself, authenticated by its own key instead of a session. */
export type DeviceReportDeps = {
  db: Db
  clock: Clock
  channels: readonly DeviceChannel[]
  outside: Pick<GuardedFetch, 'refusal'>
  quickAnswerSecret: string
}

/**
 * The device showed a message, or somebody tapped one. The first report of each counts, and a
 * device can only report about its own messages. Throws `forbidden`.
 */
export async function reportSeen(
  deps: DeviceReportDeps,
  subscriberId: SubscriberId,
  what: 'shown' | 'opened',
  { key, id, kind }: SeenInput,
): Promise<void> {
  const { workspaceId } = await speaking(deps, subscriberId, key)
  const at = deps.clock.now()
  await deps.db.write(async (tx) => {
    const about = { subscriberId, subjectId: id ?? '', kind, what, at }
    // A repeated report does not count as a sign of the device either.
    if ((await recordDisplay(tx, about)) === 'known') return
    await recordSeen(tx, subscriberId, { what, at })
    tx.emit('subscriber', workspaceId)
  })
}

/**
 * A browser reports its own state. It is stored if nothing can ring there, and cleared if something
 * can; so is its sign-in. Resolves to the reason why nothing rings; undefined if all is well. Throws
 * `forbidden`.
 */
export async function reportOwnLook(
  deps: DeviceReportDeps,
  id: SubscriberId,
  look: OwnLookInput,
  signIn?: OwnSignIn | undefined,
): Promise<SilentWhy | undefined> {
  const device = await speaking(deps, id, look.key)
  const why = whySilent(device, look)
  const isLinked = !signIn || signIn.id === device.signInId
  if (why === device.silentWhy && isLinked) return why
  const since = deps.clock.now()
  await deps.db.write(async (tx) => {
    if (signIn) await linkSignIn(tx, id, signIn)
    await recordSilence(tx, id, why && { why, since })
    tx.emit('subscriber', device.workspaceId)
  })
  return why
}

function whySilent(
  { endpoint }: Subscriber,
  { permission, endpointHash }: OwnLookInput,
): SilentWhy | undefined {
  if (permission !== 'granted') return 'permission'
  if (endpointHash === undefined) return 'missing'
  return sha256(endpoint) === endpointHash ? undefined : 'different'
}

/** The device's browser changed its subscription. Throws `forbidden` and `invalid_input`. */
export async function renewSubscription(
  deps: DeviceReportDeps,
  id: SubscriberId,
  input: RenewInput,
  signIn?: OwnSignIn | undefined,
): Promise<void> {
  const { workspaceId, transport, kind } = await speaking(deps, id, input.key)
  const connect = deps.channels.find(({ name }) => name === transport)?.connect
  // The credentials of another channel must not be sent to a new address.
  if (!connect?.renews) throw notThisDevice()
  const subscription = connect.read({ kind, transport, ...input }, deps.outside.refusal)
  const stamp = auditStamp(deps.clock.now())
  await deps.db.write(async (tx) => {
    // The page may have subscribed again before its service worker was notified.
    const other = await findSubscriberByEndpoint(tx, workspaceId, subscription.endpoint)
    if (other && other.id !== id) {
      await forgetSubscriber(tx, workspaceId, other.id)
      await recordChange(tx, stamp, {
        workspaceId,
        kind: 'device.removed',
        detail: 'The same device connected again.',
        subjectId: other.id,
        subjectName: other.label,
      })
    }
    await moveSubscriber(tx, id, subscription)
    if (signIn) await linkSignIn(tx, id, signIn)
    tx.emit('subscriber', workspaceId)
  })
}

/**
 * The device whose notification button answers with this key. Throws `forbidden`, also for a
 * question whose notifications have no answer button.
 */
export async function quickAnswerer(
  { db, clock, quickAnswerSecret }: Pick<DeviceReportDeps, 'db' | 'clock' | 'quickAnswerSecret'>,
  quick: { questionId: QuestionId; subscriberId: string; key: string },
): Promise<Subscriber> {
  const id = quick.subscriberId as SubscriberId
  if (!verifyQuickKey(quickAnswerSecret, quick.questionId, id, quick.key)) throw notThisDevice()
  const device = await connected(db, id)
  const question = await findQuestion(db.read, device.workspaceId, quick.questionId)
  const isOpen = question && statusAt(question, clock.now()) === 'pending'
  if (isOpen && !offersYes(question)) throw new Failure('forbidden', NOT_ONE_TAP)
  return device
}

async function speaking(
  { db, quickAnswerSecret }: DeviceReportDeps,
  id: SubscriberId,
  key: string,
): Promise<Subscriber> {
  if (!verifyDeviceKey(quickAnswerSecret, id, key)) throw notThisDevice()
  return connected(db, id)
}

async function connected(db: Db, id: SubscriberId): Promise<Subscriber> {
  const device = (await readSubscribers(db.read, [id])).get(id)
  if (!device) throw notThisDevice()
  return device
}

function notThisDevice(): Failure {
  return new Failure(
    'forbidden',
    'This key does not belong to the device, or the device was disconnected; open the page instead.',
  )
}
