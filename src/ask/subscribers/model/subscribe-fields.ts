import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { oneOf } from '../../../platform/schema.ts'
import { TAG_MAX, TAGS_MAX } from '../../wire/targeting.ts'
import { EXTERNAL_ID_MAX, LABEL_MAX, type SubscriberKind } from './subscriber.ts'

/** Addresses of push services have a few hundred characters. */
const ENDPOINT_MAX = 2_000
const KEY_MAX = 200

const endpoint = (description: string) =>
  Type.String({ format: 'uri', maxLength: ENDPOINT_MAX, description })

export const subscriptionKeys = Type.Object(
  {
    p256dh: Type.String({ maxLength: KEY_MAX, description: 'The public key, base64url.' }),
    auth: Type.String({ maxLength: KEY_MAX, description: 'The shared secret, base64url.' }),
  },
  { additionalProperties: false, description: 'The keys of the subscription (RFC 8291).' },
)

const tags = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: TAG_MAX }), { maxItems: TAGS_MAX, description })

/** The input that connects a device of any channel; each channel adds fields of its own. */
export type SubscribeInput = {
  kind: SubscriberKind
  transport: string
  endpoint: string
  label?: string
  externalId?: string
  tags?: string[]
}

type Connectable = {
  name: string
  kinds: readonly SubscriberKind[]
  connect?: { endpoint: string; fields: TProperties } | undefined
}

/** The body of `POST /subscribers`: one flat schema, with the fields of every channel. */
export function subscribeInput(channels: readonly Connectable[]) {
  const able = channels.filter(({ connect }) => connect)
  const addresses = able.map(({ connect }) => connect?.endpoint)
  return Type.Object(
    {
      kind: oneOf([...new Set(able.flatMap(({ kinds }) => kinds))], {
        description: 'Whether it counts as a browser or a phone.',
      }),
      transport: oneOf(
        able.map(({ name }) => name),
        { description: 'How it is reached.' },
      ),
      endpoint: endpoint(`The ${addresses.join(', or ')}.`),
      ...(Object.assign({}, ...able.map(({ connect }) => connect?.fields)) as TProperties),
      label: Type.Optional(
        Type.String({ maxLength: LABEL_MAX, description: 'What people call it.' }),
      ),
      externalId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: EXTERNAL_ID_MAX,
          description: 'Your own id, for targeting with externalIds.',
        }),
      ),
      tags: Type.Optional(tags('For targeting with tags.')),
    },
    { additionalProperties: false },
  )
}

/** The changes that people can make to a device; fields that are not given stay. */
export const DeviceChanges = Type.Object(
  {
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: LABEL_MAX, description: 'What people call it.' }),
    ),
    externalId: Type.Optional(
      Type.String({
        maxLength: EXTERNAL_ID_MAX,
        description: 'Your own id, for targeting with externalIds; "" removes it.',
      }),
    ),
    tags: Type.Optional(tags('All its tags from now on, for targeting with tags; [] for none.')),
  },
  { additionalProperties: false },
)
export type DeviceChanges = Static<typeof DeviceChanges>

const deviceKey = Type.String({
  maxLength: KEY_MAX,
  description: 'The deviceKey that the device was given.',
})

/** Sent by a device whose browser changed its subscription by itself. */
export const RenewInput = Type.Object(
  {
    key: deviceKey,
    endpoint: endpoint('The address the push service gave to this device.'),
    keys: subscriptionKeys,
  },
  { additionalProperties: false },
)
export type RenewInput = Static<typeof RenewInput>

/** Sent by a browser at each visit: what it has itself. */
export const OwnLookInput = Type.Object(
  {
    key: deviceKey,
    permission: oneOf(['granted', 'default', 'denied'], {
      description: 'Whether the browser lets this site notify.',
    }),
    endpointHash: Type.Optional(
      Type.String({
        maxLength: KEY_MAX,
        description: 'SHA-256 of the address of its subscription, in hex; absent without one.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type OwnLookInput = Static<typeof OwnLookInput>

/** Sent by a device that showed a message or on which somebody opened one. */
export const SeenInput = Type.Object(
  {
    key: deviceKey,
    id: Type.Optional(
      Type.String({ maxLength: KEY_MAX, description: 'The question or notification it is about.' }),
    ),
    kind: Type.Optional(
      oneOf(['question', 'notification', 'outcome', 'test'], {
        description: 'Which message about it; a question and its outcome are two.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SeenInput = Static<typeof SeenInput>
