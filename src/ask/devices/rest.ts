import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { omitUndefined } from '../../platform/json.ts'
import { oneOf } from '../../platform/schema.ts'
import { openRoute, personRoute, type Route, withDeps } from '../rest/route.ts'
import type { Authentication } from '../sign-in/authentication.ts'
import type { DeviceChannel } from '../subscribers/model/connect.ts'
import { QuietHours } from '../subscribers/model/quiet-hours.ts'
import {
  DeviceChanges,
  OwnLookInput,
  RenewInput,
  SeenInput,
  type SubscribeInput,
  subscribeInput,
} from '../subscribers/model/subscribe-fields.ts'
import {
  type Subscriber,
  type SubscriberId,
  SubscriberKind,
} from '../subscribers/model/subscriber.ts'
import { SwitchChanges, Switches } from '../subscribers/model/switch-store.ts'
import { changeDevice } from './change-device.ts'
import {
  type DeviceReportDeps,
  renewSubscription,
  reportOwnLook,
  reportSeen,
} from './device-reports.ts'
import { forgetDevice, listDevices } from './devices.ts'
import { changeQuietHours, changeSwitches, readQuietHours, readSwitches } from './own-switches.ts'
import { sendTestPush, type TestPushDeps } from './send-test-push.ts'
import { type SubscribeDeps, subscribe } from './subscribe.ts'

type Deps = DeviceReportDeps &
  SubscribeDeps &
  TestPushDeps & {
    authentication: Pick<Authentication, 'signInFrom'>
    /** The key that browsers subscribe with, base64url. */
    vapidPublicKey: string
  }

const text = Type.Optional(Type.String())
const time = Type.Optional(Type.String({ format: 'date-time' }))

/** A device without its address and keys: whoever knows them can send to it. */
const deviceKey = Type.String({
  description:
    'With it the device speaks for itself (shown, opened, renew); keep it on the device.',
})

const shownDeviceOf = (channels: readonly DeviceChannel[]) =>
  Type.Object({
    id: Type.String(),
    kind: SubscriberKind,
    transport: oneOf(channels.map(({ name }) => name)),
    label: Type.String(),
    externalId: text,
    tags: Type.Array(Type.String()),
    personId: text,
    createdAt: Type.String({ format: 'date-time' }),
    lastSuccessAt: time,
    lastErrorAt: time,
    lastError: text,
    lastShownAt: time,
    lastOpenedAt: time,
  })

/** The routes whose schemas depend on the channels. */
function subscriberRoutes(channels: readonly DeviceChannel[]): Route<Deps>[] {
  const ShownDevice = shownDeviceOf(channels)

  const getSubscribers = personRoute(
    {
      method: 'GET',
      path: '/subscribers',
      summary: 'The devices that can be reached, the oldest first.',
      result: Type.Object({ subscribers: Type.Array(ShownDevice) }),
    },
    async (deps: Deps, { person }) => {
      const devices = await listDevices(deps, person.workspaceId)
      return { subscribers: devices.map(shownDevice) }
    },
  )

  const postSubscriber = personRoute(
    {
      method: 'POST',
      path: '/subscribers',
      summary: 'Make a device reachable; one that is known by its endpoint is updated.',
      input: subscribeInput(channels),
      result: Type.Object({ ...ShownDevice.properties, deviceKey }),
      status: 201,
    },
    async (deps: Deps, { person, input, request }) => {
      const userAgent = request.headers.get('user-agent') ?? undefined
      const { workspaceId, id: personId, email } = person
      const signInId = (await deps.authentication.signInFrom(request))?.id
      const by = { workspaceId, personId, email, userAgent, signInId }
      const { device, deviceKey } = await subscribe(deps, input as SubscribeInput, by)
      return { ...shownDevice(device), deviceKey }
    },
  )

  const patchSubscriber = personRoute(
    {
      method: 'PATCH',
      path: '/subscribers/:id',
      summary: 'Change what a device is called and targeted by.',
      input: DeviceChanges,
      result: ShownDevice,
      problems: ['not_found'],
    },
    async (deps: Deps, { person, params, input }) =>
      shownDevice(await changeDevice(deps, person, params.id as SubscriberId, input)),
  )

  return [getSubscribers, postSubscriber, patchSubscriber]
}

const deleteSubscriber = personRoute(
  {
    method: 'DELETE',
    path: '/subscribers/:id',
    summary: 'Disconnect a device.',
    input: Type.Object(
      {
        signOut: Type.Optional(
          Type.Boolean({
            description: 'Also end the sign-in of the browser that it is, if that is known.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    optionalBody: true,
    problems: ['not_found'],
  },
  async (deps: Deps, { person, params, input: { signOut = false } }) => {
    await forgetDevice(deps, person, params.id as SubscriberId, { signOut })
  },
)

const postTest = personRoute(
  {
    method: 'POST',
    path: '/subscribers/:id/test',
    summary: 'Send a test push and return what its push service answered.',
    result: Type.Object({
      accepted: Type.Boolean(),
      outcome: oneOf(['accepted', 'gone', 'later', 'refused']),
      status: Type.Integer({ description: 'From the push service; 0 without a response.' }),
      said: Type.String({ description: 'The same in words.' }),
    }),
    problems: ['not_found'],
    waits: true,
  },
  async (deps: Deps, { person, params, request, connection }) => {
    connection?.timeout(request, 0)
    return await sendTestPush(deps, person, params.id as SubscriberId)
  },
)

const postShown = openRoute(
  {
    method: 'POST',
    path: '/subscribers/:id/shown',
    summary: 'A device says that it showed a message.',
    input: SeenInput,
    problems: ['forbidden'],
  },
  (deps: Deps, { params, input }) => reportSeen(deps, params.id as SubscriberId, 'shown', input),
)

const postOpened = openRoute(
  {
    method: 'POST',
    path: '/subscribers/:id/opened',
    summary: 'A device says that somebody tapped a message, or opened its page from it.',
    input: SeenInput,
    problems: ['forbidden'],
  },
  (deps: Deps, { params, input }) => reportSeen(deps, params.id as SubscriberId, 'opened', input),
)

const postRenew = openRoute(
  {
    method: 'POST',
    path: '/subscribers/:id/renew',
    summary: 'A device says that its browser changed its subscription.',
    input: RenewInput,
    problems: ['forbidden'],
  },
  async (deps: Deps, { params, input, request }) =>
    renewSubscription(
      deps,
      params.id as SubscriberId,
      input,
      await deps.authentication.signInFrom(request),
    ),
)

const postLook = openRoute(
  {
    method: 'POST',
    path: '/subscribers/:id/look',
    summary: 'A browser says whether it can still be reached, by what it has itself.',
    input: OwnLookInput,
    result: Type.Object({
      silent: Type.Optional(
        oneOf(['permission', 'missing', 'different'], {
          description:
            'Why nothing rings there: no permission, no subscription, or another one than is known here. Absent when all is well.',
        }),
      ),
    }),
    problems: ['forbidden'],
  },
  async (deps: Deps, { params, input, request }) => {
    const signIn = await deps.authentication.signInFrom(request)
    const silent = await reportOwnLook(deps, params.id as SubscriberId, input, signIn)
    return omitUndefined({ silent })
  },
)

function shownDevice(device: Subscriber): Static<ReturnType<typeof shownDeviceOf>> {
  return omitUndefined({
    id: device.id,
    kind: device.kind,
    transport: device.transport,
    label: device.label,
    externalId: device.externalId,
    tags: device.tags,
    personId: device.personId,
    createdAt: isoTime(device.createdAt),
    lastSuccessAt: optionalTime(device.lastSuccessAt),
    lastErrorAt: optionalTime(device.lastErrorAt),
    lastError: device.lastError,
    lastShownAt: optionalTime(device.lastShownAt),
    lastOpenedAt: optionalTime(device.lastOpenedAt),
  })
}

function optionalTime(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : isoTime(instant)
}

const getSwitches = personRoute(
  {
    method: 'GET',
    path: '/switches',
    summary: 'What reaches your own devices, sort by sort; true: it is delivered.',
    result: Switches,
  },
  (deps: Deps, { person }) => readSwitches(deps, person),
)

const patchSwitches = personRoute(
  {
    method: 'PATCH',
    path: '/switches',
    summary: 'Switch some sorts on or off for your own devices; the others stay.',
    input: SwitchChanges,
    result: Switches,
  },
  (deps: Deps, { person, input }) => changeSwitches(deps, person, input),
)

const OwnQuietHours = Type.Object(
  { quietHours: Type.Union([QuietHours, Type.Null()], { description: 'null: none.' }) },
  { additionalProperties: false },
)

const getQuietHours = personRoute(
  {
    method: 'GET',
    path: '/quiet-hours',
    summary: 'Your own quiet hours: where a rule says who decides, you are told when they end.',
    result: OwnQuietHours,
  },
  async (deps: Deps, { person }) => ({ quietHours: await readQuietHours(deps, person) }),
)

const patchQuietHours = personRoute(
  {
    method: 'PATCH',
    path: '/quiet-hours',
    summary: 'Set your own quiet hours, or none, from the next message on.',
    input: OwnQuietHours,
    result: OwnQuietHours,
  },
  async (deps: Deps, { person, input: { quietHours } }) => {
    await changeQuietHours(deps, person, quietHours)
    return { quietHours }
  },
)

const getPushKey = personRoute(
  {
    method: 'GET',
    path: '/push-key',
    summary: 'The key that a Web Push subscription is made for.',
    result: Type.Object({
      publicKey: Type.String({
        description: 'The VAPID public key (RFC 8292), an uncompressed P-256 point in base64url.',
      }),
    }),
  },
  async ({ vapidPublicKey }: Deps) => ({ publicKey: vapidPublicKey }),
)

export function deviceRoutes(deps: Deps): Route[] {
  return withDeps(deps, [
    getPushKey,
    ...subscriberRoutes(deps.channels),
    deleteSubscriber,
    postTest,
    postShown,
    postOpened,
    postRenew,
    postLook,
    getSwitches,
    patchSwitches,
    getQuietHours,
    patchQuietHours,
  ])
}
