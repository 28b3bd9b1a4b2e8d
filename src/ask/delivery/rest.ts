import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../platform/clock.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import { oneOf } from '../../platform/schema.ts'
import { findForAgent, noSuchQuestion } from '../questions/find-visible.ts'
import { findQuestion } from '../questions/model/store.ts'
import { agentRoute, personRoute, type Route, withDeps } from '../rest/route.ts'
import type { DeviceChannel } from '../subscribers/model/connect.ts'
import { SubscriberKind } from '../subscribers/model/subscriber.ts'
import type { NotificationId, QuestionId } from '../wire/ids.ts'
import { acceptedCount } from './model/channel.ts'
import { countDeliveries, countShown, listDeliveries } from './model/store.ts'
import { type DeviceReceipt, readReceipts } from './read-receipts.ts'
import type { SentNotifications } from './sent-notifications.ts'

type Deps = { db: Db; clock: Clock; channels: readonly DeviceChannel[] } & Pick<
  SentNotifications,
  'findNotification'
>

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }))

const shownDeliveryOf = (channels: readonly DeviceChannel[]) =>
  Type.Object({
    subscriberId: Type.String(),
    kind: SubscriberKind,
    transport: Type.Optional(oneOf(channels.map(({ name }) => name))),
    label: Type.Optional(Type.String({ description: 'Absent once the device was removed.' })),
    message: oneOf(['question', 'notification', 'outcome', 'test']),
    failover: Type.Optional(
      Type.Boolean({ description: 'Told to the next person, because nobody answered.' }),
    ),
    state: oneOf(['waiting', 'accepted', 'gone', 'refused', 'lapsed', 'held']),
    acceptedAt: time('The push service accepted it; it may still not have arrived.'),
    shownAt: time('The device reported that it showed it; perhaps nobody looked.'),
    openedAt: time('The device reported that somebody tapped it.'),
    error: Type.Optional(Type.String({ description: 'Why it was not accepted, or not yet.' })),
  })

/** Returns the state of a message, device by device. */
const deliveryRoute = (channels: readonly DeviceChannel[]) =>
  personRoute(
    {
      method: 'GET',
      path: '/deliveries/:id',
      summary: 'What became of one question or notification, device by device.',
      result: Type.Object({ deliveries: Type.Array(shownDeliveryOf(channels)) }),
      problems: ['not_found'],
    },
    async (deps: Deps, { person, params }) => {
      const { workspaceId } = person
      const { id = '' } = params
      const { read } = deps.db
      const subject =
        (await findQuestion(read, workspaceId, id as QuestionId)) ??
        (await deps.findNotification(read, workspaceId, id as NotificationId))
      if (!subject)
        throw new Failure('not_found', 'There is no such question or notification here.')
      const receipts = await readReceipts(deps, workspaceId, subject.id)
      return { deliveries: receipts.map(shownDelivery) }
    },
  )

const count = (description: string) => Type.Integer({ minimum: 0, description })

const questionDelivery = agentRoute(
  {
    method: 'GET',
    path: '/questions/:id/delivery',
    summary: 'How many devices a question was sent to so far, for who waits for its answer.',
    result: Type.Object({
      addressed: count('Devices and chat channels that it is for; phones may join later.'),
      accepted: count('Those whose service has accepted it.'),
      shown: count('Those that reported that they showed it; others may have, too.'),
      pending: Type.Boolean({ description: 'Some are still tried: the count may rise.' }),
    }),
    problems: ['not_found'],
  },
  async ({ db }: Deps, { params, call: { caller } }) => {
    const { workspaceId } = caller
    const question = await findForAgent(db.read, caller, params.id as QuestionId)
    if (!question) throw noSuchQuestion()
    const rows = await listDeliveries(db.read, workspaceId, question.id)
    const counts = countDeliveries(rows)
    const { addressedWeb, addressedMobile, addressedChat, pending } = counts
    const addressed = addressedWeb + addressedMobile + addressedChat
    const accepted = acceptedCount(counts)
    return { addressed, accepted, shown: countShown(rows), pending }
  },
)

function shownDelivery(receipt: DeviceReceipt): Static<ReturnType<typeof shownDeliveryOf>> {
  const { acceptedAt, shownAt, openedAt, failover, ...fields } = receipt
  return omitUndefined({
    ...fields,
    failover: failover || undefined,
    acceptedAt: acceptedAt === undefined ? undefined : isoTime(acceptedAt),
    shownAt: shownAt === undefined ? undefined : isoTime(shownAt),
    openedAt: openedAt === undefined ? undefined : isoTime(openedAt),
  })
}

export function deliveryRoutes(deps: Deps): Route[] {
  return withDeps(deps, [deliveryRoute(deps.channels), questionDelivery])
}
